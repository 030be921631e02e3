import { createHash } from 'node:crypto';
import type { Fixed } from '#capabilities/payments/row.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * `SVC-Q` and 8 characters A–Z2–7: the reference that a payer states when funding a real-time quote (money.md §2.9).
 */
export function quoteReference(prefix: string, quoteId: QuoteId): string {
  return `${prefix}Q${code(`quote ${quoteId}`)}`;
}

/** The transaction's own reference, or `SVC-` and 8 characters, then `-REFUND` (money.md §4.5). */
export function buildRefundReference(
  prefix: string,
  { reference, id }: Pick<Fixed, 'reference' | 'id'>,
): string {
  return `${reference ?? `${prefix}${code(`transaction ${id}`)}`}-REFUND`;
}

/** 40 bits of a hash of the text: enough that no two open quotes of a platform share a code. */
function code(text: string): string {
  const bytes = createHash('sha256').update(text).digest();
  let bits = bytes.readUIntBE(0, 5);
  let letters = '';
  for (let i = 0; i < 8; i++) {
    letters = ALPHABET.charAt(bits % 32) + letters;
    bits = Math.floor(bits / 32);
  }
  return letters;
}
