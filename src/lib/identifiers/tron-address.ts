import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import { attempt } from '#lib/identifiers/attempt.ts';
import { accountHash } from '#lib/identifiers/evm-address.ts';
import { ADDRESS_FORMATS } from '#lib/identifiers/wallet-formats.ts';

const VERSION = 0x41;

/** accounts.md §4.3, Tron: Base58Check of version 0x41 and 20 bytes. */
export function isTronAddress(address: string): boolean {
  if (!ADDRESS_FORMATS.TRON.test(address)) return false;
  const bytes = attempt(() => createBase58check(sha256).decode(address));
  return bytes?.length === 21 && bytes[0] === VERSION;
}

/** The address of an uncompressed secp256k1 key (65 bytes). */
export function tronAddressOf(publicKey: Uint8Array): string {
  return createBase58check(sha256).encode(concatBytes(Uint8Array.of(VERSION), accountHash(publicKey)));
}
