import { internalAccountWebhook, renderAccountEvents } from '#capabilities/accounts/events.ts';
import { PROVISION_JOB } from '#capabilities/accounts/open-accounts.ts';
import { provisionHandler } from '#capabilities/accounts/provision-account.ts';
import { accountReactions } from '#capabilities/accounts/reactions.ts';
import { actionReactions } from '#capabilities/agents/actions/end-actions.ts';
import { agentActionWebhook } from '#capabilities/agents/actions/events.ts';
import { agentPaymentDecider } from '#capabilities/agents/actions/prepare-decision.ts';
import { createAgentAuthenticate } from '#capabilities/agents/credentials/authenticate.ts';
import { agentReactions } from '#capabilities/agents/management/reactions.ts';
import { delegatedKeyReactions } from '#capabilities/cards/delegated-keys/keys.ts';
import { cardFundingWebhook, cardStatusWebhook, cardTransactionWebhook } from '#capabilities/cards/events.ts';
import { cardJobs } from '#capabilities/cards/issue-card.ts';
import { cardMessageJobs } from '#capabilities/cards/messages/jobs.ts';
import { cardReactions } from '#capabilities/cards/reactions/reactions.ts';
import { purgeReveals } from '#capabilities/cards/reveal/store.ts';
import { tokenizationJobs } from '#capabilities/cards/tokenization/send-code.ts';
import { eraseTokenizations, purgeTokenizations } from '#capabilities/cards/tokenization/store.ts';
import { customerErased } from '#capabilities/customers/announcements.ts';
import { bulkUploadWebhook } from '#capabilities/customers/bulk/events.ts';
import { importJobs } from '#capabilities/customers/bulk/jobs.ts';
import { eraseReference } from '#capabilities/customers/bulk/store.ts';
import { findErasedCustomers } from '#capabilities/customers/erasure/erase-store.ts';
import { sealAddressesJobs } from '#capabilities/customers/erasure/seal-addresses.ts';
import { customerWebhook } from '#capabilities/customers/events.ts';
import { customerJobs } from '#capabilities/customers/jobs.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import {
  eraseAgainJobs,
  eraseTraces,
  findTraces,
  type TraceEraser,
} from '#capabilities/erasure/erase-traces.ts';
import { externalAccountWebhook } from '#capabilities/external-accounts/events.ts';
import { externalAccountJobs } from '#capabilities/external-accounts/jobs.ts';
import { externalAccountReactions } from '#capabilities/external-accounts/reactions.ts';
import { invitationWebhook } from '#capabilities/invitations/events.ts';
import { invitationReactions } from '#capabilities/invitations/reactions.ts';
import { onboardingJobs } from '#capabilities/onboarding/jobs.ts';
import { onboardingReactions } from '#capabilities/onboarding/reactions.ts';
import { renderPaymentEvents } from '#capabilities/payments/events.ts';
import { decideOffer, UMA_APPROVAL } from '#capabilities/payments/incoming/decide.ts';
import { incomingJobs } from '#capabilities/payments/incoming/jobs.ts';
import { quoteJobs } from '#capabilities/payments/quotes/end-overdue.ts';
import { paymentReactions } from '#capabilities/payments/reactions/reactions.ts';
import { settlementJobs } from '#capabilities/payments/settlement/jobs.ts';
import { transactionJobs } from '#capabilities/payments/transactions/cancel-transaction.ts';
import type { PaymentDecider } from '#capabilities/payments/transactions/decide-payment.ts';
import type { TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import { incomingPaymentWebhook, outgoingPaymentWebhook } from '#capabilities/payments/webhooks.ts';
import { webhookEndpointChanged } from '#capabilities/platform/announcements.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import { webhookKeyJobs } from '#capabilities/platform/webhook-keys.ts';
import { challengeJobs } from '#capabilities/sca/challenges/challenges.ts';
import { purgeChallenges, purgeCodeSends } from '#capabilities/sca/challenges/store.ts';
import { purgeEnrollments } from '#capabilities/sca/enrollment-store.ts';
import { resetJobs } from '#capabilities/sca/factors/reset-factor.ts';
import { purgeResets } from '#capabilities/sca/factors/reset-store.ts';
import { scaReactions } from '#capabilities/sca/reactions.ts';
import { purgeScaSessions } from '#capabilities/sca/standing/store.ts';
import { enablementJobs } from '#capabilities/stablecoins/coins/enablement.ts';
import { issuanceJobs } from '#capabilities/stablecoins/coins/provision-coin.ts';
import { linkJobs } from '#capabilities/stablecoins/links/check-link.ts';
import { operationJobs } from '#capabilities/stablecoins/operations/follow-operation.ts';
import { stablecoinReactions } from '#capabilities/stablecoins/reactions/reactions.ts';
import { verificationWebhook } from '#capabilities/verification/events.ts';
import { verificationJobs } from '#capabilities/verification/jobs.ts';
import { verificationReactions } from '#capabilities/verification/reactions.ts';
import { contactGate } from '#capabilities/wallet-auth/contacts/contact-gate.ts';
import { purgeLimits } from '#capabilities/wallet-auth/limit-store.ts';
import { otpJobs } from '#capabilities/wallet-auth/otp/send-otp.ts';
import { purgeOtps } from '#capabilities/wallet-auth/otp/store.ts';
import { findSigners, purgeSessions } from '#capabilities/wallet-auth/session-store.ts';
import { provisionJobs, walletReactions } from '#capabilities/wallet-auth/wallets/provision-wallets.ts';
import { eraseRequests, purgeRequestLogs } from '#edge/request-log/store.ts';
import { seedJobs } from '#edge/sandbox/seeds.ts';
import { eraseMessages } from '#edge/sandbox/store.ts';
import { eraseEvents } from '#edge/webhooks/erase-store.ts';
import { resendJobs } from '#edge/webhooks/events/resend-failed.ts';
import { purgeAttempts, purgeEvents } from '#edge/webhooks/log-store.ts';
import { testWebhook } from '#edge/webhooks/test-declaration.ts';
import { eraseAddresses, purgeAuditRows } from '#foundation/audit/store.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { emitTest } from '#foundation/events/emit.ts';
import type { Decisions, Renderers } from '#foundation/events/handlers.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';
import type { Gate } from '#foundation/http/declare/gates.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import {
  type AreaGroup,
  openApiDocument,
  type WebhookDeclaration,
} from '#foundation/http/document/openapi.ts';
import { eraseReplies } from '#foundation/http/idempotency/erase-replies.ts';
import type { FindErased } from '#foundation/http/idempotency/idempotency.ts';
import { purgeKeys } from '#foundation/http/idempotency/store.ts';
import type { Perform } from '#foundation/http/perform/perform.ts';
import { type Authenticators, createAuthenticate } from '#foundation/http/serve/access.ts';
import type { FindSigners } from '#foundation/http/signed/signed-retry.ts';
import { purgeRequests } from '#foundation/http/signed/store.ts';
import type { JobHandlers } from '#foundation/jobs/handlers.ts';
import { type Purge, purgeHandler } from '#foundation/jobs/purge.ts';
import { rollUpAfter } from '#foundation/ledger/store.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import { contentJobs } from '#foundation/uploads/contents.ts';
import { AREA_GROUPS } from './areas.ts';
import { listOperations, type OperationParts } from './operations.ts';
import { TRANSACTION_SOURCES } from './transaction-sources.ts';

