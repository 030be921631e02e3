import type { PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import { JOB } from '#capabilities/payments/machine/jobs.ts';
import type { Facts, NoticeOf } from '#capabilities/payments/machine/notice.ts';
import * as postings from '#capabilities/payments/machine/postings.ts';
import { buildRefundReference } from '#capabilities/payments/reference.ts';
import {
  accountOf,
  isFundedByCrypto,
  isRefundedInternally,
  type RefundReason,
  refundAmount,
  type TransactionRow,
} from '#capabilities/payments/row.ts';

/** The refund of money.md §4, which has its own status. */

/** none → `PENDING`: the payer's money is owed back. L6 must have been reversed already (`unwind`). */
export function startRefund(draft: PaymentDraft, reason: RefundReason, amount: bigint, facts: Facts): void {
  const { row, now } = draft;
  const account = chooseRefundAccount(row, facts);
  // An account that was just looked up may be about to close. The source account is checked when the refund is paid.
  if (account !== null && account !== accountOf(row.source)) draft.requireOpenAccount(account);
  draft.post('refund.owed', postings.oweRefund(row, amount));
  draft.set({
    refund_status: 'PENDING',
    refund_reason: reason,
    refund_reference: buildRefundReference(facts.referencePrefix, row),
    refund_amount: amount,
    refund_account: account,
    refund_initiated_at: now,
  });
  draft.emit('REFUND_PENDING');
  draft.schedule(JOB.refund, row.id, { afterMs: 0 });
}

/**
 * `PENDING` → `COMPLETED`: paid back. An internal account must be open and able to hold the amount; a frozen one is
 * credited as well (money.md §11.c). A cancelled payment becomes `COMPLETED` together with its refund.
 */
export function refunded(draft: PaymentDraft, notice: NoticeOf<'refunded'>, facts: Facts): void {
  const { row, now } = draft;
  const amount = refundAmount(row);
  if (isRefundedInternally(row) && !canTake(row.refund_account, amount, facts)) {
    refundFailed(draft);
    return;
  }
  const to =
    row.refund_account === null
      ? { rail: postings.railThrough(postings.fundingRailOf(row), notice) }
      : { internal: row.refund_account, debt: facts.debtOf(row.refund_account) };
  draft.post('refund.paid', postings.payRefund(row, amount, to));
  draft.set({ refund_status: 'COMPLETED', refund_settled_at: now });
  draft.emit('REFUND_COMPLETED');
  if (row.status !== 'PROCESSING') return;
  draft.set({ status: 'COMPLETED', settled_at: now, pending_reason: null });
  draft.emit('COMPLETED');
}

function canTake(accountId: AccountId | null, amount: bigint, facts: Facts): boolean {
  return accountId !== null && !facts.isClosed(accountId) && facts.canHold(accountId, amount);
}

/**
 * `PENDING` → `FAILED`: the money is booked to SUSPENSE for the operator. A cancelled payment then becomes `FAILED` as
 * well, because neither the receiver nor the payer has the money.
 */
export function refundFailed(draft: PaymentDraft): void {
  const { row } = draft;
  draft.post('refund.suspended', postings.suspendRefund(row, refundAmount(row)));
  draft.set({ refund_status: 'FAILED' });
  if (row.status !== 'PROCESSING') {
    draft.emit('REFUND_FAILED');
    return;
  }
  draft.set({ status: 'FAILED', failure_reason: 'QUOTE_EXECUTION_FAILED', pending_reason: null });
  draft.emit('FAILED');
  draft.emit('REFUND_FAILED');
}

/** money.md §11.L9: reverses L6, if it was posted. */
export function unwind(draft: PaymentDraft): void {
  const { row } = draft;
  const isConverted = row.inflight_sent !== row.sending_amount;
  if (isConverted) draft.reverse('payment.unwound', 'payment.converted', postings.convert(row));
}

/** The source account, or the owner's account for crypto funds. Null: refund over the rail that the money came from. */
function chooseRefundAccount(row: TransactionRow, facts: Facts): AccountId | null {
  if (row.source.kind === 'INTERNAL') return row.source.account;
  return isFundedByCrypto(row) ? (facts.cryptoRefundAccount ?? null) : null;
}
