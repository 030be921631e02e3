import assert from 'node:assert/strict';
import type { PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import type { Disturbances } from '#tests/simulator/disturbances.ts';
import type { SimulatedPayments } from '#tests/simulator/payments.ts';

/**
 * Notices that cannot be about the payment that they reach: it has ended, or does not have that step. The model sends
 * only some of them; here every kind is sent to every payment, and must not change it.
 */
const NOTICES: readonly PaymentNotice[] = [
  { kind: 'executed' },
  { kind: 'authorizationRequired', by: new Date(8.64e15) },
  { kind: 'authorized' },
  { kind: 'authorizedOverLimit' },
  { kind: 'authorizationLapsed' },
  { kind: 'funded', amount: 1n },
  { kind: 'fundedOverLimit', amount: 1n },
  { kind: 'rateUnavailable' },
  { kind: 'expired' },
  { kind: 'approved' },
  { kind: 'rejected' },
  { kind: 'approvalFailed', reason: 'PAY_REQUEST_FAILED' },
  { kind: 'submitted' },
  { kind: 'approvalLapsed' },
  { kind: 'takenBack', reason: 'OFFRAMP_FAILED' },
  { kind: 'accepted' },
  { kind: 'delivered' },
  { kind: 'payoutFailed', reason: 'ACCOUNT_INVALID' },
  { kind: 'returned' },
  { kind: 'collected' },
  { kind: 'collectionFailed' },
  { kind: 'collectionReversed' },
  { kind: 'cancelled' },
  { kind: 'refunded' },
  { kind: 'refundFailed' },
  { kind: 'held' },
  { kind: 'released' },
  { kind: 'arrived' },
  { kind: 'complianceRejected' },
];

const OF_UMA_ONLY = ['approved', 'approvalFailed', 'arrived', 'complianceRejected'];
const OF_QUOTES_ONLY = ['authorizationRequired', 'authorized', 'authorizedOverLimit', 'authorizationLapsed'];
const OF_OPEN_QUOTES = ['expired', 'rateUnavailable', 'funded', 'fundedOverLimit', 'authorizationRequired'];
const OF_WAITING = ['authorized', 'authorizedOverLimit', 'authorizationLapsed'];

/** How many notices are drawn after a step. */
const PER_STEP = 3;

/** Sends drawn notices to one payment, as far as they must not change it. */
export function sendStrayNotices(
  payments: SimulatedPayments,
  row: TransactionRow,
  disturbances: Disturbances,
): void {
  for (let n = 0; n < PER_STEP; n++) {
    const notice = NOTICES[disturbances.draw(NOTICES.length - 1)] as PaymentNotice;
    if (isStray(row, notice)) assertIgnored(payments, row, notice);
  }
}

function assertIgnored(payments: SimulatedPayments, row: TransactionRow, notice: PaymentNotice): void {
  const isChanged = payments.changes(row, notice);
  assert.ok(!isChanged, `money.md §4: "${notice.kind}" changes a ${row.kind} that is ${row.status}`);
}

/** money.md §4, stated independently: whether a notice cannot be about a payment in this state. */
function isStray(row: TransactionRow, { kind }: PaymentNotice): boolean {
  const { status, refund_status: refund, executed_at: executedAt } = row;
  if (isOver(row)) return kind !== 'collectionReversed';
  if (OF_UMA_ONLY.includes(kind) && row.kind !== 'UMA') return true;
  if (OF_QUOTES_ONLY.includes(kind) && row.kind !== 'QUOTE') return true;
  if (OF_WAITING.includes(kind)) return status !== 'PENDING_AUTHORIZATION';
  if (kind === 'takenBack') return row.kind !== 'MIRROR';
  if (kind.startsWith('refund')) return refund !== 'PENDING';
  const isOpenQuote = row.kind === 'QUOTE' && status === 'PENDING' && executedAt === null;
  if (OF_OPEN_QUOTES.includes(kind)) return !isOpenQuote;
  if (kind === 'executed') return !isOpenQuote || row.source.kind === 'REALTIME';
  // Money that was paid in can be taken back, too.
  if (kind === 'collectionReversed' && row.source.kind === 'REALTIME') return executedAt === null;
  if (kind.startsWith('collect')) return row.source.kind !== 'EXTERNAL' || executedAt === null;
  if (kind === 'submitted') return row.agent_id === null;
  const isMoved = executedAt !== null && row.kind !== 'DEPOSIT' && row.kind !== 'MIRROR';
  return (
    ['delivered', 'payoutFailed', 'returned', 'cancelled', 'accepted', 'held'].includes(kind) && !isMoved
  );
}

/** It has ended, and its refund as well; a delivery may still be returned. */
function isOver({ status, refund_status: refund }: TransactionRow): boolean {
  if (status === 'EXPIRED' || status === 'REJECTED') return true;
  return refund !== 'PENDING' && (status === 'FAILED' || (status === 'COMPLETED' && refund !== null));
}
