import { createHash } from 'node:crypto';
import type { Fixed } from '#payments/row.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** `SVC-Q` and 8 characters A–Z2–7: what a payer puts into a real-time payment (money.md §2.9). */
export function quoteReference(prefix: string, quoteId: string): string {
  return `${prefix}Q${code(`quote ${quoteId}`)}`;
}

/** The transaction's own reference, or `SVC-` and 8 characters, then `-REFUND` (money.md §4.5). */
export function refundReferenceOf(
  prefix: string,
  { reference, id }: Pick<Fixed, 'reference' | 'id'>,
): string {
  return `${reference ?? `${prefix}${code(`transaction ${id}`)}`}-REFUND`;
}

/** 40 bits that follow from the text: 2^40 of them, so a clash within one platform's open quotes is out of reach. */
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
