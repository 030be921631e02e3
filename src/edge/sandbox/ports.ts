import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import { sandboxNameCheck } from '#edge/sandbox/accounts/name-check.ts';
import { sandboxProvisioning } from '#edge/sandbox/accounts/provisioning.ts';
import { sandboxQuoteFunding } from '#edge/sandbox/accounts/quote-funding.ts';
import { sandboxScreening, sandboxUsAccounts } from '#edge/sandbox/accounts/us-accounts.ts';
import { sandboxCards } from '#edge/sandbox/cards/cards-table.ts';
import { sandboxExplanations } from '#edge/sandbox/explanations/explanations.ts';
import { sandboxLinks } from '#edge/sandbox/identity/hosted-links.ts';
import { sandboxIdentity } from '#edge/sandbox/identity/identity.ts';
import { sandboxInvitees } from '#edge/sandbox/identity/invitees.ts';
import { sandboxLiveness } from '#edge/sandbox/identity/liveness.ts';
import { sandboxMessages } from '#edge/sandbox/messages/messages.ts';
import { sandboxCounterparties } from '#edge/sandbox/rails/counterparties.ts';
import { sandboxRails } from '#edge/sandbox/rails/rails.ts';
import { sandboxUmaDomains } from '#edge/sandbox/rails/uma-domains.ts';
import { sandboxNetworkFees } from '#edge/sandbox/rates/network-fees.ts';
import { sandboxRateFeed } from '#edge/sandbox/rates/rate-feed.ts';
import { sandboxAuthenticatorCodes, sandboxFactorReset } from '#edge/sandbox/sca/sca-table.ts';
import { sandboxStablecoins } from '#edge/sandbox/stablecoins/stablecoins-table.ts';
import { sandboxIssuers } from '#edge/sandbox/wallets/issuers.ts';
import { sandboxSignatures } from '#edge/sandbox/wallets/wallets-table.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import type { Ports } from '#foundation/ports/ports.ts';

/** What the sandbox's adapters are built from. It plays everything else itself. */
export interface SandboxPortParts
  extends Pick<Runtime, 'database' | 'clock' | 'newId' | 'vault' | 'personKeys'>,
    Pick<Ports, 'custody' | 'storage'> {
  readonly domains: ServiceDomains;
  /** The issuers of tokens that are accepted. */
  readonly issuers: { has(issuer: string): boolean };
  publicUrl(): string;
}

export function sandboxPorts(parts: SandboxPortParts): Ports {
  return {
    accountScreening: sandboxScreening,
    authenticatorCodes: sandboxAuthenticatorCodes,
    cards: sandboxCards,
    counterparties: sandboxCounterparties(parts.domains.sandboxUmaDomains),
    custody: parts.custody,
    explanations: sandboxExplanations,
    factorReset: sandboxFactorReset(parts),
    hostedLinks: sandboxLinks,
    identity: sandboxIdentity,
    invitees: sandboxInvitees,
    issuers: sandboxIssuers(parts.issuers, parts.clock),
    messages: sandboxMessages(parts),
    nameCheck: sandboxNameCheck,
    networkFees: sandboxNetworkFees,
    ownership: sandboxLiveness(parts),
    provisioning: sandboxProvisioning,
    quoteFunding: sandboxQuoteFunding,
    rails: sandboxRails,
    rates: sandboxRateFeed,
    stablecoins: sandboxStablecoins,
    storage: parts.storage,
    umaDomains: sandboxUmaDomains,
    usAccounts: sandboxUsAccounts,
    walletSignatures: sandboxSignatures,
  };
}
