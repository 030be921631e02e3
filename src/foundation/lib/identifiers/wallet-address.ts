import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58, createBase58check } from '@scure/base';
import { attempt } from '#foundation/lib/identifiers/attempt.ts';
import { isSparkWalletAddress } from '#foundation/lib/identifiers/spark.ts';

/** accounts.md §4.3: the strict check of a wallet's address, by its account type. */
export function isWalletAddress(accountType: WalletType, address: string): boolean {
  const family = walletFamily(accountType);
  return family !== undefined && CHECKS[family](address);
}

const CHECKS: Readonly<Record<WalletFamily, (address: string) => boolean>> = {
  EVM: isEvmAddress,
  SOLANA: isSolanaAddress,
  TRON: isTronAddress,
  BITCOIN: isSparkWalletAddress,
};

/** Wallet account types whose owner can prove ownership, with the family of the proof (accounts.md §4.4). */
export const WALLET_FAMILIES = {
  ETHEREUM_WALLET: 'EVM',
  BASE_WALLET: 'EVM',
  POLYGON_WALLET: 'EVM',
  ARBITRUM_WALLET: 'EVM',
  PLASMA_WALLET: 'EVM',
  SOLANA_WALLET: 'SOLANA',
  TRON_WALLET: 'TRON',
  SPARK_WALLET: 'BITCOIN',
} as const;

export type WalletType = keyof typeof WALLET_FAMILIES;
export type WalletFamily = (typeof WALLET_FAMILIES)[WalletType];

/** accounts.md §4.4, lenient formats: the form that an address must have even if no checksum is computed. */
export const ADDRESS_FORMATS: Readonly<Record<WalletFamily, RegExp>> = {
  EVM: /^0x[0-9a-fA-F]{40}$/,
  SOLANA: /^[A-Za-z0-9]{32,44}$/,
  TRON: /^T[A-Za-z0-9]{33}$/,
  BITCOIN: /^[A-Za-z0-9]{14,1024}$/,
};

/** accounts.md §4.4: `user@domain`. */
export const LIGHTNING_ADDRESS_FORMAT = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

export function walletFamily(accountType: string): WalletFamily | undefined {
  return isWalletType(accountType) ? WALLET_FAMILIES[accountType] : undefined;
}

export function isWalletType(accountType: string): accountType is WalletType {
  return Object.hasOwn(WALLET_FAMILIES, accountType);
}

/** accounts.md §4.3, EVM: one case throughout carries no checksum; mixed case must satisfy EIP-55. */
export function isEvmAddress(address: string): boolean {
  if (!ADDRESS_FORMATS.EVM.test(address)) return false;
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  return checksumEvmAddress(digits) === address;
}

/** The address of an uncompressed secp256k1 key (65 bytes), in EIP-55 spelling. */
export function deriveEvmAddress(publicKey: Uint8Array): string {
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

const VERSION = 0x41;

/** accounts.md §4.3, Tron: Base58Check of version 0x41 and 20 bytes. */
export function isTronAddress(address: string): boolean {
  if (!ADDRESS_FORMATS.TRON.test(address)) return false;
  const bytes = attempt(() => createBase58check(sha256).decode(address));
  return bytes?.length === 21 && bytes[0] === VERSION;
}

/** The address of an uncompressed secp256k1 key (65 bytes). */
export function deriveTronAddress(publicKey: Uint8Array): string {
  return createBase58check(sha256).encode(concatBytes(Uint8Array.of(VERSION), accountHash(publicKey)));
}
