import { accountOperations } from '#capabilities/accounts/routes.ts';
import { agentActionOperations } from '#capabilities/agents/actions/routes.ts';
import { agentOperations } from '#capabilities/agents/management/routes.ts';
import { ownAgentOperations } from '#capabilities/agents/own/routes.ts';
import { delegatedKeyOperations } from '#capabilities/cards/delegated-keys/routes.ts';
import { revealOperations } from '#capabilities/cards/reveal/routes.ts';
import { cardOperations } from '#capabilities/cards/routes.ts';
import { bulkOperations } from '#capabilities/customers/bulk/routes.ts';
import { contactVerificationOperations } from '#capabilities/customers/contacts/routes.ts';
import { beneficialOwnerOperations } from '#capabilities/customers/owners/routes.ts';
import { customerOperations } from '#capabilities/customers/routes.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { documentOperations } from '#capabilities/documents/routes.ts';
import { receiverOperations } from '#capabilities/external-accounts/receivers/routes.ts';
import { externalAccountOperations } from '#capabilities/external-accounts/routes.ts';
import { trustOperations } from '#capabilities/external-accounts/trust/routes.ts';
import { invitationOperations } from '#capabilities/invitations/routes.ts';
import { onboardingOperations } from '#capabilities/onboarding/routes.ts';
import { authorizationOperations } from '#capabilities/payments/authorization/routes.ts';
import type { PaymentParts } from '#capabilities/payments/execution/store.ts';
import { quoteOperations } from '#capabilities/payments/quotes/routes.ts';
import type { PaymentDecider } from '#capabilities/payments/transactions/decide-payment.ts';
import { transactionOperations } from '#capabilities/payments/transactions/routes.ts';
import type { TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import { transferOperations } from '#capabilities/payments/transfers/routes.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import { platformOperations } from '#capabilities/platform/routes.ts';
import { loadSendingTerms } from '#capabilities/platform/store.ts';
import type { KnownProviders } from '#capabilities/platform/uma-providers.ts';
import { pricingOperations } from '#capabilities/pricing/routes.ts';
import { scaOperations } from '#capabilities/sca/routes.ts';
import { coinOperations } from '#capabilities/stablecoins/coins/routes.ts';
import { providerAccountOperations } from '#capabilities/stablecoins/links/routes.ts';
import { stablecoinOperationOperations } from '#capabilities/stablecoins/operations/routes.ts';
import { tokenOperations } from '#capabilities/tokens/routes.ts';
import { verificationOperations } from '#capabilities/verification/routes.ts';
import { walletAuthOperations } from '#capabilities/wallet-auth/routes.ts';
import type { RequestRecorder } from '#edge/request-log/recorder.ts';
import { requestLogOperations } from '#edge/request-log/routes.ts';
import { sandboxCardOperations } from '#edge/sandbox/cards/routes.ts';
import { sandboxCardTokenizationOperations } from '#edge/sandbox/cards/tokenization-routes.ts';
import { clockOperations } from '#edge/sandbox/clock-routes.ts';
import { sandboxMessageOperations } from '#edge/sandbox/messages/routes.ts';
import { sandboxFundOperations } from '#edge/sandbox/rails/fund-routes.ts';
import { sandboxSendOperations } from '#edge/sandbox/rails/send-routes.ts';
import { sandboxUmaReceiveOperations } from '#edge/sandbox/rails/uma-receive-routes.ts';
import { sandboxUmaProvider } from '#edge/sandbox/rails/uma-table.ts';
import type { Deliverer } from '#edge/webhooks/deliverer.ts';
import { eventOperations } from '#edge/webhooks/events/routes.ts';
import { webhookKeyOperations } from '#edge/webhooks/keys/routes.ts';
import type { Feed } from '#edge/webhooks/listeners/feed.ts';
import { listenerOperations } from '#edge/webhooks/listeners/routes.ts';
import { webhookOperations } from '#edge/webhooks/routes.ts';
import type { ListedOrigin } from '#foundation/crypto/webauthn.ts';
import type { Decisions, Renderers } from '#foundation/events/handlers.ts';
import type { Worker } from '#foundation/jobs/worker.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import type { SandboxReach } from '#foundation/outbound/addresses.ts';

/** What some operations need beside their transaction. */
export interface OperationParts {
  readonly domains: ServiceDomains;
  readonly sandboxReach?: SandboxReach | undefined;
  readonly names: WireNames;
  readonly policy: CustomerPolicy;
  readonly deliverer: Deliverer;
  readonly requestLog: RequestRecorder;
  readonly worker: Worker;
  readonly payments: PaymentParts;
  readonly transactionSources: readonly TransactionSource[];
  readonly paymentDeciders: readonly PaymentDecider[];
  /** Origins of passkeys that are no web pages, by the operator's setting. */
  readonly passkeyOrigins?: readonly ListedOrigin[] | undefined;
  /** Where people reach the page that shows card numbers. */
  revealUrl(): string;
  readonly renderers: Renderers;
  readonly feed: Feed;
  readonly decisions: Decisions;
}

/** Every operation, area by area, in the order of the reference page. */
export function listOperations({
  domains,
  sandboxReach,
  names,
  policy,
  deliverer,
  worker,
  payments,
  transactionSources,
  paymentDeciders,
  passkeyOrigins,
  revealUrl,
  renderers,
  feed,
  decisions,
  requestLog,
}: OperationParts) {
  return [
    ...platformOperations({ domains, sandboxReach, umaProviders: umaProvidersOf(domains) }),
    ...tokenOperations,
    ...pricingOperations(loadSendingTerms),
    ...customerOperations(policy),
    ...bulkOperations,
    ...contactVerificationOperations,
    ...beneficialOwnerOperations,
    ...documentOperations,
    ...verificationOperations,
    ...onboardingOperations(policy),
    ...scaOperations,
    ...accountOperations,
    ...walletAuthOperations({ passkeyOrigins: passkeyOrigins ?? [] }),
    ...delegatedKeyOperations,
    ...externalAccountOperations({ serviceName: names.word }),
    ...trustOperations,
    ...receiverOperations(domains),
    ...quoteOperations(payments, { domains, serviceName: names.word }),
    ...authorizationOperations,
    ...transactionOperations({ sources: transactionSources, deciders: paymentDeciders, payments }),
    ...transferOperations,
    ...cardOperations,
    ...revealOperations({ revealUrl }),
    ...coinOperations,
    ...providerAccountOperations,
    ...stablecoinOperationOperations,
    ...agentOperations(),
    ...ownAgentOperations({ domains, serviceName: names.word }),
    ...agentActionOperations(payments),
    ...invitationOperations(policy),
    ...webhookOperations(deliverer),
    ...webhookKeyOperations,
    ...eventOperations({ renderers }),
    ...listenerOperations({ feed, decisions }),
    ...requestLogOperations(requestLog),
    ...clockOperations(worker),
    ...sandboxMessageOperations,
    ...sandboxFundOperations,
    ...sandboxSendOperations(payments),
    ...sandboxUmaReceiveOperations(domains.sandboxUmaDomains),
    ...sandboxCardOperations,
    ...sandboxCardTokenizationOperations,
  ];
}

/** The providers that are built in; others come from the directory. */
function umaProvidersOf({ sandboxUmaDomains }: ServiceDomains): KnownProviders {
  return { SANDBOX: sandboxUmaDomains.map(sandboxUmaProvider), PRODUCTION: [] };
}
