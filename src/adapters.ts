import type { FastifyBaseLogger } from 'fastify';
import { manualProvisioning, noNetworkFees } from '#accounts/without-provider.ts';
import type { Vault } from '#crypto/vault.ts';
import type { Database } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { IdSource } from '#lib/ids.ts';
import type { Environment } from '#lib/platform.ts';
import type { WireNames } from '#lib/wire-names.ts';
import { createProviderClient } from '#outbound/outbound.ts';
import type { ServiceDomains } from '#platform/change-config.ts';
import { screenedByOperator, usAccountsByOperator } from '#ports/account-screening.ts';
import { withoutCards } from '#ports/cards.ts';
import { withoutCounterparties } from '#ports/counterparties.ts';
import { withoutResetLiveness } from '#ports/factor-reset.ts';
import { productionLinks } from '#ports/hosted-links.ts';
import { customersOnly } from '#ports/invitees.ts';
import type { MessagesPort } from '#ports/messages.ts';
import { withoutNameCheck } from '#ports/name-check.ts';
import { withoutLiveness } from '#ports/ownership.ts';
import { booksOnly } from '#ports/payments.ts';
import type { Ports } from '#ports/ports.ts';
import { withoutQuoteFunding } from '#ports/quote-funding.ts';
import { withoutStablecoins } from '#ports/stablecoins.ts';
import type { StoragePort } from '#ports/storage.ts';
import { realSignaturesOnly } from '#ports/wallet-signatures.ts';
import { operatorRates } from '#pricing/rate-source/operator-rates.ts';
import { authenticatorCodes } from '#providers/authenticator-codes.ts';
import { dnsDomains, type ResolveTxt, systemTxt } from '#providers/dns-domains.ts';
import { issuerKeys, supportedIssuers } from '#providers/issuer-keys.ts';
import { localCustody } from '#providers/local-custody.ts';
import { operatorMessages } from '#providers/operator-messages.ts';
import type { ProviderSettings } from '#providers/settings.ts';
import { smsGatewayCarrier } from '#providers/sms-gateway.ts';
import { smtpCarrier } from '#providers/smtp.ts';
import { sandboxCards } from '#sandbox/cards-table.ts';
import { sandboxCounterparties } from '#sandbox/counterparties.ts';
import { sandboxLinks } from '#sandbox/hosted-links.ts';
import { sandboxIdentity } from '#sandbox/identity.ts';
import { sandboxInvitees } from '#sandbox/invitees.ts';
import { sandboxIssuers } from '#sandbox/issuers.ts';
import { sandboxLiveness } from '#sandbox/liveness.ts';
import { sandboxMessages } from '#sandbox/messages.ts';
import { sandboxNameCheck } from '#sandbox/name-check.ts';
import { sandboxNetworkFees } from '#sandbox/network-fees.ts';
import { sandboxProvisioning } from '#sandbox/provisioning.ts';
import { sandboxQuoteFunding } from '#sandbox/quote-funding.ts';
import { sandboxRails } from '#sandbox/rails.ts';
import { sandboxRateFeed } from '#sandbox/rate-feed.ts';
import { sandboxAuthenticatorCodes, sandboxFactorReset } from '#sandbox/sca-table.ts';
import { sandboxStablecoins } from '#sandbox/stablecoins-table.ts';
import { sandboxUmaDomains } from '#sandbox/uma-domains.ts';
import { sandboxScreening, sandboxUsAccounts } from '#sandbox/us-accounts.ts';
import { sandboxSignatures } from '#sandbox/wallets-table.ts';
import { reviewDesk } from '#verification/review-desk.ts';

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
