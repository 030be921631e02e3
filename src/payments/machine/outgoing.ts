import type { Draft } from '#payments/machine/draft.ts';
import { followKey, JOB } from '#payments/machine/jobs.ts';
import { mirrorOf } from '#payments/machine/mirror.ts';
import type { Facts, NoticeOf } from '#payments/machine/notice.ts';
import * as postings from '#payments/machine/postings.ts';
import { startRefund, unwind } from '#payments/machine/refund.ts';
import { countVolume } from '#payments/machine/volume.ts';
import { internalDestination, type OutgoingFailure, paidOutside, type RefundReason } from '#payments/row.ts';

/** The rows of money.md §4's table of outgoing transactions; table.ts says when each applies. */

/** `PENDING` → `PROCESSING`: executed out of an internal account. */
export function executeFromBalance(draft: Draft, facts: Facts): void {
  const { row, now } = draft;
  draft.post('L2', postings.execute(row));
  draft.needsActive(row.source_account ?? '');
  holdReceiver(draft);
  draft.set({ executed_at: now, taken_at: now });
  countVolume(draft, facts);
  startProcessing(draft, facts);
  startPayout(draft, facts);
}

/** `PENDING` → `PROCESSING`: executed out of an account outside; nothing moves until it is collected. */
export function executeByPull(draft: Draft, facts: Facts): void {
  const { row, now } = draft;
  holdReceiver(draft);
  draft.set({ executed_at: now });
  countVolume(draft, facts);
  startProcessing(draft, facts);
  if (facts.knownCollectionFailure === undefined) draft.schedule(JOB.collect, row.id, { afterMs: 0 });
  else collectionFailed(draft);
}

/** `PENDING` → `PROCESSING`: exactly the amount arrived. Who was to get it may be gone by then. */
export function funded(draft: Draft, notice: NoticeOf<'funded'>, facts: Facts): void {
  if (facts.isReceiverGone) {
    fundedInVain(draft, notice, facts);
    return;
  }
  takeFunding(draft, notice);
  holdReceiver(draft);
  countVolume(draft, facts);
  startProcessing(draft, facts);
  startPayout(draft, facts);
}

/** `PENDING` → `FAILED` with a refund: another amount arrived, the day has no room for it, or nobody is there. */
export function fundedInVain(
  draft: Draft,
  notice: NoticeOf<'funded' | 'fundedOverLimit'>,
  facts: Facts,
): void {
  takeFunding(draft, notice);
  draft.set({ status: 'FAILED', failure_reason: whyInVain(draft, notice) });
  draft.emit('FAILED');
  startRefund(draft, 'TRANSACTION_FAILED', notice.amount, facts);
}

function whyInVain(
  { row }: Draft,
  { kind, amount }: NoticeOf<'funded' | 'fundedOverLimit'>,
): OutgoingFailure {
  if (amount !== row.sending_amount) return 'FUNDING_AMOUNT_MISMATCH';
  return kind === 'fundedOverLimit' ? 'LIMIT_EXCEEDED' : 'ACCOUNT_CANNOT_RECEIVE';
}

/** A pull that feeds this payment came in: L5, and on it goes. */
export function collected(draft: Draft, facts: Facts): void {
  const { row, now } = draft;
  draft.post('L5', postings.fund(row, postings.railIn(row), row.sending_amount));
  draft.set({ taken_at: now });
  convert(draft, facts);
  startPayout(draft, facts);
}

/** A pull that feeds this payment failed: nothing was taken, nothing is refunded (money.md §9.2). */
export function collectionFailed(draft: Draft): void {
  draft.cancel(JOB.collect, draft.row.id);
  draft.cancel(JOB.follow, followKey(draft.row.id, 'collect'));
  draft.set({ status: 'FAILED', failure_reason: 'QUOTE_EXECUTION_FAILED', pending_reason: null });
  draft.emit('FAILED');
}

/** A pull that has fed this payment was reversed: the owner owes us, whatever became of the payment. */
export function collectionReversed(draft: Draft, facts: Facts): void {
  const { row } = draft;
  if (facts.isCollectionReversed) return;
  draft.post('L19', postings.oweCollection(row, postings.railIn(row), facts.ownerReceivable));
}

/** `PENDING` → `PROCESSING`: the rail took a transfer. */
export function pickedUp(draft: Draft): void {
  draft.set({ status: 'PROCESSING' });
  draft.emit('PROCESSING');
}

