import type { FastifyBaseLogger } from 'fastify';
import { authenticatorCodes } from '#edge/providers/authenticator-codes.ts';
import {
  connectorFunding,
  connectorNameChecks,
  connectorProvisioning,
} from '#edge/providers/connectors/account-ports.ts';
import { connectorRails } from '#edge/providers/connectors/adapter.ts';
import { createConnectorClient } from '#edge/providers/connectors/client.ts';
import { dnsDomains, type ResolveTxt, systemTxt } from '#edge/providers/dns-domains.ts';
import { productionLinks } from '#edge/providers/hosted-links.ts';
import { issuerKeys, supportedIssuers } from '#edge/providers/issuer-keys.ts';
import { localCustody } from '#edge/providers/local-custody.ts';
import {
  noCards,
  noCounterparties,
  noExplanations,
  noInvitees,
  noLiveness,
  noNameCheck,
  noNetworkFees,
  noProvisioning,
  noQuoteFunding,
  noRails,
  noResetLiveness,
  noScreening,
  noStablecoins,
  noTestSignatures,
  noUsAccounts,
} from '#edge/providers/no-provider.ts';
import { operatorMessages } from '#edge/providers/operator-messages.ts';
import { operatorRates } from '#edge/providers/operator-rates.ts';
import { reviewDesk } from '#edge/providers/review-desk.ts';
import type { ProviderSettings } from '#edge/providers/settings.ts';
import { smsGatewayCarrier } from '#edge/providers/sms-gateway.ts';
import { smtpCarrier } from '#edge/providers/smtp.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { createProviderClient } from '#foundation/outbound/outbound.ts';
import type { MessagesPort } from '#foundation/ports/messages.ts';
import type { Ports } from '#foundation/ports/ports.ts';

/** What production's adapters are built from. */
export interface ProductionPortParts
  extends Pick<Runtime, 'database' | 'clock' | 'vault' | 'personKeys' | 'names'>,
    Pick<Ports, 'storage'> {
  /** The operator's rate source, mail server, SMS gateway and issuers of tokens; unset: none. */
  readonly providers?: ProviderSettings | undefined;
  /** Resolves DNS records; unset: the system's name servers. */
  readonly resolveTxt?: ResolveTxt | undefined;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  /** Built after the ports. */
  runtime(): Runtime;
}

/** The adapters of production. A port without a provider has the `no…` adapter. */
export function productionPorts(parts: ProductionPortParts): Ports {
  const connected = { runtime: parts.runtime, client: createConnectorClient(parts) };
  return {
    accountScreening: noScreening,
    authenticatorCodes,
    cards: noCards,
    counterparties: noCounterparties,
    explanations: noExplanations,
    custody: localCustody({ network: 'spark', signsExports: true }),
    factorReset: noResetLiveness,
    hostedLinks: productionLinks,
    identity: reviewDesk,
    invitees: noInvitees,
    issuers: issuerKeys(supportedIssuers(parts.providers?.issuers), {
      client: createProviderClient(),
      clock: parts.clock,
      onUnavailable: (failure) => parts.log.warn(failure, 'the keys of an issuer cannot be read'),
    }),
    messages: createMessages(parts),
    nameCheck: connectorNameChecks(connected, noNameCheck),
    networkFees: noNetworkFees,
    ownership: noLiveness,
    provisioning: connectorProvisioning(connected, noProvisioning),
    quoteFunding: connectorFunding(connected, noQuoteFunding),
    rails: connectorRails(connected, noRails),
    rates: operatorRates(parts.database),
    stablecoins: noStablecoins,
    storage: parts.storage,
    umaDomains: dnsDomains(parts.resolveTxt ?? systemTxt),
    usAccounts: noUsAccounts,
    walletSignatures: noTestSignatures,
  };
}

function createMessages(parts: ProductionPortParts): MessagesPort {
  const { email, sms } = parts.providers ?? {};
  return operatorMessages(
    {
      EMAIL: email && smtpCarrier(email),
      SMS: sms && smsGatewayCarrier(sms, { ...parts, client: createProviderClient() }),
    },
    { onRefused: (refusal) => parts.log.warn(refusal, 'a message will not be sent') },
  );
}
