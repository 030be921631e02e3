import type { FastifyBaseLogger } from 'fastify';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import { operatorRates } from '#capabilities/pricing/rate-source/operator-rates.ts';
import { authenticatorCodes } from '#edge/providers/authenticator-codes.ts';
import { dnsDomains, type ResolveTxt, systemTxt } from '#edge/providers/dns-domains.ts';
import { issuerKeys, supportedIssuers } from '#edge/providers/issuer-keys.ts';
import { localCustody } from '#edge/providers/local-custody.ts';
import { manualProvisioning, noNetworkFees } from '#edge/providers/manual-provisioning.ts';
import { operatorMessages } from '#edge/providers/operator-messages.ts';
import { reviewDesk } from '#edge/providers/review-desk.ts';
import type { ProviderSettings } from '#edge/providers/settings.ts';
import { smsGatewayCarrier } from '#edge/providers/sms-gateway.ts';
import { smtpCarrier } from '#edge/providers/smtp.ts';
import { sandboxNameCheck } from '#edge/sandbox/accounts/name-check.ts';
import { sandboxProvisioning } from '#edge/sandbox/accounts/provisioning.ts';
import { sandboxQuoteFunding } from '#edge/sandbox/accounts/quote-funding.ts';
import { sandboxScreening, sandboxUsAccounts } from '#edge/sandbox/accounts/us-accounts.ts';
import { sandboxCards } from '#edge/sandbox/cards/cards-table.ts';
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
import type { Vault } from '#foundation/crypto/vault.ts';
import type { Database } from '#foundation/database/database.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import type { IdSource } from '#foundation/lib/ids.ts';
import type { Environment } from '#foundation/lib/platform.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import { createProviderClient } from '#foundation/outbound/outbound.ts';
import { screenedByOperator, usAccountsByOperator } from '#foundation/ports/account-screening.ts';
import { withoutCards } from '#foundation/ports/cards.ts';
import { withoutCounterparties } from '#foundation/ports/counterparties.ts';
import { withoutResetLiveness } from '#foundation/ports/factor-reset.ts';
import { productionLinks } from '#foundation/ports/hosted-links.ts';
import { customersOnly } from '#foundation/ports/invitees.ts';
import type { MessagesPort } from '#foundation/ports/messages.ts';
import { withoutNameCheck } from '#foundation/ports/name-check.ts';
import { withoutLiveness } from '#foundation/ports/ownership.ts';
import { booksOnly } from '#foundation/ports/payments.ts';
import type { Ports } from '#foundation/ports/ports.ts';
import { withoutQuoteFunding } from '#foundation/ports/quote-funding.ts';
import { withoutStablecoins } from '#foundation/ports/stablecoins.ts';
import type { StoragePort } from '#foundation/ports/storage.ts';
import { realSignaturesOnly } from '#foundation/ports/wallet-signatures.ts';

/** What the adapters are built from. */
export interface PortOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly vault: Vault;
  readonly domains: ServiceDomains;
  readonly names: WireNames;
  readonly log: FastifyBaseLogger;
  /** Where uploaded files are stored. */
  readonly storage: StoragePort;
  /** The operator's rate source, mail server, SMS gateway and issuers of tokens; unset: none. */
  readonly providers?: ProviderSettings | undefined;
  /** Resolves DNS records; unset: the system's name servers. */
  readonly resolveTxt?: ResolveTxt | undefined;
}

/** The adapters of each environment: the only place that chooses between them. */
export function createPorts(options: PortOptions, publicUrl: () => string): Record<Environment, Ports> {
  const issuers = supportedIssuers(options.providers?.issuers);
  return {
    SANDBOX: sandboxPorts(options, issuers, publicUrl),
    PRODUCTION: productionPorts(options, issuers),
  };
}

function sandboxPorts(options: PortOptions, issuers: Issuers, publicUrl: () => string): Ports {
  return {
    accountScreening: sandboxScreening,
    authenticatorCodes: sandboxAuthenticatorCodes,
    custody: localCustody({ network: 'sparkt', signsExports: false }),
    counterparties: sandboxCounterparties(options.domains.sandboxUmaDomains),
    factorReset: sandboxFactorReset({ vault: options.vault, publicUrl }),
    hostedLinks: sandboxLinks,
    identity: sandboxIdentity,
    cards: sandboxCards,
    invitees: sandboxInvitees,
    issuers: sandboxIssuers(issuers, options.clock),
    messages: sandboxMessages(options),
    nameCheck: sandboxNameCheck,
    networkFees: sandboxNetworkFees,
    ownership: sandboxLiveness({ vault: options.vault, publicUrl }),
    provisioning: sandboxProvisioning,
    rails: sandboxRails,
    quoteFunding: sandboxQuoteFunding,
    rates: sandboxRateFeed,
    stablecoins: sandboxStablecoins,
    storage: options.storage,
    umaDomains: sandboxUmaDomains,
    usAccounts: sandboxUsAccounts,
    walletSignatures: sandboxSignatures,
  };
}

function productionPorts(options: PortOptions, issuers: Issuers): Ports {
  return {
    accountScreening: screenedByOperator,
    authenticatorCodes,
    custody: localCustody({ network: 'spark', signsExports: true }),
    counterparties: withoutCounterparties,
    factorReset: withoutResetLiveness,
    hostedLinks: productionLinks,
    identity: reviewDesk,
    cards: withoutCards,
    invitees: customersOnly,
    issuers: issuerKeys(issuers, {
      client: createProviderClient(),
      clock: options.clock,
      onUnavailable: (failure) => options.log.warn(failure, 'the keys of an issuer cannot be read'),
    }),
    messages: createMessages(options),
    nameCheck: withoutNameCheck,
    networkFees: noNetworkFees,
    ownership: withoutLiveness,
    provisioning: manualProvisioning,
    rails: booksOnly,
    quoteFunding: withoutQuoteFunding,
    rates: operatorRates(options.database),
    stablecoins: withoutStablecoins,
    storage: options.storage,
    umaDomains: dnsDomains(options.resolveTxt ?? systemTxt),
    usAccounts: usAccountsByOperator,
    walletSignatures: realSignaturesOnly,
  };
}

type Issuers = ReturnType<typeof supportedIssuers>;

function createMessages(options: PortOptions): MessagesPort {
  const { email, sms } = options.providers ?? {};
  return operatorMessages(
    {
      EMAIL: email && smtpCarrier(email),
      SMS: sms && smsGatewayCarrier(sms, { ...options, client: createProviderClient() }),
    },
    { onRefused: (refusal) => options.log.warn(refusal, 'a message will not be sent') },
  );
}
