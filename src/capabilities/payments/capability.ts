import type { Capability } from '#capabilities/capability.ts';
import { debts, overduePayments, paymentsByHand, suspendedMoney } from '#capabilities/payments/attention.ts';
import { authorizationOperations } from '#capabilities/payments/authorization/routes.ts';
import { hashReference, hashUma } from '#capabilities/payments/details.ts';
import { paymentDeadlines } from '#capabilities/payments/due-store.ts';
import {
  incomingPaymentWebhook,
  outgoingPaymentWebhook,
  renderPaymentEvents,
} from '#capabilities/payments/events.ts';
import type { PaymentParts } from '#capabilities/payments/execution/store.ts';
import { paymentExplainer } from '#capabilities/payments/explanation/explain-payment.ts';
import { decideOffer, UMA_APPROVAL } from '#capabilities/payments/incoming/decide.ts';
import { incomingJobs } from '#capabilities/payments/incoming/jobs.ts';
import { JOURNAL_CHECKS } from '#capabilities/payments/journal-checks.ts';
import { PAYMENT_CHECKS } from '#capabilities/payments/ledger-checks.ts';
import { paymentOperations } from '#capabilities/payments/operator/operator-changes.ts';
import { paymentRecords } from '#capabilities/payments/operator/payment-records.ts';
import { QUOTE_LIST, QUOTE_SHOW } from '#capabilities/payments/operator/quote-records.ts';
import { SUSPENSE_LIST } from '#capabilities/payments/operator/suspense-records.ts';
import { quoteJobs } from '#capabilities/payments/quotes/end-overdue.ts';
import { quoteOperations } from '#capabilities/payments/quotes/routes.ts';
import { paymentReactions } from '#capabilities/payments/reactions/reactions.ts';
import { sealStoredJobs } from '#capabilities/payments/seal-stored.ts';
import { settlementJobs } from '#capabilities/payments/settlement/jobs.ts';
import { transactionJobs } from '#capabilities/payments/transactions/cancel-transaction.ts';
import type { PaymentDecider } from '#capabilities/payments/transactions/decide-payment.ts';
import { transactionOperations } from '#capabilities/payments/transactions/routes.ts';
import type { TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import { paymentSource } from '#capabilities/payments/transactions/store.ts';
import { transferOperations } from '#capabilities/payments/transfers/routes.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import { recordOperations } from '#foundation/records/operations.ts';

interface Parts {
  readonly payments: PaymentParts;
  readonly domains: ServiceDomains;
  readonly names: WireNames;
  readonly transactionSources: readonly TransactionSource[];
  readonly paymentDeciders: readonly PaymentDecider[];
}

export const payments = {
  name: 'payments',
  operations: (parts: Parts) => [
    ...quoteOperations(parts.payments, { domains: parts.domains, serviceName: parts.names.word }),
    ...authorizationOperations,
    ...transactionOperations({
      sources: parts.transactionSources,
      deciders: parts.paymentDeciders,
      payments: parts.payments,
    }),
    ...transferOperations,
  ],
  operatorOperations({ transactionSources: sources }: Parts) {
    const { list, show } = paymentRecords(sources);
    const lists = [list, QUOTE_LIST, SUSPENSE_LIST];
    return [...recordOperations(lists, [show, QUOTE_SHOW]), ...paymentOperations({ sources })];
  },
  jobs: { ...quoteJobs, ...settlementJobs, ...transactionJobs, ...incomingJobs, ...sealStoredJobs },
  dueSources: paymentDeadlines,
  reactions: paymentReactions,
  webhooks: [outgoingPaymentWebhook, incomingPaymentWebhook],
  renderers: { OUTGOING_PAYMENT: renderPaymentEvents, INCOMING_PAYMENT: renderPaymentEvents },
  decisions: { [UMA_APPROVAL]: decideOffer },
  ledgerChecks: [...PAYMENT_CHECKS, ...JOURNAL_CHECKS],
  attention: [overduePayments, paymentsByHand, suspendedMoney, debts],
  transactionSource: paymentSource,
  explainer: paymentExplainer,
  searchPlaces: [
    { type: 'Quote', table: 'transactions', id: 'quote_id', where: 't.quote_id is not null' },
    {
      type: 'Transaction',
      table: 'transactions',
      texts: {
        reference: [{ column: 'reference_hash', hash: hashReference }, { column: 'reference' }],
        refundReference: { column: 'refund_reference' },
      },
      operatorTexts: {
        umaAddress: [
          { column: 'source_uma_hash', hash: hashUma },
          { column: 'destination_uma_hash', hash: hashUma },
        ],
      },
    },
    {
      ...{ type: 'Transaction', table: 'payment_bank_references', id: 'transaction_id', uuids: {} },
      operatorTexts: { bankReference: { column: 'bank_reference' } },
    },
  ],
} satisfies Capability;
