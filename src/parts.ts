import { internalAccountWebhook, renderAccountEvents } from '#accounts/events.ts';
import { PROVISION_JOB } from '#accounts/open-accounts.ts';
import { provisionHandler } from '#accounts/provision-account.ts';
import { accountReactions } from '#accounts/reactions.ts';
import { createAgentAuthenticate } from '#agents/authenticate.ts';
import { actionReactions } from '#agents/end-actions.ts';
import { agentPaymentDecider } from '#agents/prepare-decision.ts';
import { agentReactions } from '#agents/reactions.ts';
import { agentActionWebhook } from '#agents/webhooks.ts';
import { eraseAddresses, purgeAuditRows } from '#audit/store.ts';
import { delegatedKeyReactions } from '#cards/delegated-keys/keys.ts';
import { cardJobs } from '#cards/issue-card.ts';
import { cardMessageJobs } from '#cards/messages/jobs.ts';
import { cardReactions } from '#cards/reactions/reactions.ts';
import { purgeReveals } from '#cards/reveal/store.ts';
import { tokenizationJobs } from '#cards/tokenization/send-code.ts';
import { eraseTokenizations, purgeTokenizations } from '#cards/tokenization/store.ts';
import { cardFundingWebhook, cardStatusWebhook, cardTransactionWebhook } from '#cards/webhooks.ts';
import { customerErased } from '#customers/announcements.ts';
import { bulkUploadWebhook } from '#customers/bulk/events.ts';
import { importJobs } from '#customers/bulk/jobs.ts';
import { eraseReference } from '#customers/bulk/store.ts';
import { findErasedCustomers } from '#customers/erase-store.ts';
import { customerWebhook } from '#customers/events.ts';
import { customerJobs } from '#customers/jobs.ts';
import type { CustomerPolicy } from '#customers/policy.ts';
import { sealAddressesJobs } from '#customers/seal-addresses.ts';
import type { Runtime } from '#database/tx.ts';
import { eraseAgainJobs, eraseTraces, findTraces, type TraceEraser } from '#erasure/erase-traces.ts';
import { emitTest } from '#events/emit.ts';
import type { Decisions, Renderers } from '#events/handlers.ts';
import { on, type Subscription } from '#events/reactions.ts';
import { externalAccountWebhook } from '#external-accounts/events.ts';
import { externalAccountJobs } from '#external-accounts/jobs.ts';
import { externalAccountReactions } from '#external-accounts/reactions.ts';
import { type Authenticators, createAuthenticate } from '#http/access.ts';
import { eraseReplies } from '#http/erase-replies.ts';
import type { Gate } from '#http/gates.ts';
import type { FindErased } from '#http/idempotency.ts';
import { purgeKeys } from '#http/idempotency-store.ts';
import { type AreaGroup, openApiDocument, type WebhookDeclaration } from '#http/openapi.ts';
import type { NamedOperation } from '#http/operation.ts';
import type { Perform } from '#http/perform.ts';
import type { FindSigners } from '#http/signed-retry.ts';
import { purgeRequests } from '#http/signed-retry-store.ts';
import { invitationWebhook } from '#invitations/events.ts';
import { invitationReactions } from '#invitations/reactions.ts';
import type { JobHandlers } from '#jobs/handlers.ts';
import { type Purge, purgeHandler } from '#jobs/purge.ts';
import { rollUpAfter } from '#ledger/store.ts';
import type { WireNames } from '#lib/wire-names.ts';
import { onboardingJobs } from '#onboarding/jobs.ts';
import { onboardingReactions } from '#onboarding/reactions.ts';
import { renderPaymentEvents } from '#payments/events.ts';
import { decideOffer, UMA_APPROVAL } from '#payments/incoming/decide.ts';
import { incomingJobs } from '#payments/incoming/jobs.ts';
import { quoteJobs } from '#payments/quotes/end-overdue.ts';
import { paymentReactions } from '#payments/reactions/reactions.ts';
import { settlementJobs } from '#payments/settlement/jobs.ts';
import { transactionJobs } from '#payments/transactions/cancel-transaction.ts';
import type { PaymentDecider } from '#payments/transactions/decide-payment.ts';
import type { TransactionSource } from '#payments/transactions/sources.ts';
import { incomingPaymentWebhook, outgoingPaymentWebhook } from '#payments/webhooks.ts';
import { webhookEndpointChanged } from '#platform/announcements.ts';
import type { ServiceDomains } from '#platform/change-config.ts';
import { webhookKeyJobs } from '#platform/webhook-keys.ts';
import { eraseRequests, purgeRequestLogs } from '#request-log/store.ts';
import { seedJobs } from '#sandbox/seeds.ts';
import { eraseMessages } from '#sandbox/store.ts';
import { purgeChallenges, purgeCodeSends } from '#sca/challenge-store.ts';
import { challengeJobs } from '#sca/challenges.ts';
import { purgeEnrollments } from '#sca/enrollment-store.ts';
import { scaReactions } from '#sca/reactions.ts';
import { resetJobs } from '#sca/reset-factor.ts';
import { purgeResets } from '#sca/reset-store.ts';
import { purgeScaSessions } from '#sca/standing-store.ts';
import { enablementJobs } from '#stablecoins/coins/enablement.ts';
import { issuanceJobs } from '#stablecoins/coins/provision-coin.ts';
import { linkJobs } from '#stablecoins/links/check-link.ts';
import { operationJobs } from '#stablecoins/operations/follow-operation.ts';
import { stablecoinReactions } from '#stablecoins/reactions/reactions.ts';
import { contentJobs } from '#uploads/contents.ts';
import { verificationWebhook } from '#verification/events.ts';
import { verificationJobs } from '#verification/jobs.ts';
import { verificationReactions } from '#verification/reactions.ts';
import { contactGate } from '#wallet-auth/contact-gate.ts';
import { purgeLimits } from '#wallet-auth/limit-store.ts';
import { purgeOtps } from '#wallet-auth/otp-store.ts';
import { provisionJobs, walletReactions } from '#wallet-auth/provision-wallets.ts';
import { otpJobs } from '#wallet-auth/send-otp.ts';
import { findSigners, purgeSessions } from '#wallet-auth/session-store.ts';
import { eraseEvents } from '#webhooks/erase-store.ts';
import { resendJobs } from '#webhooks/events/resend-failed.ts';
import { purgeAttempts, purgeEvents } from '#webhooks/log-store.ts';
import { testWebhook } from '#webhooks/test-declaration.ts';
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
