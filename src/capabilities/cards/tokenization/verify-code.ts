import { timingSafeEqual } from 'node:crypto';
import { checkUsable, codeHash, lockActiveCard } from '#capabilities/cards/tokenization/send-code.ts';
import {
  countWrongTry,
  findTokenization,
  markUsed,
  type Tokenization,
} from '#capabilities/cards/tokenization/store.ts';
import { audit } from '#foundation/audit/audit.ts';
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
  cardId: string,
  typed: string,
): Promise<TypedCodeOutcome> {
  const card = await lockActiveCard(tx, cardId);
  const outcome = checkTypedCode(tx, await findTokenization(tx, card.id), typed);
  if (outcome === 'RIGHT') await markUsed(tx, card.id);
  if (outcome === 'WRONG') await countWrongTry(tx, card.id);
  audit(tx, { action: 'card code typed', resource: publicId('Card', card.id), details: { outcome } });
  return outcome;
}

function checkTypedCode(tx: ReadTx, issued: Tokenization | undefined, typed: string): TypedCodeOutcome {
  if (!issued) return 'NOT_SENT';
  const unusable = checkUsable(issued, tx.now);
  if (unusable) return unusable;
  return timingSafeEqual(issued.codeHash, codeHash(tx, issued.id, typed)) ? 'RIGHT' : 'WRONG';
}
