import assert from 'node:assert/strict';
import { createECDH } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  derivePublicKey,
  generateKeyPair,
  importPrivateKey,
  isDerSignature,
  parsePublicKey,
  signBytes,
  verifySignature,
} from '#foundation/crypto/p256.ts';
import { VECTORS, vectorKey } from '#tests/harness/wallet-vectors.ts';

const OFF_CURVE = `02${'0'.repeat(63)}1`;

describe('P-256 keys and signatures (wallets.md §4.12, §6.4.33)', () => {
  const names = Object.keys(VECTORS.publicKeys) as (keyof typeof VECTORS.publicKeys)[];

  it('wallets.md §6.4.33: a key is parsed in both encodings and either case, and remembers its encoding', () => {
    for (const name of names) {
      const compressed = VECTORS.publicKeys[name];
      const uncompressed = createUncompressed(vectorKey(name));
      assert.deepEqual(parsePublicKey(compressed), { compressed, uncompressed, isCompressed: true });
      assert.deepEqual(parsePublicKey(uncompressed.toUpperCase()), {
        compressed,
        uncompressed,
        isCompressed: false,
      });
      assert.equal(derivePublicKey(vectorKey(name)).compressed, compressed);
    }
  });

  it('wallets.md §6.4.33: a text that is not a point on the curve, or has another form, is not a key', () => {
    const { compressed, uncompressed } = generateKeyPair().publicKey;
    const lastDigit = uncompressed.endsWith('0') ? '1' : '0';
    const bad = [
      OFF_CURVE,
      `${uncompressed.slice(0, -1)}${lastDigit}`,
      `04${compressed.slice(2)}`,
      `02${uncompressed.slice(2)}`,
      `06${uncompressed.slice(2)}`,
      `07${uncompressed.slice(2)}`,
      `04${'0'.repeat(128)}`,
      `02${'f'.repeat(64)}`,
      compressed.slice(2),
      compressed.slice(1),
      `${compressed} `,
      `${compressed}\n`,
      `0x${compressed}`,
      `${compressed}00`,
      compressed.replace(/.$/, 'g'),
      '00',
      '',
    ];
    for (const hex of bad) assert.equal(parsePublicKey(hex), undefined, hex);
  });

  it('a new key pair is a scalar of 32 bytes and its point, and no two are the same', async () => {
    const pairs = Array.from({ length: 300 }, generateKeyPair);
    for (const { privateKey, publicKey } of pairs) {
      assert.equal(privateKey.length, 32);
      assert.equal(publicKey.uncompressed, createUncompressed(privateKey));
    }
    assert.equal(new Set(pairs.map(({ publicKey }) => publicKey.compressed)).size, pairs.length);
  });

  it('wallets.md §4.12: signatures with a high and with a low S verify; none verifies over other bytes or with another key', async () => {
    const { payloadToSign, der, derHighS } = VECTORS.stamp;
    const { session, client } = VECTORS.publicKeys;
    for (const hex of [der, derHighS]) {
      const signature = Buffer.from(hex, 'hex');
      assert.ok(isDerSignature(signature));
      assert.equal(await verifySignature(session, payloadToSign, signature), true);
      assert.equal(await verifySignature(session, Buffer.from(payloadToSign), signature), true);
      assert.equal(await verifySignature(session, `${payloadToSign} `, signature), false);
      assert.equal(await verifySignature(client, payloadToSign, signature), false);
      assert.equal(await verifySignature(OFF_CURVE, payloadToSign, signature), false);
      assert.equal(await verifySignature('', payloadToSign, signature), false);
    }
    assert.equal(await verifySignature(session, payloadToSign, new Uint8Array(0)), false);
    assert.equal(
      await verifySignature(session, payloadToSign, Buffer.from('3006020100020100', 'hex')),
      false,
    );
  });

  it('our own signatures verify', async () => {
    const { privateKey, publicKey } = generateKeyPair();
    const signature = await signBytes(importPrivateKey(privateKey), 'text');
    assert.equal(await verifySignature(publicKey.compressed, 'text', signature), true);
  });
});

function createUncompressed(privateKey: Buffer): string {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateKey);
  return ecdh.getPublicKey('hex', 'uncompressed');
}
