import type { History } from '#capabilities/payments/explanation/history.ts';
import { JOB } from '#capabilities/payments/machine/jobs.ts';
import { internalDestination, type TransactionRow } from '#capabilities/payments/row.ts';
import type { Challenge } from '#capabilities/sca/challenges/store.ts';
import type { Item } from '#foundation/explanation/explanation.ts';
import { becauseOf } from '#foundation/explanation/words.ts';
import { type OwnCurrencies, sayAmount } from '#foundation/lib/currencies.ts';
import type { Cause } from '#foundation/ports/explanations.ts';

interface OrderFacts {
  readonly history: History;
  readonly own: OwnCurrencies;
  /** The kinds of its jobs that are still in the queue. */
  readonly due: ReadonlySet<string>;
  /** The value that decides what the rail does. */
  readonly cause: Cause | undefined;
}

/** The orders to rails, and their answers. */
export function ordersOf(row: TransactionRow, facts: OrderFacts): Item[] {
  return [...collections(row, facts), ...payouts(row, facts), ...refundOrders(row, facts)];
}

function asked(at: Date | undefined, order: string, title: string, details: Item['details']): Item[] {
  if (!at) return [];
  return [
    { kind: 'order', at, actor: { kind: 'SERVICE' }, title, details: { order, state: 'ASKED', ...details } },
  ];
}

function answered(at: Date | undefined, order: string, answer: string, title: string): Item[] {
  if (!at) return [];
  return [
    { kind: 'order', at, actor: { kind: 'RAIL' }, title, details: { order, state: 'ANSWERED', answer } },
  ];
}

function collections(row: TransactionRow, { history, own, due, cause }: OrderFacts): Item[] {
  if (row.source.kind !== 'EXTERNAL' || due.has(JOB.collect)) return [];
  const amount = sayAmount(row.sending_amount, row.sending_currency, own);
  const refused = history.taken ? undefined : history.failed;
  return [
    ...asked(
      history.executed,
      'COLLECTION',
      `The rail was asked to collect ${amount} from the external account.${becauseOf(history.taken ? undefined : cause)}`,
      causedBy(history.taken ? undefined : cause),
    ),
    ...answered(history.taken, 'COLLECTION', 'COLLECTED', 'The rail reported that the money was collected.'),
    ...answered(
      refused,
      'COLLECTION',
      'FAILED',
      'The rail reported that the money could not be collected, or the order was cancelled.',
    ),
    ...answered(
      history.collectionReversed,
      'COLLECTION',
      'REVERSED',
      'The payer’s bank reversed the collection.',
    ),
  ];
}

function payouts(row: TransactionRow, { history, own, due, cause }: OrderFacts): Item[] {
  const isPaidOut = row.type === 'OUTGOING' || (row.kind === 'UMA' && internalDestination(row) === null);
  // A payout that was known to fail was never ordered.
  const wasOrdered = history.taken && history.taken.getTime() !== history.failed?.getTime();
  if (!isPaidOut || !wasOrdered || due.has(JOB.pay)) return [];
  const amount = sayAmount(row.receiving_amount, row.receiving_currency, own);
  const rail = row.details.paymentRail ?? row.details.depositRail ?? undefined;
  const via = rail === undefined ? '' : ` over ${rail}`;
  const isReturned = row.failure_reason === 'PAYOUT_RETURNED' || history.delivered !== undefined;
  const failed = history.isCancelled ? undefined : history.failed;
  return [
    ...asked(
      history.taken,
      'PAYOUT',
      `The rail was asked to pay ${amount}${via} to the receiver.${becauseOf(cause)}`,
      {
        rail,
        ...causedBy(cause),
      },
    ),
    ...answered(history.delivered, 'PAYOUT', 'DELIVERED', 'The rail reported the delivery.'),
    ...answered(
      failed,
      'PAYOUT',
      isReturned ? 'RETURNED' : 'FAILED',
      isReturned
        ? 'The rail reported that the receiver’s bank returned the money.'
        : `The rail reported that the payout failed: ${row.failure_reason}.`,
    ),
    ...answered(
      history.isCancelled ? history.refundStarted : undefined,
      'PAYOUT',
      'CANCELLED',
      'The rail accepted the cancellation.',
    ),
  ];
}

function refundOrders(row: TransactionRow, { history, own, due }: OrderFacts): Item[] {
  if (row.refund_amount === null || due.has(JOB.refund)) return [];
  const amount = sayAmount(row.refund_amount, row.sending_currency, own);
  return [
    ...asked(history.refundStarted, 'REFUND', `The rail was asked to pay back ${amount}.`, {}),
    ...answered(history.refundPaid, 'REFUND', 'PAID', 'The rail reported that the refund was paid.'),
    ...answered(
      history.refundSuspended,
      'REFUND',
      'FAILED',
      'The rail reported that the refund could not be paid.',
    ),
  ];
}

function causedBy(cause: Cause | undefined) {
  return cause ? { causedBy: cause } : {};
}

/** The text messages of an open challenge; never their text. */
export function messagesOf(challenge: Challenge | undefined): Item[] {
  if (challenge?.factor !== 'SMS_OTP') return [];
  const sent = [challenge.createdAt, ...(challenge.resentAt ? [challenge.resentAt] : [])];
  return sent.map((at, i) => ({
    kind: 'message',
    at,
    actor: { kind: 'SERVICE' },
    title:
      i === 0
        ? 'The service sent the customer a text message with a code.'
        : 'The service sent the customer the same code again.',
    rule: 'customers.md §7.10',
    details: { message: 'SCA_CODE', channel: 'SMS' },
  }));
}