/** `PROCESSING` → `COMPLETED`. An internal account that cannot receive, or take so much, is a failed payout. */
export function delivered(draft: Draft, notice: NoticeOf<'delivered'>, facts: Facts): void {
  if (draft.row.status === 'PENDING') pickedUp(draft);
  const { row, now } = draft;
  const account = internalDestination(row);
  if (account !== null && !(facts.canReceive(account) && facts.hasRoom(account, row.receiving_amount))) {
    fail(draft, 'ACCOUNT_CANNOT_RECEIVE', 'TRANSACTION_FAILED', facts);
    return;
  }
  const receiver =
    account === null ? { rail: postings.railOut(row) } : { internal: account, debt: facts.debtOf(account) };
  if ('internal' in receiver) draft.needsActive(receiver.internal);
  draft.post(
    'L7',
    postings.deliver(row, receiver, row.fee_account ? facts.debtOf(row.fee_account) : undefined),
  );
  draft.set({
    status: 'COMPLETED',
    settled_at: now,
    pending_reason: null,
    payout_hash: notice.transactionHash ?? row.payout_hash,
  });
  draft.emit('COMPLETED');
  const mirror = mirrorOf(draft.row, now);
  if (mirror) draft.mirror(mirror);
}

/** `PROCESSING` → `FAILED`, and the refund of what was taken. */
export function payoutFailed(draft: Draft, notice: NoticeOf<'payoutFailed'>, facts: Facts): void {
  fail(draft, notice.reason, notice.timedOut ? 'TIMEOUT' : 'TRANSACTION_FAILED', facts);
}

/** `COMPLETED` → `FAILED`: the bank gave it back. The fee is taken back from the platform. */
export function returnedAfterDelivery(draft: Draft, facts: Facts): void {
  const { row } = draft;
  const feeBack = row.platform_fee > 0n ? facts.takeBackOf(row.fee_account ?? '') : undefined;
  draft.post('L8', postings.takeReturn(row, postings.railOut(row), feeBack));
  fail(draft, 'PAYOUT_RETURNED', 'TRANSACTION_FAILED', facts);
}

/** `PROCESSING` → `FAILED`: the return overtook the delivery, so there is nothing to take back. */
export function returnedBeforeDelivery(draft: Draft, facts: Facts): void {
  fail(draft, 'PAYOUT_RETURNED', 'TRANSACTION_FAILED', facts);
}

/** `PROCESSING` stays: a cancellation was accepted, and with the refund the payment is over. */
export function cancelled(draft: Draft, facts: Facts): void {
  if (draft.row.status === 'PENDING') pickedUp(draft);
  const { row } = draft;
  stopPayout(draft);
  unwind(draft);
  draft.set({ pending_reason: null });
  startRefund(draft, 'USER_CANCELLATION', row.sending_amount, facts);
}

/** `PENDING` → `EXPIRED`. */
export function expired(draft: Draft): void {
  draft.set({ status: 'EXPIRED' });
  if (draft.row.type === 'OUTGOING') draft.emit('EXPIRED');
}

/** `PENDING` → `FAILED`: the corridor was withdrawn since (money.md §3.3). */
export function rateUnavailable(draft: Draft): void {
  // The contract's incoming reasons know no withdrawn rate.
  const reason = draft.row.type === 'OUTGOING' ? 'QUOTE_RATE_UNAVAILABLE' : 'QUOTE_EXECUTION_FAILED';
  draft.set({ status: 'FAILED', failure_reason: reason });
  draft.emit('FAILED');
}

/** From now on money is on its way: neither the account of ours that it is for is closed, nor the customer deleted. */
export function holdReceiver(draft: Draft): void {
  const [account, customer] = [internalDestination(draft.row), paidOutside(draft.row)];
  if (account !== null) draft.needsOpen(account);
  if (customer !== null) draft.needsLive(customer);
}

/** L6 comes with entering `PROCESSING`, once the money is there. */
function startProcessing(draft: Draft, facts: Facts): void {
  if (draft.row.taken_at !== null) convert(draft, facts);
  draft.set({ status: 'PROCESSING' });
  draft.emit('PROCESSING');
}

/** A payout that the rail refuses here and now is not converted first: what a transition takes back could stand alone. */
function convert(draft: Draft, facts: Facts): void {
  if (facts.knownPayoutFailure === undefined) draft.post('L6', postings.convert(draft.row));
}

/** Hands the payout to the rail after the commit, unless the rail refuses it here and now. */
export function startPayout(draft: Draft, facts: Facts): void {
  if (facts.knownPayoutFailure === undefined) draft.schedule(JOB.pay, draft.row.id, { afterMs: 0 });
  else fail(draft, facts.knownPayoutFailure, 'TRANSACTION_FAILED', facts);
}

function fail(draft: Draft, reason: OutgoingFailure, refundReason: RefundReason, facts: Facts): void {
  stopPayout(draft);
  unwind(draft);
  draft.set({ status: 'FAILED', failure_reason: reason, pending_reason: null });
  draft.emit('FAILED');
  startRefund(draft, refundReason, draft.row.sending_amount, facts);
}

function stopPayout(draft: Draft): void {
  draft.cancel(JOB.pay, draft.row.id);
  draft.cancel(JOB.follow, followKey(draft.row.id, 'pay'));
}

function takeFunding(draft: Draft, notice: NoticeOf<'funded' | 'fundedOverLimit'>): void {
  const { row, now } = draft;
  draft.post('L4', postings.fund(row, postings.railIn(row), notice.amount));
  draft.set({ executed_at: now, taken_at: now, funding_hash: notice.transactionHash ?? null });
}
