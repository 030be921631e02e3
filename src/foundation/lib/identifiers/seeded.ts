import { createHash } from 'node:crypto';

/** Values computed from a seed alone. Each purpose has its own stream, so no value reveals another. */
export interface Seeded {
  bytes(purpose: string): Uint8Array;
  /** That many decimal digits, at most 60. */
  digits(purpose: string, count: number): string;
}

export function seeded(seed: Uint8Array): Seeded {
  const bytes = (purpose: string) =>
    Uint8Array.from(createHash('sha256').update(`${purpose}\0`).update(seed).digest());
  return {
    bytes,
    digits(purpose, count) {
      if (count > DIGITS_MAX) throw new RangeError(`One hash gives at most ${DIGITS_MAX} digits`);
      const number = BigInt(`0x${Buffer.from(bytes(purpose)).toString('hex')}`);
      return String(number % 10n ** BigInt(count)).padStart(count, '0');
    },
  };
}

/** 256 bits leave every value of 60 digits equally likely to within one part in 10^17. */
const DIGITS_MAX = 60;
