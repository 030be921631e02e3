// lane: whole — loads the signing libraries of six chains

import assert from 'node:assert/strict';
import { createPrivateKey, sign as signWithOpenssl } from 'node:crypto';
import { describe, it } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { base58 } from '@scure/base';
import { sign as signBitcoinMessage } from 'bitcoinjs-message';
import { computeAddress, Wallet } from 'ethers';
import fc from 'fast-check';
import { utils as tron } from 'tronweb';
import nacl from 'tweetnacl';
import {
  type OwnershipClaim,
  verifyOwnership,
} from '#capabilities/external-accounts/ownership/verify-ownership.ts';
import { encodeSparkAddress } from '#foundation/lib/identifiers/spark.ts';
import { CODE_POINT } from '#tests/harness/code-point.ts';

/** A wallet of some family, simulated by a library that shares no code with the one under test. */
interface Signer {
  readonly name: string;
  readonly accountType: string;
  /** The encoding of the signature, and the first bit whose flip must break it. */
  readonly encoding: 'hex' | 'base58' | 'base64';
  readonly fragileFromBit: number;
  addressOf(key: Buffer): string;
  sign(message: string, key: Buffer): string;
}

const SIGNERS: readonly Signer[] = [
  {
    name: 'EVM (ethers)',
    accountType: 'ETHEREUM_WALLET',
    encoding: 'hex',
    fragileFromBit: 0,
    addressOf: (key) => computeAddress(`0x${key.toString('hex')}`),
    sign: (message, key) => new Wallet(`0x${key.toString('hex')}`).signMessageSync(message),
  },
  {
    name: 'Tron (tronweb)',
    accountType: 'TRON_WALLET',
    encoding: 'hex',
    fragileFromBit: 0,
    addressOf: (key) => String(tron.address.fromPrivateKey(key.toString('hex'))),
    sign: (message, key) => tron.message.signMessage(message, key.toString('hex')),
  },
  {
    name: 'Solana (tweetnacl)',
    accountType: 'SOLANA_WALLET',
    encoding: 'base58',
    fragileFromBit: 0,
    addressOf: (key) => base58.encode(solanaPair(key).publicKey),
    sign: (message, key) =>
      base58.encode(nacl.sign.detached(Buffer.from(message), solanaPair(key).secretKey)),
  },
  {
    name: 'Spark by Bitcoin message (bitcoinjs-message)',
    accountType: 'SPARK_WALLET',
    encoding: 'base64',
    // Headers of different groups mean the same for a Spark key, so only a change of r and s must break the signature.
    fragileFromBit: 8,
    addressOf: sparkAddress,
    sign: (message, key) => signBitcoinMessage(message, key, true).toString('base64'),
  },
  {
    name: 'Spark by DER signature (OpenSSL)',
    accountType: 'SPARK_WALLET',
    encoding: 'hex',
    fragileFromBit: 0,
    addressOf: sparkAddress,
    sign: (message, key) => opensslSignature(message, key, 'der'),
  },
  {
    name: 'Spark by compact signature (OpenSSL)',
    accountType: 'SPARK_WALLET',
    encoding: 'hex',
    fragileFromBit: 0,
    addressOf: sparkAddress,
    sign: (message, key) => opensslSignature(message, key, 'ieee-p1363'),
  },
];

/** The library takes as long to derive the pair as to sign, and a claim needs both its keys. */
const solanaPairs = new Map<string, nacl.SignKeyPair>();

function solanaPair(key: Buffer): nacl.SignKeyPair {
  const name = key.toString('hex');
  const pair = solanaPairs.get(name) ?? nacl.sign.keyPair.fromSeed(key);
  solanaPairs.set(name, pair);
  return pair;
}

const secretKey = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes))
  .filter((bytes) => secp256k1.utils.isValidSecretKey(bytes));
const message = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 });

