import { type CardRow, canChange } from '#capabilities/cards/card-row.ts';
import { lockCard } from '#capabilities/cards/card-store.ts';
import { changeCard, closeCard } from '#capabilities/cards/change-card.ts';
import { requireFunding } from '#capabilities/cards/create-card.ts';
import { presentCard } from '#capabilities/cards/present.ts';
import { type ParsedUpdate, readUpdate } from '#capabilities/cards/read-request.ts';
import type { Card, CardUpdateRequest } from '#capabilities/cards/schemas.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { parseId, publicId } from '#foundation/lib/ids.ts';
import { type FieldError, notFound, Refusal, refuseIf } from '#foundation/lib/refusals.ts';

/** PATCH /cards/{id}: applies all requested changes or none (cards.md §3). */
export async function updateCard(
  tx: Tx,
  id: CardId,
  body: CardUpdateRequest,
  problems: readonly FieldError[],
): Promise<Card> {
  const card = await lockCard(tx, id);
  if (!card) throw notFound('NOT_FOUND', 'Card');
  const update = readUpdate(body, problems);
  refuseIf(checkUpdate(card, update));
  if (update.status === 'CLOSED') return presentCard(await closeCard(tx, card, 'close'));
  const changes = {
    status: update.status ?? card.status,
    funding_source: await resolveSource(tx, card, update),
    ...update.limits,
  };
  return presentCard(changeCard(tx, card, changes));
}

/** The account that pays from now on; naming the present one changes nothing (cards.md §3.2). */
async function resolveSource(tx: Tx, card: CardRow, { fundingSource }: ParsedUpdate): Promise<AccountId> {
  const { funding_source: present, customer_id } = card;
  if (fundingSource === undefined || parseId('InternalAccount', fundingSource) === present) return present;
  return requireFunding(tx, fundingSource, customer_id);
}

/** The changes that a platform can make, by the status that it asks for. */
const CHANGES_TO = { ACTIVE: 'unfreeze', FROZEN: 'freeze', CLOSED: 'close' } as const;

/** The rows of cards.md §3 about the state of the card. */
export function checkUpdate(card: CardRow, { status: wanted }: ParsedUpdate): Refusal | undefined {
  const { status } = card;
  if (status === 'CLOSED') return checkClosed(wanted);
  if (wanted === undefined || canChange(card, CHANGES_TO[wanted])) return undefined;
  const reason =
    status === 'PROCESSING'
      ? 'The issuer has not made the card yet. Until it has, only the operator of the service can close it.'
      : `The card is ${status} already.`;
  return new Refusal('INVALID_STATE_TRANSITION', reason, { status });
}

function checkClosed(wanted: ParsedUpdate['status']): Refusal {
  const details = { status: 'CLOSED' };
  if (wanted === 'CLOSED') return new Refusal('CARD_ALREADY_CLOSED', 'The card is closed already.', details);
  return wanted === undefined
    ? new Refusal('CARD_NOT_MUTABLE', 'The card is closed and cannot be changed.', details)
    : new Refusal('INVALID_STATE_TRANSITION', `A closed card cannot become ${wanted}.`, details);
}

export interface OperatorClosing {
  readonly cardId: CardId;
  /** Why, for the audit log. */
  readonly reason: string;
}

/** The operator closes a card, whatever its status was (cards.md §2.7). */
export async function closeByOperator(tx: Tx, { cardId, reason }: OperatorClosing): Promise<Card> {
  const card = await lockCard(tx, cardId);
  if (!card) throw notFound('NOT_FOUND', 'Card');
  if (!canChange(card, 'closeByOperator')) throw checkClosed('CLOSED');
  const fact = { resource: publicId('Card', cardId), customerId: card.customer_id };
  audit(tx, { action: 'card close', ...fact, details: { reason } });
  return presentCard(await closeCard(tx, card, 'closeByOperator'));
}
