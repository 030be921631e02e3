import { hexToBytes } from '@noble/hashes/utils.js';

/** The bytes of a hex string in either case, with or without `0x`; undefined for anything else. */
export function decodeHex(text: string): Uint8Array | undefined {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  return digits.length % 2 === 0 && /^[0-9a-fA-F]+$/.test(digits) ? hexToBytes(digits) : undefined;
}