describe('verifyOwnership', () => {
  for (const signer of SIGNERS) {
    it(`accounts.md §5.3.24: accepts a wallet’s signature: ${signer.name}`, () => {
      fc.assert(
        fc.property(secretKey, message, (key, text) => {
          assert.equal(verifyOwnership(signClaim(signer, key, text)), true);
        }),
        { numRuns: 25 },
      );
    });

    it(`accounts.md §5.3.23: refuses the signature with any one bit flipped: ${signer.name}`, () => {
      fc.assert(
        fc.property(secretKey, message, fc.nat(), (key, text, position) => {
          const claim = signClaim(signer, key, text);
          const signature = flipBit(claim.signature, signer, position);
          assert.equal(verifyOwnership({ ...claim, signature }), false);
        }),
        { numRuns: 50 },
      );
    });

    it(`accounts.md §5.3.23: refuses another key's signature: ${signer.name}`, () => {
      fc.assert(
        fc.property(secretKey, secretKey, message, (key, otherKey, text) => {
          fc.pre(!key.equals(otherKey));
          const signature = signer.sign(text, otherKey);
          assert.equal(verifyOwnership({ ...signClaim(signer, key, text), signature }), false);
        }),
        { numRuns: 15 },
      );
    });

    it(`accounts.md §5.3.23: refuses a trimmed, re-cased or longer message: ${signer.name}`, () => {
      const claim = signClaim(signer, Buffer.alloc(32, 7), 'Svc wallet ownership: nonce 0f. ');
      for (const changed of [claim.message.trim(), claim.message.toUpperCase(), `${claim.message}\n`, '']) {
        assert.equal(verifyOwnership({ ...claim, message: changed }), false, changed);
      }
    });
  }

  it('accounts.md §5.3.26: outside Bitcoin the signature scheme is ignored', () => {
    for (const signer of SIGNERS.filter(({ accountType }) => accountType !== 'SPARK_WALLET')) {
      const claim = signClaim(signer, Buffer.alloc(32, 9), 'I control it');
      assert.equal(verifyOwnership({ ...claim, signatureScheme: 'electrum' }), true, signer.name);
      assert.equal(verifyOwnership({ ...claim, signatureScheme: 'bip137' }), true, signer.name);
    }
  });

  it('accounts.md §4.4: every EVM account type proves the same way', () => {
    const claim = signClaim(SIGNERS[0] as Signer, Buffer.alloc(32, 5), 'I control it');
    for (const accountType of ['BASE_WALLET', 'POLYGON_WALLET', 'ARBITRUM_WALLET', 'PLASMA_WALLET']) {
      assert.equal(verifyOwnership({ ...claim, accountType }), true, accountType);
    }
  });

  it('accounts.md §5.3: a proof of one family is invalid for another, and for an account that is not a wallet', () => {
    const claim = signClaim(SIGNERS[0] as Signer, Buffer.alloc(32, 5), 'I control it');
    for (const accountType of ['TRON_WALLET', 'SOLANA_WALLET', 'SPARK_WALLET', 'LIGHTNING', 'toString', '']) {
      assert.equal(verifyOwnership({ ...claim, accountType }), false, accountType);
    }
  });

  it('accounts.md §5.3.23: arbitrary text as address, message and signature returns false, and never throws', () => {
    const text = fc.oneof(fc.string({ unit: CODE_POINT, maxLength: 300 }), fc.base64String(), fc.string());
    const accountType = fc.constantFrom('ETHEREUM_WALLET', 'TRON_WALLET', 'SOLANA_WALLET', 'SPARK_WALLET');
    const signatureScheme = fc.constantFrom('bip137' as const, 'electrum' as const);
    fc.assert(
      fc.property(
        fc.record({ accountType, address: text, message: text, signature: text, signatureScheme }),
        (claim) => {
          assert.equal(verifyOwnership(claim), false);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('accounts.md §5.3.23: well-encoded nonsense for a real address returns false, and never throws', () => {
    const bytes = fc.uint8Array({ minLength: 60, maxLength: 72 }).map((array) => Buffer.from(array));
    const claims = SIGNERS.map((signer) => ({
      signer,
      claim: signClaim(signer, Buffer.alloc(32, 3), 'mine'),
    }));
    fc.assert(
      fc.property(fc.constantFrom(...claims), bytes, ({ signer, claim }, nonsense) => {
        assert.equal(verifyOwnership({ ...claim, signature: encode(nonsense, signer.encoding) }), false);
      }),
      { numRuns: 300 },
    );
  });

  it('accounts.md §5.3.23: extreme scalars are refused', () => {
    const order = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex');
    const scalars = [Buffer.alloc(32), order, Buffer.alloc(32, 0xff)];
    for (const signer of SIGNERS) {
      const claim = signClaim(signer, Buffer.alloc(32, 3), 'I control it');
      for (const [r, s] of scalars.flatMap((left) => scalars.map((right) => [left, right] as const))) {
        for (const extra of [Buffer.alloc(0), Buffer.of(27)]) {
          const nonsense = signer.encoding === 'base64' ? [Buffer.of(31), r, s] : [r, s, extra];
          const signature = encode(Buffer.concat(nonsense), signer.encoding);
          assert.equal(verifyOwnership({ ...claim, signature }), false, signer.name);
        }
      }
    }
  });
});

function signClaim(signer: Signer, key: Buffer, text: string): OwnershipClaim {
  return {
    accountType: signer.accountType,
    address: signer.addressOf(key),
    message: text,
    signature: signer.sign(text, key),
  };
}

function flipBit(signature: string, { encoding, fragileFromBit }: Signer, position: number): string {
  const bytes = Buffer.from(decode(signature, encoding));
  const bit = fragileFromBit + (position % (bytes.length * 8 - fragileFromBit));
  const at = Math.floor(bit / 8);
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (bit % 8)), at);
  return encode(bytes, encoding);
}

function encode(bytes: Buffer, encoding: Signer['encoding']): string {
  return encoding === 'base58' ? base58.encode(bytes) : bytes.toString(encoding);
}

function decode(text: string, encoding: Signer['encoding']): Uint8Array {
  return encoding === 'base58' ? base58.decode(text) : Buffer.from(text.replace(/^0x/, ''), encoding);
}

function sparkAddress(key: Buffer): string {
  return encodeSparkAddress(secp256k1.getPublicKey(key), 'spark');
}

function opensslSignature(text: string, key: Buffer, dsaEncoding: 'der' | 'ieee-p1363'): string {
  const point = Buffer.from(secp256k1.getPublicKey(key, false));
  const jwk = {
    kty: 'EC',
    crv: 'secp256k1',
    d: key.toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  return signWithOpenssl('sha256', Buffer.from(text), { key: privateKey, dsaEncoding }).toString('hex');
}
