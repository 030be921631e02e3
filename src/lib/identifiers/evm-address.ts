import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { ADDRESS_FORMATS } from '#lib/identifiers/wallet-formats.ts';

/** accounts.md §4.3, EVM: one case throughout carries no checksum; mixed case must satisfy EIP-55. */
export function isEvmAddress(address: string): boolean {
  if (!ADDRESS_FORMATS.EVM.test(address)) return false;
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  return checksumEvmAddress(digits) === address;
}

/** The address of an uncompressed secp256k1 key (65 bytes), in EIP-55 spelling. */
export function evmAddressOf(publicKey: Uint8Array): string {
  return checksumEvmAddress(bytesToHex(accountHash(publicKey)));
}

/** The last 20 bytes of the key's Keccak-256, which Ethereum and Tron addresses share. */
export function accountHash(publicKey: Uint8Array): Uint8Array {
  return keccak_256(publicKey.subarray(1)).subarray(12);
}

function checksumEvmAddress(digits: string): string {
  const lower = digits.toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(lower)));
  const spelled = Array.from(lower, (digit, at) => (hash.charAt(at) >= '8' ? digit.toUpperCase() : digit));
  return `0x${spelled.join('')}`;
}
