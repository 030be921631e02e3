import { openPrivate } from '#capabilities/payments/details.ts';
import { type FailureReason, isPastAuthorization, type TransactionRow } from '#capabilities/payments/row.ts';
import { buildCollection, buildPayout } from '#capabilities/payments/settlement/orders.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Failure, ItemActor } from '#foundation/explanation/explanation.ts';
import type { Cause } from '#foundation/ports/explanations.ts';

interface FailureWords {
  readonly sentence: string;
  readonly rule: string;
  /** The party that reported or caused it. */
  readonly by: ItemActor['kind'];
}

/** Each failure reason as a sentence, with its rule. */
export const FAILURES: Readonly<Record<FailureReason, FailureWords>> = {
  QUOTE_EXPIRED: {
    sentence: 'The quote was not executed in time.',
    rule: 'money.md §3.1',
    by: 'SERVICE',
  },
  QUOTE_RATE_UNAVAILABLE: {
    sentence: 'The corridor was withdrawn after the quote was created, so the quote could not be executed.',
    rule: 'money.md §3.3',
    by: 'SERVICE',
  },
  QUOTE_EXECUTION_FAILED: {
    sentence: 'The payment failed on its way to the receiver.',
    rule: 'money.md §4.6',
    by: 'RAIL',
  },
  FUNDING_AMOUNT_MISMATCH: {
    sentence: 'The amount that arrived differs from the amount of the quote.',
    rule: 'money.md §4.1',
    by: 'CUSTOMER',
  },
  SCA_NOT_COMPLETED: {
    sentence: 'The customer did not authorize the payment in time, or the challenge was voided.',
    rule: 'customers.md §7.10d',
    by: 'SERVICE',
  },
  PAYOUT_RETURNED: {
    sentence: 'The receiver’s bank sent the money back after the payment had been completed.',
    rule: 'money.md §4.1',
    by: 'RAIL',
  },
  LIMIT_EXCEEDED: {
    sentence: 'The payment would have exceeded the corridor’s daily limit.',
    rule: 'money.md §8.2',
    by: 'SERVICE',
  },
  ACCOUNT_CANNOT_RECEIVE: {
    sentence: 'The receiver’s account cannot be credited.',
    rule: 'money.md §4.6',
    by: 'RAIL',
  },
  ACCOUNT_INVALID: {
    sentence: 'The receiver’s account is closed or does not exist.',
    rule: 'money.md §4.6',
    by: 'RAIL',
  },
  COMPLIANCE_REJECTED: {
    sentence: 'A compliance review rejected the payment.',
    rule: 'money.md §4.6',
    by: 'RAIL',
  },
  LIGHTNING_PAYMENT_FAILED: {
    sentence: 'The Lightning payment failed.',
    rule: 'money.md §4.6',
    by: 'RAIL',
  },
  COUNTERPARTY_POST_TX_FAILED: {
    sentence: 'The receiver’s provider reported a failure.',
    rule: 'money.md §4.6',
    by: 'RAIL',
  },
  LNURLP_FAILED: {
    sentence: 'The sender’s provider could not look up the receiver.',
    rule: 'money.md §7.2',
    by: 'RAIL',
  },
  PAY_REQUEST_FAILED: {
    sentence: 'The platform’s webhook endpoint answered 422 when it was asked whether to accept the payment.',
    rule: 'money.md §7.2',
    by: 'RECEIVER',
  },
  PAYMENT_APPROVAL_WEBHOOK_ERROR: {
    sentence: 'The platform’s webhook endpoint failed when it was asked whether to accept the payment.',
    rule: 'money.md §7.2',
    by: 'RECEIVER',
  },
  PAYMENT_APPROVAL_TIMED_OUT: {
    sentence: 'The platform did not decide in time whether to accept the payment.',
    rule: 'money.md §7.2',
    by: 'SERVICE',
  },
  OFFRAMP_FAILED: {
    sentence: 'The receiver’s account could not be credited, or its bank returned the money.',
    rule: 'money.md §7.4',
    by: 'RAIL',
  },
  MISSING_MANDATORY_PAYEE_DATA: {
    sentence: 'The platform accepted the payment without the required data about the receiver.',
    rule: 'money.md §7.2',
    by: 'RECEIVER',
  },
  COLLECTION_FAILED: {
    sentence: 'The money could not be collected from the external account, or the collection was reversed.',
    rule: 'money.md §9.2',
    by: 'RAIL',
  },
};

/** Failures that a rail decides, which a value in the sandbox may have caused. */
const BY_RAILS: ReadonlySet<FailureReason> = new Set<FailureReason>([
  'QUOTE_EXECUTION_FAILED',
  'PAYOUT_RETURNED',
  'ACCOUNT_CANNOT_RECEIVE',
  'ACCOUNT_INVALID',
  'COMPLIANCE_REJECTED',
  'OFFRAMP_FAILED',
  'COLLECTION_FAILED',
]);

export function failureOf(tx: ReadTx, row: TransactionRow): Failure | undefined {
  const reason = row.failure_reason ?? (isPastAuthorization(row, tx.now) ? 'SCA_NOT_COMPLETED' : undefined);
  if (!reason) return undefined;
  const { sentence, rule } = FAILURES[reason];
  // An agent's transfer that was never approved fails with a reason of rails, though none was asked.
  const isByRail = BY_RAILS.has(reason) && row.executed_at !== null;
  return { reason, sentence, rule, causedBy: isByRail ? causeOf(tx, row) : undefined };
}

/** The value that decides what the rails do with a payment: a pull is decided first (money.md §9.2). */
export function causeOf(tx: ReadTx, row: TransactionRow): Cause | undefined {
  const { explanations } = tx.ports;
  const isCollected = row.source.kind !== 'EXTERNAL' || row.taken_at !== null;
  if (!isCollected) return explanations.causeOfCollection(buildCollection(openPrivate(tx.vault, row), row));
  const isPaidOut = row.type === 'OUTGOING' || row.kind === 'UMA';
  return isPaidOut ? explanations.causeOfPayout(buildPayout(openPrivate(tx.vault, row), row)) : undefined;
}
