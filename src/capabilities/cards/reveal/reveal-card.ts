import { hash, randomBytes } from 'node:crypto';
import type { CardRow } from '#capabilities/cards/card-row.ts';
import { findCard } from '#capabilities/cards/card-store.ts';
import { insertReveal } from '#capabilities/cards/reveal/store.ts';
import type { CardRevealResponse } from '#capabilities/cards/schemas.ts';
import { findLiveCustomer } from '#capabilities/customers/store.ts';
import { requireScaSession } from '#capabilities/sca/standing/rules.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Caller } from '#foundation/http/caller.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound, Refusal, refuseIf } from '#foundation/lib/refusals.ts';

/** The path of the page, outside the versioned base path. */
export const REVEAL_PATH = '/cards/reveal';

const LIFE_MS = 5 * 60_000;
const TOKEN_BYTES = 32;

/** POST /cards/{id}/reveal: a new address at each call (cards.md §5). */
export async function revealCard(
  tx: Tx,
  caller: Pick<Caller, 'kind' | 'id'>,
  cardId: CardId,
  revealUrl: string,
): Promise<CardRevealResponse> {
  refuseIf(checkNamed(caller));
  const card = await findCard(tx, cardId);
  if (!card) throw notFound('NOT_FOUND', 'Card');
  refuseIf(checkShowable(card));
  const cardholder = await findLiveCustomer(tx, card.customer_id);
  if (!cardholder) throw notFound('NOT_FOUND', 'Card');
  await requireScaSession(tx, cardholder);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(tx.now.getTime() + LIFE_MS);
  const actor = publicId('Token', caller.id);
  await insertReveal(tx, { tokenHash: hashToken(token), cardId, actor, expiresAt });
  return { panEmbedUrl: `${revealUrl}${REVEAL_PATH}?t=${token}`, expiresAt: expiresAt.toISOString() };
}

/** Requires an API token, so that the audit log can name the caller (cards.md §5.2). */
export function checkNamed({ kind }: Pick<Caller, 'kind'>): Refusal | undefined {
  if (kind === 'token') return undefined;
  return new Refusal('FORBIDDEN', 'A card’s number is shown only to a caller with an API token.');
}

function checkShowable({ status }: Pick<CardRow, 'status'>): Refusal | undefined {
  if (status === 'ACTIVE' || status === 'FROZEN') return undefined;
  const reason =
    status === 'CLOSED'
      ? 'The card is closed, and its number was destroyed.'
      : 'The issuer has not made the card yet.';
  return new Refusal('CONFLICT', reason, { status });
}

/** Hashes the text, not the decoded bytes: base64 has several texts for the same bytes (cards.md §5.5). */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
