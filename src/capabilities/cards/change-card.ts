import {
  CARD_STATUS_CHANGES,
  CARDS,
  type CardRow,
  type ClosingChange,
  isLive,
} from '#capabilities/cards/card-row.ts';
import { freeCardPlace } from '#capabilities/cards/card-store.ts';
import { revokeBindingKeys } from '#capabilities/cards/delegated-key-store.ts';
import { presentCard } from '#capabilities/cards/present.ts';
import { sealCard } from '#capabilities/cards/sealed-card.ts';
import { changedRow } from '#foundation/database/rows.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { emit } from '#foundation/events/emit.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Writes a change of a card, which the caller has locked, and emits its events, the status first (cards.md §3.1). */
export function changeCard(tx: Tx, card: CardRow, changes: Partial<CardRow>): CardRow {
  const source = changes.funding_source ?? card.funding_source;
  const binding = source === card.funding_source ? {} : { binding_id: tx.newId<'CardFundingSource'>() };
  const change = changedRow(card, { ...changes, ...binding }, tx.now);
  const { row } = change;
  tx.collect(CARDS.writer, { from: change.from, row: sealCard(tx.vault, row) });
  if (row.binding_id !== card.binding_id || !isLive(row)) revokeBindingKeys(tx, card.binding_id);
  if (row.status !== card.status) tell(tx, 'CARD.STATUS_CHANGE', row);
  if (row.funding_source !== card.funding_source) tell(tx, 'CARD.FUNDING_SOURCE_CHANGE', row);
  return row;
}

function tell(tx: Tx, type: 'CARD.STATUS_CHANGE' | 'CARD.FUNDING_SOURCE_CHANGE', row: CardRow): void {
  emit(tx, { type, resourceId: publicId('Card', row.id), data: presentCard(row) });
}

/** Closes it for good: destroys its number and frees its place among the live cards (cards.md §1.2, §5.7). */
export async function closeCard(tx: Tx, card: CardRow, change: ClosingChange): Promise<CardRow> {
  const { to: status, reason: status_reason } = CARD_STATUS_CHANGES[change];
  const closed = changeCard(tx, card, { status, status_reason, pan: null });
  await freeCardPlace(tx, tx.platformId);
  await freeCardPlace(tx, card.customer_id);
  return closed;
}