export const WEBHOOKS: WebhookDeclaration[] = [
  customerWebhook,
  verificationWebhook,
  bulkUploadWebhook,
  internalAccountWebhook,
  externalAccountWebhook,
  outgoingPaymentWebhook,
  incomingPaymentWebhook,
  cardStatusWebhook,
  cardFundingWebhook,
  cardTransactionWebhook,
  agentActionWebhook,
  invitationWebhook,
  testWebhook,
];

/** The other folders that keep something that names a customer. */
const TRACE_ERASERS: readonly TraceEraser[] = [eraseAddresses, eraseRequests, eraseReplies, eraseEvents];

/** Who reacts to what, and in which order. */
export function listReactions({ word }: WireNames): Subscription[] {
  return [
    findTraces,
    on(webhookEndpointChanged, async (tx) => void emitTest(tx)),
    // Before the accounts are closed: a payment in progress and a live card prevent that.
    ...paymentReactions,
    ...cardReactions,
    ...stablecoinReactions,
    ...scaReactions,
    ...accountReactions({ serviceName: word }),
    ...walletReactions,
    ...delegatedKeyReactions,
    ...externalAccountReactions,
    on(customerErased, (tx, { customer }) => eraseReference(tx, customer.platform_customer_id)),
    on(customerErased, (tx, { customer }) => eraseMessages(tx, customer.id)),
    on(customerErased, (tx, { customer }) => eraseTokenizations(tx, customer.id)),
    ...verificationReactions,
    ...onboardingReactions,
    ...invitationReactions,
    ...actionReactions,
    ...agentReactions,
    // Comes after every row of the customer is locked.
    eraseTraces(TRACE_ERASERS),
  ];
}

