import { internalAccountWebhook, renderAccountEvents } from '#accounts/events.ts';
import { PROVISION_JOB } from '#accounts/open-accounts.ts';
import { provisionHandler } from '#accounts/provision-account.ts';
import { accountReactions } from '#accounts/reactions.ts';
import { accountOperations } from '#accounts/routes.ts';
import { purgeAuditRows } from '#audit/store.ts';
import { cardJobs } from '#cards/issue-card.ts';
import { cardMessageJobs } from '#cards/messages/jobs.ts';
import { cardOperations } from '#cards/routes.ts';
import { cardSource } from '#cards/transaction-store.ts';
import { cardFundingWebhook, cardStatusWebhook, cardTransactionWebhook } from '#cards/webhooks.ts';
import type { ListedOrigin } from '#crypto/webauthn.ts';
import { customerErased } from '#customers/announcements.ts';
import { bulkUploadWebhook } from '#customers/bulk/events.ts';
import { importJobs } from '#customers/bulk/jobs.ts';
import { bulkOperations } from '#customers/bulk/routes.ts';
import { eraseReference } from '#customers/bulk/store.ts';
import { contactVerificationOperations } from '#customers/contact-routes.ts';
import { customerWebhook } from '#customers/events.ts';
import { customerJobs } from '#customers/jobs.ts';
import { beneficialOwnerOperations } from '#customers/owners/routes.ts';
import type { CustomerPolicy } from '#customers/policy.ts';
import { customerOperations } from '#customers/routes.ts';
import type { Database } from '#database/database.ts';
import { documentOperations } from '#documents/routes.ts';
import { emitTest } from '#events/emit.ts';
import type { Decisions, Renderers } from '#events/handlers.ts';
import { on, type Subscription } from '#events/reactions.ts';
import { externalAccountWebhook } from '#external-accounts/events.ts';
import { externalAccountJobs } from '#external-accounts/jobs.ts';
import { externalAccountReactions } from '#external-accounts/reactions.ts';
import { receiverOperations } from '#external-accounts/receiver-routes.ts';
import { externalAccountOperations } from '#external-accounts/routes.ts';
import { trustOperations } from '#external-accounts/trust-routes.ts';
import { type Authenticators, createAuthenticate } from '#http/access.ts';
import type { Gate } from '#http/gates.ts';
import { purgeKeys } from '#http/idempotency-store.ts';
import { openApiDocument, type WebhookDeclaration } from '#http/openapi.ts';
import type { NamedOperation } from '#http/operation.ts';
import type { Perform } from '#http/perform.ts';
import type { FindSigners } from '#http/signed-retry.ts';
import { purgeRequests } from '#http/signed-retry-store.ts';
import { invitationWebhook } from '#invitations/events.ts';
import { invitationReactions } from '#invitations/reactions.ts';
import { invitationOperations } from '#invitations/routes.ts';
import type { JobHandlers } from '#jobs/handlers.ts';
import { type Purge, purgeHandler } from '#jobs/purge.ts';
import type { Worker } from '#jobs/worker.ts';
import { rollUpAfter } from '#ledger/store.ts';
import type { WireNames } from '#lib/wire-names.ts';
import { onboardingJobs } from '#onboarding/jobs.ts';
import { onboardingReactions } from '#onboarding/reactions.ts';
import { onboardingOperations } from '#onboarding/routes.ts';
import type { SandboxReach } from '#outbound/addresses.ts';
import { authorizationOperations } from '#payments/authorization/routes.ts';
import { renderPaymentEvents } from '#payments/events.ts';
import type { PaymentParts } from '#payments/execution/store.ts';
import { decideOffer, UMA_APPROVAL } from '#payments/incoming/decide.ts';
import { incomingJobs } from '#payments/incoming/jobs.ts';
import { quoteJobs } from '#payments/quotes/end-overdue.ts';
import { quoteOperations } from '#payments/quotes/routes.ts';
import { paymentReactions } from '#payments/reactions/reactions.ts';
import { settlementJobs } from '#payments/settlement/jobs.ts';
import { transactionJobs } from '#payments/transactions/cancel-transaction.ts';
import { transactionOperations } from '#payments/transactions/routes.ts';
import type { TransactionSource } from '#payments/transactions/sources.ts';
import { paymentSource } from '#payments/transactions/store.ts';
import { transferOperations } from '#payments/transfers/routes.ts';
import { incomingPaymentWebhook, outgoingPaymentWebhook } from '#payments/webhooks.ts';
import { webhookEndpointChanged } from '#platform/announcements.ts';
import type { ServiceDomains } from '#platform/change-config.ts';
import { platformOperations } from '#platform/routes.ts';
import { loadSendingTerms } from '#platform/store.ts';
import type { KnownProviders } from '#platform/uma-providers.ts';
import { pricingOperations } from '#pricing/routes.ts';
import { sandboxCardOperations } from '#sandbox/card-routes.ts';
import { clockOperations } from '#sandbox/clock-routes.ts';
import { sandboxFundOperations } from '#sandbox/fund-routes.ts';
import { sandboxMessageOperations } from '#sandbox/message-routes.ts';
import { sandboxSendOperations } from '#sandbox/send-routes.ts';
import { eraseMessages } from '#sandbox/store.ts';
import { sandboxUmaReceiveOperations } from '#sandbox/uma-receive-routes.ts';
import { sandboxUmaProvider } from '#sandbox/uma-table.ts';
import { purgeChallenges, purgeCodeSends } from '#sca/challenge-store.ts';
import { challengeJobs } from '#sca/challenges.ts';
import { purgeEnrollments } from '#sca/enrollment-store.ts';
import { scaReactions } from '#sca/reactions.ts';
import { resetJobs } from '#sca/reset-factor.ts';
import { purgeResets } from '#sca/reset-store.ts';
import { scaOperations } from '#sca/routes.ts';
import { purgeScaSessions } from '#sca/standing-store.ts';
import { tokenOperations } from '#tokens/routes.ts';
import { contentJobs } from '#uploads/contents.ts';
import { verificationWebhook } from '#verification/events.ts';
import { verificationJobs } from '#verification/jobs.ts';
import { verificationReactions } from '#verification/reactions.ts';
import { verificationOperations } from '#verification/routes.ts';
import { contactGate } from '#wallet-auth/contact-gate.ts';
import { purgeLimits } from '#wallet-auth/limit-store.ts';
import { purgeOtps } from '#wallet-auth/otp-store.ts';
import { provisionJobs, walletReactions } from '#wallet-auth/provision-wallets.ts';
import { walletAuthOperations } from '#wallet-auth/routes.ts';
import { otpJobs } from '#wallet-auth/send-otp.ts';
import { findSigners, purgeSessions } from '#wallet-auth/session-store.ts';
import type { Deliverer } from '#webhooks/deliverer.ts';
import { purgeAttempts, purgeEvents } from '#webhooks/log-store.ts';
import { webhookOperations } from '#webhooks/routes.ts';
import { testWebhook } from '#webhooks/test-declaration.ts';

