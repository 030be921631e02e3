import { audit } from '#audit/audit.ts';
import type { CardRow } from '#cards/card-row.ts';
import { lockCard } from '#cards/card-store.ts';
import { changeCard, closeCard } from '#cards/change-card.ts';
import { requireFunding } from '#cards/create-card.ts';
import { presentCard } from '#cards/present.ts';
import { type ParsedUpdate, readUpdate } from '#cards/read-request.ts';
import type { Card, CardUpdateRequest } from '#cards/schemas.ts';
import type { Tx } from '#database/tx.ts';
import { publicId } from '#lib/ids.ts';
import { notFound, Refusal, refuseIf } from '#lib/refusals.ts';

/** PATCH /cards/{id}: all that it asks for, or nothing (A.3). */
export async function updateCard(tx: Tx, id: string, body: CardUpdateRequest): Promise<Card> {
  const card = await lockCard(tx, id);
  if (!card) throw notFound('NOT_FOUND', 'Card');
  const update = readUpdate(body);
  refuseIf(checkUpdate(card, update));
  const source =
    update.fundingSource === undefined
      ? card.funding_source
      : await requireFunding(tx, update.fundingSource, card.customer_id);
  noteReasons(tx, card, update);
  if (update.status === 'CLOSED') return presentCard(await closeCard(tx, card, 'CLOSED_BY_PLATFORM'));
  const changes = { status: update.status ?? card.status, funding_source: source, ...update.limits };
  return presentCard(changeCard(tx, card, changes));
}

/** The rows of A.3 about the state of the card. */
export function checkUpdate({ status }: CardRow, update: ParsedUpdate): Refusal | undefined {
  const { status: wanted } = update;
  if (status === 'CLOSED') return checkClosed(wanted);
  if (wanted === undefined) return undefined;
  if (status !== 'PROCESSING' && wanted !== status) return undefined;
  const reason =
    status === 'PROCESSING' ? 'The issuer has not made the card yet.' : `The card is ${status} already.`;
  return new Refusal('INVALID_STATE_TRANSITION', reason, { status });
}

function checkClosed(wanted: ParsedUpdate['status']): Refusal {
  const details = { status: 'CLOSED' };
  if (wanted === 'CLOSED') return new Refusal('CARD_ALREADY_CLOSED', 'The card is closed already.', details);
  return wanted === undefined
    ? new Refusal('CARD_NOT_MUTABLE', 'The card is closed, and nothing of it can change.', details)
    : new Refusal('INVALID_STATE_TRANSITION', `A closed card cannot become ${wanted}.`, details);
}

/** Kept for whoever asks later why a card was frozen or closed (A.3.3). */
function noteReasons(tx: Tx, { id }: CardRow, { notes }: ParsedUpdate): void {
  if (Object.keys(notes).length === 0) return;
  audit(tx, { action: 'card changed', resource: publicId('Card', id), details: notes });
}
