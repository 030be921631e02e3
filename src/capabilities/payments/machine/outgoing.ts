import type { PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import { followKey, JOB } from '#capabilities/payments/machine/jobs.ts';
import { draftMirror } from '#capabilities/payments/machine/mirror.ts';
import type { Facts, NoticeOf } from '#capabilities/payments/machine/notice.ts';
import * as postings from '#capabilities/payments/machine/postings.ts';
import { startRefund, unwind } from '#capabilities/payments/machine/refund.ts';
import { countVolume } from '#capabilities/payments/machine/volume.ts';
import {
  externalReceiver,
  feeAccount,
  internalDestination,
  isOpenQuote,
  type OutgoingFailure,
  payerAccount,
  type RefundReason,
  refundAmount,
} from '#capabilities/payments/row.ts';
import { endOfSecond } from '#foundation/lib/clock.ts';

/** The rows of money.md §4's table of outgoing transactions; table.ts defines when each applies. */

/** `PENDING` → `PROCESSING`: executed from an internal account. */
export function executeFromBalance(draft: PaymentDraft, facts: Facts): void {
  const { row, now } = draft;
  draft.post('payment.executed', postings.execute(row));
  draft.requireActiveAccount(payerAccount(row));
  requireReceiver(draft);
  draft.set({ executed_at: now, taken_at: now });
  countVolume(draft, facts);
  startProcessing(draft, facts);
  startPayout(draft, facts);
}

/** `PENDING` → `PROCESSING`: executed from an external account; no money moves until it is collected. */
export function executeByPull(draft: PaymentDraft, facts: Facts): void {
  const { row, now } = draft;
  requireReceiver(draft);
  draft.set({ executed_at: now });
  countVolume(draft, facts);
  startProcessing(draft, facts);
  if (facts.knownCollectionFailure === undefined) draft.schedule(JOB.collect, row.id, { afterMs: 0 });
  else collectionFailed(draft);
}

/** money.md §2.5. */
export const QUOTE_LIFETIME_MS = 5 * 60_000;

export function scheduleExpiry(draft: PaymentDraft): void {
  const { expires_at: expiresAt } = draft.row;
  if (isOpenQuote(draft.row) && expiresAt !== null) scheduleBySecond(draft, JOB.expire, expiresAt);
}

/** One job covers all payments of the same second, so a payment that proceeds has no job to cancel. */
export function scheduleBySecond(draft: PaymentDraft, job: string, at: Date): void {
  const dueAt = endOfSecond(at);
  draft.schedule(job, dueAt.toISOString(), { dueAt });
}

/** `PENDING` → `PROCESSING`: exactly the quoted amount arrived. The receiver may have been deleted by then. */
export function funded(draft: PaymentDraft, notice: NoticeOf<'funded'>, facts: Facts): void {
  if (facts.isReceiverGone) {
    refundFunding(draft, notice, facts);
    return;
  }
  takeFunding(draft, notice);
  requireReceiver(draft);
  countVolume(draft, facts);
  startProcessing(draft, facts);
  startPayout(draft, facts);
}

/** `PENDING` → `FAILED` with a refund: a wrong amount, the daily volume exceeded, or the receiver deleted. */
export function refundFunding(
  draft: PaymentDraft,
  notice: NoticeOf<'funded' | 'fundedOverLimit'>,
  facts: Facts,
): void {
  takeFunding(draft, notice);
  const reason = chooseFundingFailure(draft, notice, facts);
  // If the receiver is deleted at the same moment, the payment fails for that reason.
  if (reason === 'LIMIT_EXCEEDED') requireReceiver(draft);
  draft.set({ status: 'FAILED', failure_reason: reason });
  draft.emit('FAILED');
  startRefund(draft, 'TRANSACTION_FAILED', notice.amount, facts);
}

function chooseFundingFailure(
  { row }: PaymentDraft,
  { amount }: NoticeOf<'funded' | 'fundedOverLimit'>,
  { isReceiverGone }: Facts,
): OutgoingFailure {
  if (amount !== row.sending_amount) return 'FUNDING_AMOUNT_MISMATCH';
  return isReceiverGone ? 'ACCOUNT_CANNOT_RECEIVE' : 'LIMIT_EXCEEDED';
}

/** The pull that feeds this payment was collected (L5); the payout starts. */
export function collected(draft: PaymentDraft, notice: NoticeOf<'collected'>, facts: Facts): void {
  const { row, now } = draft;
  const rail = postings.railThrough(postings.fundingRailOf(row), notice);
  draft.post('payment.collected', postings.fund(row, rail, row.sending_amount));
  draft.set({ taken_at: now });
  convert(draft, facts);
  startPayout(draft, facts);
}

/** The pull that feeds this payment failed: nothing was collected, so nothing is refunded (money.md §9.2). */
export function collectionFailed(draft: PaymentDraft): void {
  draft.cancel(JOB.collect, draft.row.id);
  draft.cancel(JOB.follow, followKey(draft.row.id, 'collect'));
  draft.set({ status: 'FAILED', failure_reason: 'QUOTE_EXECUTION_FAILED', pending_reason: null });
  draft.emit('FAILED');
}

/** The money that fed this payment was taken back: the owner owes it, whatever happened to the payment. */
export function collectionReversed(
  draft: PaymentDraft,
  notice: NoticeOf<'collectionReversed'>,
  facts: Facts,
): void {
  const { row } = draft;
  if (facts.isCollectionReversed) return;
  // Funds of another amount than the quote's were refunded as a whole.
  const isOther = row.failure_reason === 'FUNDING_AMOUNT_MISMATCH';
  const amount = isOther ? refundAmount(row) : row.sending_amount;
  const rail = postings.railThrough(postings.fundingRailOf(row), notice);
  draft.post('collection.reversed', postings.oweCollection(row, rail, amount, facts.ownerReceivable));
}

/** `PENDING` → `PROCESSING`: the rail accepted a transfer. */
export function pickedUp(draft: PaymentDraft): void {
  draft.set({ status: 'PROCESSING' });
  draft.emit('PROCESSING');
}

/** `PROCESSING` → `COMPLETED`. The payout fails if an internal account is not active, or cannot hold the amount. */
export function delivered(draft: PaymentDraft, notice: NoticeOf<'delivered'>, facts: Facts): void {
  if (draft.row.status === 'PENDING') pickedUp(draft);
  const { row, now } = draft;
  const account = internalDestination(row);
  if (account !== null && !(facts.canReceive(account) && facts.canHold(account, row.receiving_amount))) {
    fail(draft, 'ACCOUNT_CANNOT_RECEIVE', 'TRANSACTION_FAILED', facts);
    return;
  }
  const receiver =
    account === null
      ? { rail: postings.railThrough(postings.payoutRailOf(row), notice) }
      : { internal: account, debt: facts.debtOf(account) };
  if ('internal' in receiver) draft.requireActiveAccount(receiver.internal);
  draft.post(
    'payment.delivered',
    postings.deliver(row, receiver, row.fee_account ? facts.debtOf(row.fee_account) : undefined),
  );
  draft.set({
    status: 'COMPLETED',
    settled_at: now,
    pending_reason: null,
    payout_hash: notice.transactionHash ?? row.payout_hash,
  });
  draft.emit('COMPLETED');
  const mirror = draftMirror(draft.row, now, facts);
  if (mirror) draft.addOther(mirror);
}

/** `PROCESSING` → `FAILED`, and the refund of the money that was taken. */
export function payoutFailed(draft: PaymentDraft, notice: NoticeOf<'payoutFailed'>, facts: Facts): void {
  fail(draft, notice.reason, notice.timedOut ? 'TIMEOUT' : 'TRANSACTION_FAILED', facts);
}

/** `COMPLETED` → `FAILED`: the bank returned the payout. The platform's fee is clawed back. */
export function returnedAfterDelivery(draft: PaymentDraft, notice: NoticeOf<'returned'>, facts: Facts): void {
  const { row } = draft;
  const fee = feeAccount(row);
  const feeClawback = fee === undefined ? undefined : facts.clawbackFrom(fee);
  const rail = postings.railThrough(postings.payoutRailOf(row), notice);
  draft.post('payment.returned', postings.returnPayout(row, rail, feeClawback));
  fail(draft, 'PAYOUT_RETURNED', 'TRANSACTION_FAILED', facts);
}

/** `PROCESSING` → `FAILED`: the return arrived before the delivery, so nothing has to be clawed back. */
export function returnedBeforeDelivery(draft: PaymentDraft, facts: Facts): void {
  fail(draft, 'PAYOUT_RETURNED', 'TRANSACTION_FAILED', facts);
}

/** Stays `PROCESSING`: the rail accepted a cancellation. The payment ends when its refund does. */
export function cancelled(draft: PaymentDraft, facts: Facts): void {
  if (draft.row.status === 'PENDING') pickedUp(draft);
  const { row } = draft;
  stopPayout(draft);
  unwind(draft);
  draft.set({ pending_reason: null });
  startRefund(draft, 'USER_CANCELLATION', row.sending_amount, facts);
}

/** `PENDING` → `EXPIRED`. */
export function expired(draft: PaymentDraft): void {
  draft.set({ status: 'EXPIRED' });
  if (draft.row.type === 'OUTGOING') draft.emit('EXPIRED');
}

/** `PENDING` → `FAILED`: the corridor has been withdrawn (money.md §3.3). */
export function rateUnavailable(draft: PaymentDraft): void {
  // The contract has no such reason for incoming transactions.
  const reason = draft.row.type === 'OUTGOING' ? 'QUOTE_RATE_UNAVAILABLE' : 'QUOTE_EXECUTION_FAILED';
  draft.set({ status: 'FAILED', failure_reason: reason });
  draft.emit('FAILED');
}

/**
 * Money is on its way from now on: the receiver's internal account must not be closed, and the receiver not be deleted.
 */
export function requireReceiver(draft: PaymentDraft): void {
  const [account, customer] = [internalDestination(draft.row), externalReceiver(draft.row)];
  if (account !== null) draft.requireOpenAccount(account);
  if (customer !== null) draft.requireLiveCustomer(customer);
}

/** L6 is posted on entering `PROCESSING` if the payer's money has been taken, and otherwise when it is collected. */
export function startProcessing(draft: PaymentDraft, facts: Facts): void {
  if (draft.row.taken_at !== null) convert(draft, facts);
  draft.set({ status: 'PROCESSING' });
  draft.emit('PROCESSING');
}

/** Skipped if the payout is known to fail, because one transition does not post an entry and its reversal. */
function convert(draft: PaymentDraft, facts: Facts): void {
  if (facts.knownPayoutFailure === undefined) draft.post('payment.converted', postings.convert(draft.row));
}

/** Schedules the payout for after the commit, unless it is known to fail. */
export function startPayout(draft: PaymentDraft, facts: Facts): void {
  if (facts.knownPayoutFailure === undefined) draft.schedule(JOB.pay, draft.row.id, { afterMs: 0 });
  else fail(draft, facts.knownPayoutFailure, 'TRANSACTION_FAILED', facts);
}

function fail(draft: PaymentDraft, reason: OutgoingFailure, refundReason: RefundReason, facts: Facts): void {
  stopPayout(draft);
  unwind(draft);
  draft.set({ status: 'FAILED', failure_reason: reason, pending_reason: null });
  draft.emit('FAILED');
  startRefund(draft, refundReason, draft.row.sending_amount, facts);
}

function stopPayout(draft: PaymentDraft): void {
  draft.cancel(JOB.pay, draft.row.id);
  draft.cancel(JOB.follow, followKey(draft.row.id, 'pay'));
}

function takeFunding(draft: PaymentDraft, notice: NoticeOf<'funded' | 'fundedOverLimit'>): void {
  const { row, now } = draft;
  const rail = postings.railThrough(postings.fundingRailOf(row), notice);
  draft.post('payment.funded', postings.fund(row, rail, notice.amount));
  draft.set({ executed_at: now, taken_at: now, funding_hash: notice.transactionHash ?? null });
}
