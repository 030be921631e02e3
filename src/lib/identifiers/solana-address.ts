import { base58 } from '@scure/base';
import { attempt } from '#lib/identifiers/attempt.ts';
import { ADDRESS_FORMATS } from '#lib/identifiers/wallet-formats.ts';

/** accounts.md §4.3, Solana: Base58 of exactly 32 bytes. */
export function isSolanaAddress(address: string): boolean {
  return decodeSolanaAddress(address) !== undefined;
}

/** The 32 bytes behind the address, which for a wallet are its Ed25519 key. */
export function decodeSolanaAddress(address: string): Uint8Array | undefined {
  // The format bounds the length first: Base58 decoding takes quadratic time.
  if (!ADDRESS_FORMATS.SOLANA.test(address)) return undefined;
  const bytes = attempt(() => base58.decode(address));
  return bytes?.length === 32 ? bytes : undefined;
}
