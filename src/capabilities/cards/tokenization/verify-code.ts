import { lockActiveCard } from '#capabilities/cards/tokenization/send-code.ts';
import { audit } from '#foundation/audit/audit.ts';
import { checkUsable, isRightCode } from '#foundation/codes/codes.ts';
import { type CodePlace, countWrongTry, endCode, findCode } from '#foundation/codes/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** The outcome of a code that a cardholder typed. `NOT_SENT`: the card has none. */
export type TypedCodeOutcome = 'RIGHT' | 'WRONG' | 'TOO_MANY_TRIES' | 'EXPIRED' | 'USED' | 'NOT_SENT';

/**
 * Checks a code that the cardholder typed and the network passes on (cards.md §10.3). A right code is used up; a wrong
 * one is counted. Calls for one card wait for each other, so that no code works twice and every guess is counted.
 */
export async function verifyTokenizationCode(
  tx: Tx,
  cardId: CardId,
  typed: string,
): Promise<TypedCodeOutcome> {
  const card = await lockActiveCard(tx, cardId);
  const place = { kind: 'CARD', ownerId: card.id } as const;
  const outcome = await checkTypedCode(tx, place, typed);
  if (outcome === 'RIGHT') await endCode(tx, place);
  if (outcome === 'WRONG') await countWrongTry(tx, place);
  audit(tx, { action: 'card code typed', resource: publicId('Card', card.id), details: { outcome } });
  return outcome;
}

async function checkTypedCode(tx: ReadTx, place: CodePlace, typed: string): Promise<TypedCodeOutcome> {
  const issued = await findCode(tx, place);
  if (!issued) return 'NOT_SENT';
  return checkUsable(issued, tx.now) ?? (isRightCode(tx, place, issued, typed) ? 'RIGHT' : 'WRONG');
}
