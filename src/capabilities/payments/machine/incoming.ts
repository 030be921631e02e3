import type { PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import { followKey, JOB } from '#capabilities/payments/machine/jobs.ts';
import { draftMirror } from '#capabilities/payments/machine/mirror.ts';
import type { Facts, NoticeOf } from '#capabilities/payments/machine/notice.ts';
import * as postings from '#capabilities/payments/machine/postings.ts';
import { countVolume } from '#capabilities/payments/machine/volume.ts';
import { feeAccount, pulledInto } from '#capabilities/payments/row.ts';

/**
 * The rows of money.md §4's table of incoming transactions that begin with a pull; table.ts defines when each applies.
 */

/**
 * Stays `PENDING`: a pull into an internal account is executed. Its quote reads `PROCESSING` from now on; a transfer's
 * event was emitted when it was created.
 */
export function executePull(draft: PaymentDraft, facts: Facts): void {
  const { row, now } = draft;
  // From now on the account cannot be closed, because the collected money will be credited to it.
  draft.requireActiveAccount(pulledInto(row));
  draft.set({ executed_at: now });
  countVolume(draft, facts);
  if (row.kind === 'QUOTE') draft.emit('PENDING');
  if (facts.knownCollectionFailure === undefined) draft.schedule(JOB.collect, row.id, { afterMs: 0 });
  else collectionFailed(draft);
}

/**
 * `PENDING` → `COMPLETED`: collected. Without a fee it is posted as a deposit, with a fee it passes through INFLIGHT
 * (money.md §11.f). A frozen account is credited as well; it cannot have been closed meanwhile. If the account cannot
 * hold the amount, the money is booked to SUSPENSE and the payment fails.
 */
export function collected(draft: PaymentDraft, notice: NoticeOf<'collected'>, facts: Facts): void {
  const { row, now } = draft;
  const rail = postings.railThrough(postings.fundingRailOf(row), notice);
  const to = pulledInto(row);
  draft.set({ taken_at: now });
  if (!facts.canHold(to, row.receiving_amount)) {
    draft.post('receipt.suspended', postings.suspend(rail, row.sending_currency, row.sending_amount));
    collectionFailed(draft);
    return;
  }
  if (row.service_fee + row.platform_fee === 0n) {
    const { receiving_currency: currency, receiving_amount: amount } = row;
    draft.post('deposit.received', postings.deposit(to, rail, currency, amount, facts.debtOf(to)));
  } else {
    const feeDebt = row.fee_account ? facts.debtOf(row.fee_account) : undefined;
    draft.post('payment.collected', postings.fund(row, rail, row.sending_amount));
    draft.post('payment.converted', postings.convert(row));
    draft.post('payment.delivered', postings.deliver(row, { internal: to, debt: facts.debtOf(to) }, feeDebt));
  }
  draft.set({ status: 'COMPLETED', settled_at: now, pending_reason: null });
  draft.emit('COMPLETED');
  const mirror = draftMirror(draft.row, now, facts);
  if (mirror) draft.addOther(mirror);
}

/** `PENDING` → `FAILED` `COLLECTION_FAILED`: nothing was collected, so nothing is refunded. */
export function collectionFailed(draft: PaymentDraft): void {
  draft.cancel(JOB.collect, draft.row.id);
  draft.cancel(JOB.follow, followKey(draft.row.id, 'collect'));
  draft.set({ status: 'FAILED', failure_reason: 'COLLECTION_FAILED', pending_reason: null });
  draft.emit('FAILED');
}

/** `COMPLETED` → `FAILED` `COLLECTION_FAILED`: the pull was reversed after the credit (money.md §11.b). */
export function collectionReversed(
  draft: PaymentDraft,
  notice: NoticeOf<'collectionReversed'>,
  facts: Facts,
): void {
  const { row } = draft;
  const fee = feeAccount(row);
  const [back, feeBack] = [
    facts.clawbackFrom(pulledInto(row)),
    fee === undefined ? undefined : facts.clawbackFrom(fee),
  ];
  const rail = postings.railThrough(postings.fundingRailOf(row), notice);
  draft.post('collection.reversed', postings.reverseCollection(row, rail, back, feeBack));
  draft.set({ status: 'FAILED', failure_reason: 'COLLECTION_FAILED' });
  draft.emit('FAILED');
}
