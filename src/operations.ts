import { accountOperations } from '#accounts/routes.ts';
import { agentActionOperations } from '#agents/action-routes.ts';
import { ownAgentOperations } from '#agents/own-routes.ts';
import { agentOperations } from '#agents/routes.ts';
import { delegatedKeyOperations } from '#cards/delegated-keys/routes.ts';
import { revealOperations } from '#cards/reveal/routes.ts';
import { cardOperations } from '#cards/routes.ts';
import type { ListedOrigin } from '#crypto/webauthn.ts';
import { bulkOperations } from '#customers/bulk/routes.ts';
import { contactVerificationOperations } from '#customers/contact-routes.ts';
import { beneficialOwnerOperations } from '#customers/owners/routes.ts';
import type { CustomerPolicy } from '#customers/policy.ts';
import { customerOperations } from '#customers/routes.ts';
import { documentOperations } from '#documents/routes.ts';
import type { Decisions, Renderers } from '#events/handlers.ts';
import { receiverOperations } from '#external-accounts/receiver-routes.ts';
import { externalAccountOperations } from '#external-accounts/routes.ts';
import { trustOperations } from '#external-accounts/trust-routes.ts';
import { invitationOperations } from '#invitations/routes.ts';
import type { Worker } from '#jobs/worker.ts';
import type { WireNames } from '#lib/wire-names.ts';
import { onboardingOperations } from '#onboarding/routes.ts';
import type { SandboxReach } from '#outbound/addresses.ts';
import { authorizationOperations } from '#payments/authorization/routes.ts';
import type { PaymentParts } from '#payments/execution/store.ts';
import { quoteOperations } from '#payments/quotes/routes.ts';
import type { PaymentDecider } from '#payments/transactions/decide-payment.ts';
import { transactionOperations } from '#payments/transactions/routes.ts';
import type { TransactionSource } from '#payments/transactions/sources.ts';
import { transferOperations } from '#payments/transfers/routes.ts';
import type { ServiceDomains } from '#platform/change-config.ts';
import { platformOperations } from '#platform/routes.ts';
import { loadSendingTerms } from '#platform/store.ts';
import type { KnownProviders } from '#platform/uma-providers.ts';
import { pricingOperations } from '#pricing/routes.ts';
import type { RequestRecorder } from '#request-log/recorder.ts';
import { requestLogOperations } from '#request-log/routes.ts';
import { sandboxCardOperations } from '#sandbox/card-routes.ts';
import { sandboxCardTokenizationOperations } from '#sandbox/card-tokenization-routes.ts';
import { clockOperations } from '#sandbox/clock-routes.ts';
import { sandboxFundOperations } from '#sandbox/fund-routes.ts';
import { sandboxMessageOperations } from '#sandbox/message-routes.ts';
import { sandboxSendOperations } from '#sandbox/send-routes.ts';
import { sandboxUmaReceiveOperations } from '#sandbox/uma-receive-routes.ts';
import { sandboxUmaProvider } from '#sandbox/uma-table.ts';
import { scaOperations } from '#sca/routes.ts';
import { coinOperations } from '#stablecoins/coins/routes.ts';
import { providerAccountOperations } from '#stablecoins/links/routes.ts';
import { stablecoinOperationOperations } from '#stablecoins/operations/routes.ts';
import { tokenOperations } from '#tokens/routes.ts';
import { verificationOperations } from '#verification/routes.ts';
import { walletAuthOperations } from '#wallet-auth/routes.ts';
import type { Deliverer } from '#webhooks/deliverer.ts';
import { eventOperations } from '#webhooks/events/routes.ts';
import { webhookKeyOperations } from '#webhooks/keys/routes.ts';
import type { Feed } from '#webhooks/listeners/feed.ts';
import { listenerOperations } from '#webhooks/listeners/routes.ts';
import { webhookOperations } from '#webhooks/routes.ts';

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
