import { createECDH, createPrivateKey, createPublicKey } from 'node:crypto';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58, bech32 } from '@scure/base';
import { attempt } from '#foundation/lib/identifiers/attempt.ts';
import type { Seeded } from '#foundation/lib/identifiers/seeded.ts';
import { encodeSparkAddress } from '#foundation/lib/identifiers/spark.ts';
import { deriveEvmAddress, deriveTronAddress } from '#foundation/lib/identifiers/wallet-address.ts';

/** One address for all EVM chains, so that a deposit on the wrong one still reaches its account. */
export function evmDepositAddress(source: Seeded): string {
  return deriveEvmAddress(secp256k1Key(source, 'evm key', 'uncompressed'));
}

export function tronDepositAddress(source: Seeded): string {
  return deriveTronAddress(secp256k1Key(source, 'tron key', 'uncompressed'));
}

export function solanaDepositAddress(source: Seeded): string {
  return base58.encode(ed25519Key(source.bytes('solana key')));
}

/** An address on Spark's test network, as accounts.md §4.4 prescribes for the sandbox. */
export function sparkDepositAddress(source: Seeded): string {
  return encodeSparkAddress(secp256k1Key(source, 'spark key', 'compressed'), 'sparkt');
}

/** P2WPKH on Bitcoin's test network. */
export function bitcoinDepositAddress(source: Seeded): string {
  const publicKey = secp256k1Key(source, 'bitcoin key', 'compressed');
  return bech32.encode('tb', [0, ...bech32.toWords(ripemd160(sha256(publicKey)))]);
}

/**
 * The public key of a secret derived from the seed. Node's own cryptography is many times faster than an
 * implementation in JavaScript, and every new customer needs several keys.
 */
function secp256k1Key(source: Seeded, purpose: string, form: 'compressed' | 'uncompressed'): Uint8Array {
  const pair = createECDH('secp256k1');
  // Not every 32 bytes are a scalar of the curve; for the few that are not, the next bytes are tried.
  for (let round = 0; ; round++) {
    const isKey = attempt(() => {
      pair.setPrivateKey(source.bytes(`${purpose} ${round}`));
      return true;
    });
    if (isKey) return Uint8Array.from(pair.getPublicKey(null, form));
  }
}

function ed25519Key(secret: Uint8Array): Uint8Array {
  const der = Buffer.concat([ED25519_PKCS8, secret]);
  const publicKey = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  return Uint8Array.from(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
}

/** The PKCS #8 prefix of a 32-byte Ed25519 secret (RFC 8410). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
