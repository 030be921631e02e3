import type { Draft } from '#payments/machine/draft.ts';
import { JOB } from '#payments/machine/jobs.ts';
import type { Facts } from '#payments/machine/notice.ts';
import * as postings from '#payments/machine/postings.ts';
import { refundReferenceOf } from '#payments/reference.ts';
import { isFundedByCrypto, isRefundedInside, type RefundReason, type TransactionRow } from '#payments/row.ts';

/** The refund object of money.md §4; it runs beside the transaction's own status. */

/** none → `PENDING`: money that was taken is owed back. What L6 did must have been undone before. */
export function startRefund(draft: Draft, reason: RefundReason, amount: bigint, facts: Facts): void {
  const { row, now } = draft;
  const account = refundAccountOf(row, facts);
  // One that was just looked up may be closing; what became of the payer's own is asked when it is paid back.
  if (account !== null && account !== row.source_account) draft.needsOpen(account);
  draft.post('L10', postings.oweRefund(row, amount));
  draft.set({
    refund_status: 'PENDING',
    refund_reason: reason,
    refund_reference: refundReferenceOf(facts.referencePrefix, row),
    refund_amount: amount,
    refund_account: account,
    refund_initiated_at: now,
  });
  draft.emit('REFUND_PENDING');
  draft.schedule(JOB.refund, row.id, { afterMs: 0 });
}

/**
 * `PENDING` → `COMPLETED`: the money is back, if there is an account that can take it (money.md §11.c): a frozen one
 * can. A cancelled payment is over with that.
 */
export function refunded(draft: Draft, facts: Facts): void {
  const { row, now } = draft;
  const amount = row.refund_amount ?? 0n;
  if (isRefundedInside(row) && !canTake(row.refund_account, amount, facts)) {
    refundFailed(draft);
    return;
  }
  const to =
    row.refund_account === null
      ? { rail: postings.railIn(row) }
      : { internal: row.refund_account, debt: facts.debtOf(row.refund_account) };
  draft.post('L11', postings.payRefund(row, amount, to));
  draft.set({ refund_status: 'COMPLETED', refund_settled_at: now });
  draft.emit('REFUND_COMPLETED');
  if (row.status !== 'PROCESSING') return;
  draft.set({ status: 'COMPLETED', settled_at: now, pending_reason: null });
  draft.emit('COMPLETED');
}

function canTake(accountId: string | null, amount: bigint, facts: Facts): boolean {
  return accountId !== null && !facts.isClosed(accountId) && facts.hasRoom(accountId, amount);
}

/**
 * `PENDING` → `FAILED`: it waits in SUSPENSE for a person. A cancelled payment can then not be called completed:
 * the receiver got nothing, and the payer has nothing back.
 */
export function refundFailed(draft: Draft): void {
  const { row } = draft;
  draft.post('L12', postings.suspendRefund(row, row.refund_amount ?? 0n));
  draft.set({ refund_status: 'FAILED' });
  if (row.status !== 'PROCESSING') {
    draft.emit('REFUND_FAILED');
    return;
  }
  draft.set({ status: 'FAILED', failure_reason: 'QUOTE_EXECUTION_FAILED', pending_reason: null });
  draft.emit('FAILED');
  draft.emit('REFUND_FAILED');
}

/** L9: the exact mirror of what L6 did, if it did anything. */
export function unwind(draft: Draft): void {
  const { row } = draft;
  const isConverted = row.inflight_sent !== row.sending_amount;
  if (isConverted) draft.reverse('L9', 'L6', postings.convert(row));
}

/** Internal source → that account; crypto in real time → the owner's account; else over the rail it came from. */
function refundAccountOf(row: TransactionRow, facts: Facts): string | null {
  if (row.source_type === 'INTERNAL') return row.source_account;
  return isFundedByCrypto(row) ? (facts.cryptoRefundAccount ?? null) : null;
}
