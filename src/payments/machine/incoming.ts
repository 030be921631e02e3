import type { Draft } from '#payments/machine/draft.ts';
import { followKey, JOB } from '#payments/machine/jobs.ts';
import { mirrorOf } from '#payments/machine/mirror.ts';
import type { Facts } from '#payments/machine/notice.ts';
import * as postings from '#payments/machine/postings.ts';
import { countVolume } from '#payments/machine/volume.ts';

/** The rows of money.md §4's table of incoming transactions that begin with a pull; table.ts says when each applies. */

/** `PENDING` stays: a same-currency quote from outside is executed, and its quote now reads `PROCESSING`. */
export function executePull(draft: Draft, facts: Facts): void {
  const { row, now } = draft;
  // From here on the account cannot be closed: what is collected is credited to it.
  draft.needsActive(row.destination_account ?? '');
  draft.set({ executed_at: now });
  countVolume(draft, facts);
  draft.emit('PENDING');
  if (facts.knownCollectionFailure === undefined) draft.schedule(JOB.collect, row.id, { afterMs: 0 });
  else collectionFailed(draft);
}

/**
 * `PENDING` → `COMPLETED`: collected. Without a fee that is one deposit; with one it passes through INFLIGHT
 * (money.md §11.f). Money that has come is credited to a frozen account, too; closed it cannot be meanwhile.
 * What the account cannot hold waits in SUSPENSE for a person.
 */
export function collected(draft: Draft, facts: Facts): void {
  const { row, now } = draft;
  const rail = postings.railIn(row);
  const to = row.destination_account ?? '';
  draft.set({ taken_at: now });
  if (!facts.hasRoom(to, row.receiving_amount)) {
    draft.post('L20', postings.suspend(rail, row.sending_currency, row.sending_amount));
    collectionFailed(draft);
    return;
  }
  if (row.service_fee + row.platform_fee === 0n) {
    const { receiving_currency: currency, receiving_amount: amount } = row;
    draft.post('L1', postings.deposit(to, rail, currency, amount, facts.debtOf(to)));
  } else {
    const feeDebt = row.fee_account ? facts.debtOf(row.fee_account) : undefined;
    draft.post('L5', postings.fund(row, rail, row.sending_amount));
    draft.post('L6', postings.convert(row));
    draft.post('L7', postings.deliver(row, { internal: to, debt: facts.debtOf(to) }, feeDebt));
  }
  draft.set({ status: 'COMPLETED', settled_at: now, pending_reason: null });
  draft.emit('COMPLETED');
  const mirror = mirrorOf(draft.row, now);
  if (mirror) draft.mirror(mirror);
}

/** `PENDING` → `FAILED` `COLLECTION_FAILED`: nothing had come, nothing is refunded. */
export function collectionFailed(draft: Draft): void {
  draft.cancel(JOB.collect, draft.row.id);
  draft.cancel(JOB.follow, followKey(draft.row.id, 'collect'));
  draft.set({ status: 'FAILED', failure_reason: 'COLLECTION_FAILED', pending_reason: null });
  draft.emit('FAILED');
}

/** `COMPLETED` → `FAILED` `COLLECTION_FAILED`: reversed after the credit (money.md §11.b). */
export function collectionReversed(draft: Draft, facts: Facts): void {
  const { row } = draft;
  const from = row.destination_account ?? '';
  const feeBack = row.platform_fee > 0n ? facts.takeBackOf(row.fee_account ?? '') : undefined;
  draft.post(
    'L19',
    postings.reverseCollection(row, from, postings.railIn(row), facts.takeBackOf(from), feeBack),
  );
  draft.set({ status: 'FAILED', failure_reason: 'COLLECTION_FAILED' });
  draft.emit('FAILED');
}