export const RENDERERS: Renderers = {
  INTERNAL_ACCOUNT: renderAccountEvents,
  OUTGOING_PAYMENT: renderPaymentEvents,
  INCOMING_PAYMENT: renderPaymentEvents,
};

export const DECISIONS: Decisions = { [UMA_APPROVAL]: decideOffer };

/** What some jobs need beside their transaction. */
export interface JobParts {
  readonly policy: CustomerPolicy;
  /** Performs an operation that was requested earlier, exactly as its route would. */
  readonly perform: Perform;
  operations(): readonly NamedOperation[];
  readonly log: { warn(about: object, line: string): void };
}

/** Who deletes what after its retention period. */
export const PURGES: readonly Purge[] = [
  purgeKeys,
  purgeRequests,
  purgeEnrollments,
  purgeCodeSends,
  purgeResets,
  purgeScaSessions,
  purgeOtps,
  purgeLimits,
  purgeSessions,
  purgeChallenges,
  purgeReveals,
  purgeTokenizations,
  purgeAttempts,
  purgeEvents,
  purgeRequestLogs,
  purgeAuditRows,
];

export function listJobs({ policy, operations, log }: Omit<JobParts, 'perform'>): JobHandlers {
  return {
    ...purgeHandler(PURGES, rollUpAfter),
    ...contentJobs,
    ...customerJobs,
    ...sealAddressesJobs,
    ...eraseAgainJobs(TRACE_ERASERS),
    ...importJobs(policy),
    ...verificationJobs,
    ...onboardingJobs,
    ...challengeJobs,
    ...resetJobs,
    ...externalAccountJobs,
    ...otpJobs,
    ...provisionJobs(),
    ...cardJobs,
    ...cardMessageJobs,
    ...tokenizationJobs,
    ...linkJobs,
    ...issuanceJobs,
    ...enablementJobs,
    ...operationJobs,
    ...quoteJobs,
    ...settlementJobs,
    ...transactionJobs,
    ...incomingJobs,
    ...resendJobs,
    ...webhookKeyJobs,
    ...seedJobs({
      operations,
      umaDomain: policy.domains.defaultUmaDomain,
      onSkipped: (skipped) => log.warn(skipped, 'a seed of the sandbox was left out'),
    }),
    [PROVISION_JOB]: provisionHandler,
  };
}

/** Everything the service consists of; app.ts puts it together. */
export interface Parts {
  operations(parts: OperationParts): NamedOperation[];
  jobs(parts: JobParts): JobHandlers;
  reactions(names: WireNames): Subscription[];
  readonly transactionSources: readonly TransactionSource[];
  /** Who has payments wait for the platform's decision, beside payments themselves. */
  readonly paymentDeciders: readonly PaymentDecider[];
  readonly areaGroups?: readonly AreaGroup[];
  readonly webhooks: readonly WebhookDeclaration[];
  readonly renderers: Renderers;
  readonly decisions: Decisions;
  /** What may come between the `prepare` of an operation and its commit, in this order. */
  readonly gates: readonly Gate[];
  /** Whose signature counts for a wallet. */
  readonly findSigners: FindSigners;
  /** Which customers are erased. */
  readonly findErased: FindErased;
  authenticators(runtime: Pick<Runtime, 'database' | 'clock'>): Authenticators;
}

export const PARTS: Parts = {
  operations: listOperations,
  jobs: listJobs,
  reactions: listReactions,
  transactionSources: TRANSACTION_SOURCES,
  paymentDeciders: [agentPaymentDecider],
  areaGroups: AREA_GROUPS,
  webhooks: WEBHOOKS,
  renderers: RENDERERS,
  decisions: DECISIONS,
  gates: [contactGate],
  findSigners,
  findErased: findErasedCustomers,
  authenticators: (runtime) => ({
    token: createAuthenticate(runtime.database, runtime.clock),
    agent: createAgentAuthenticate(runtime),
  }),
};

/** The OpenAPI document without a database behind it. */
export function describeApi(names: WireNames, domains: ServiceDomains): Record<string, unknown> {
  // Only the declarations are read and no handler is called, so the other parts can be left out.
  return openApiDocument(listOperations({ domains, names } as OperationParts), WEBHOOKS, names, AREA_GROUPS);
}
