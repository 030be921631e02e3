import { hash } from 'node:crypto';

/**
 * A UUID that follows from another one and a word, the same whenever it is asked for. It keeps the time of `at`,
 * or that of the id it follows from, so that new rows stay together in their index.
 */
export function derivedId(from: string, word: string, at?: Date): string {
  const digest = hash('sha256', `${from}\0${word}`, 'buffer');
  const time = at
    ? at.getTime().toString(16).padStart(12, '0').slice(-12)
    : from.slice(0, 8) + from.slice(9, 13);
  digest[0] = 0x70 | ((digest[0] ?? 0) & 0x0f);
  digest[2] = 0x80 | ((digest[2] ?? 0) & 0x3f);
  const rest = digest.toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-${rest.slice(0, 4)}-${rest.slice(4, 8)}-${rest.slice(8, 20)}`;
}