/** What some operations need beside their transaction. */
export interface OperationParts {
  readonly domains: ServiceDomains;
  readonly sandboxReach?: SandboxReach | undefined;
  readonly names: WireNames;
  readonly policy: CustomerPolicy;
  readonly deliverer: Deliverer;
  readonly worker: Worker;
  readonly payments: PaymentParts;
  readonly transactionSources: readonly TransactionSource[];
  /** Origins of passkeys that are no web pages, by the operator's setting. */
  readonly passkeyOrigins?: readonly ListedOrigin[] | undefined;
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
  passkeyOrigins,
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
    ...externalAccountOperations({ serviceName: names.word }),
    ...trustOperations,
    ...receiverOperations(domains),
    ...quoteOperations(payments, { domains, serviceName: names.word }),
    ...authorizationOperations,
    ...transactionOperations(transactionSources),
    ...transferOperations,
    ...cardOperations,
    ...invitationOperations(policy),
    ...webhookOperations(deliverer),
    ...clockOperations(worker),
    ...sandboxMessageOperations,
    ...sandboxFundOperations,
    ...sandboxSendOperations,
    ...sandboxUmaReceiveOperations(domains.sandboxUmaDomains),
    ...sandboxCardOperations,
  ];
}

/** The providers that are built in; others come from the directory. */
function umaProvidersOf({ sandboxUmaDomains }: ServiceDomains): KnownProviders {
  return { SANDBOX: sandboxUmaDomains.map(sandboxUmaProvider), PRODUCTION: [] };
}

/** The tables that transactions are kept in; `GET /transactions` shows their rows in one order. */
export const TRANSACTION_SOURCES: readonly TransactionSource[] = [paymentSource, cardSource];

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
  invitationWebhook,
  testWebhook,
];

/** Who reacts to what, and in which order. */
export function listReactions({ word }: WireNames): Subscription[] {
  return [
    on(webhookEndpointChanged, async (tx) => void emitTest(tx)),
    // Before the accounts are closed: a payment in progress prevents that.
    ...paymentReactions,
    ...scaReactions,
    ...accountReactions({ serviceName: word }),
    ...walletReactions,
    ...externalAccountReactions,
    on(customerErased, (tx, { customer }) => eraseReference(tx, customer.platform_customer_id)),
    on(customerErased, (tx, { customer }) => eraseMessages(tx, customer.id)),
    ...verificationReactions,
    ...onboardingReactions,
    ...invitationReactions,
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
  purgeAttempts,
  purgeEvents,
  purgeAuditRows,
];

export function listJobs({ policy }: Pick<JobParts, 'policy'>): JobHandlers {
  return {
    ...purgeHandler(PURGES, rollUpAfter),
    ...contentJobs,
    ...customerJobs,
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
    ...quoteJobs,
    ...settlementJobs,
    ...transactionJobs,
    ...incomingJobs,
    [PROVISION_JOB]: provisionHandler,
  };
}

/** Everything the service consists of; app.ts puts it together. */
export interface Parts {
  operations(parts: OperationParts): NamedOperation[];
  jobs(parts: JobParts): JobHandlers;
  reactions(names: WireNames): Subscription[];
  readonly transactionSources: readonly TransactionSource[];
  readonly webhooks: readonly WebhookDeclaration[];
  readonly renderers: Renderers;
  readonly decisions: Decisions;
  /** What may come between the `prepare` of an operation and its commit, in this order. */
  readonly gates: readonly Gate[];
  /** Whose signature counts for a wallet. */
  readonly findSigners: FindSigners;
  authenticators(database: Database): Authenticators;
}

export const PARTS: Parts = {
  operations: listOperations,
  jobs: listJobs,
  reactions: listReactions,
  transactionSources: TRANSACTION_SOURCES,
  webhooks: WEBHOOKS,
  renderers: RENDERERS,
  decisions: DECISIONS,
  gates: [contactGate],
  findSigners,
  authenticators: (database) => ({ token: createAuthenticate(database) }),
};

/** The OpenAPI document without a database behind it. */
export function describeApi(names: WireNames, domains: ServiceDomains): Record<string, unknown> {
  // Only the declarations are read and no handler is called, so the other parts can be left out.
  return openApiDocument(listOperations({ domains, names } as OperationParts), WEBHOOKS, names);
}
