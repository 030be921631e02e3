import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58, bech32 } from '@scure/base';
import { evmAddressOf } from '#lib/identifiers/evm-address.ts';
import type { Seeded } from '#lib/identifiers/seeded.ts';
import { sparkAddressOf } from '#lib/identifiers/spark-address.ts';
import { tronAddressOf } from '#lib/identifiers/tron-address.ts';

/** One address for all EVM chains, so that a deposit sent over another of them still finds its account. */
export function evmDepositAddress(source: Seeded): string {
  return evmAddressOf(secp256k1.getPublicKey(secretKey(source, 'evm key'), false));
}

export function tronDepositAddress(source: Seeded): string {
  return tronAddressOf(secp256k1.getPublicKey(secretKey(source, 'tron key'), false));
}

export function solanaDepositAddress(source: Seeded): string {
  return base58.encode(ed25519.getPublicKey(source.bytes('solana key')));
}

/** Of Spark's test network, as accounts.md §4.4 has it for the sandbox. */
export function sparkDepositAddress(source: Seeded): string {
  return sparkAddressOf(secp256k1.getPublicKey(secretKey(source, 'spark key'), true), 'sparkt');
}

/** P2WPKH on Bitcoin's test network. */
export function bitcoinDepositAddress(source: Seeded): string {
  const publicKey = secp256k1.getPublicKey(secretKey(source, 'bitcoin key'), true);
  return bech32.encode('tb', [0, ...bech32.toWords(ripemd160(sha256(publicKey)))]);
}

/** Not every 32 bytes are a scalar of the curve; the next stream is taken for the few that are not. */
function secretKey(source: Seeded, purpose: string): Uint8Array {
  for (let round = 0; ; round++) {
    const candidate = source.bytes(`${purpose} ${round}`);
    if (secp256k1.utils.isValidSecretKey(candidate)) return candidate;
  }
}
