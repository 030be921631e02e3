import { postEntry } from '#capabilities/accounts/post-entry.ts';
import type { CardTransition } from '#capabilities/cards/machine/draft.ts';
import { presentCardTransaction } from '#capabilities/cards/present.ts';
import { CARD_TRANSACTIONS, isOpenRow } from '#capabilities/cards/transaction-row.ts';
import type { Changes } from '#foundation/database/tx.ts';
import { emit } from '#foundation/events/emit.ts';
import { cancelJob, schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Ends an authorization that was never cleared (cards.md §6.9.8). */
export const EXPIRE_ROW = 'cards.expire';

/** Passes every part of a transition to its writer, to be committed together. */
export function applyCardTransition(changes: Changes, { from, row, entries, events }: CardTransition): void {
  changes.collect(CARD_TRANSACTIONS.writer, { from, row });
  for (const shown of events) {
    const resourceId = publicId('Transaction', shown.id);
    emit(changes, {
      type: `CARD_TRANSACTION.${shown.status}`,
      resourceId,
      data: presentCardTransaction(shown),
    });
  }
  for (const entry of entries) postEntry(changes, entry);
  if (from === undefined && row.hold_expires_at !== null) {
    schedule(changes, {
      kind: EXPIRE_ROW,
      key: row.id,
      payload: { id: row.id },
      dueAt: row.hold_expires_at,
    });
  }
  if (from !== undefined && !isOpenRow(row)) cancelJob(changes, EXPIRE_ROW, row.id);
}
