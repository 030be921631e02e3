import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bech32, bech32m } from '@scure/base';
import fc from 'fast-check';
import {
  encodeSparkAddress,
  isSparkWalletAddress,
  sparkIdentityKey,
} from '#foundation/lib/identifiers/spark.ts';

const PREFIXES = [
  'spark',
  'sparkt',
  'sparkrt',
  'sparks',
  'sparkl',
  'sp',
  'spt',
  'sprt',
  'sps',
  'spl',
] as const;
const key = Buffer.from(secp256k1.getPublicKey(Buffer.alloc(32, 0x11)));
const identity = Buffer.concat([Buffer.of(0x0a, 33), key]);

describe('Spark addresses', () => {
  it('accounts.md §4.3 Spark: every current and legacy prefix is accepted, no other', () => {
    for (const prefix of PREFIXES) {
      const address = encodeSparkAddress(key, prefix);
      assert.ok(address.startsWith(`${prefix}1pgss`), address);
      assert.deepEqual(Buffer.from(sparkIdentityKey(address) ?? []), key);
      assert.equal(isSparkWalletAddress(address), true);
      assert.equal(isSparkWalletAddress(address.toUpperCase()), true);
    }
    for (const prefix of ['bc', 'sparkx', 'spa', 's']) {
      assert.equal(isSparkWalletAddress(encoded(identity, prefix)), false, prefix);
    }
  });

  it('accounts.md §4.3 Spark: any one wrong character is noticed', () => {
    const address = encodeSparkAddress(key, 'spark');
    const place = fc.integer({ min: 'spark1'.length, max: address.length - 1 });
    fc.assert(
      fc.property(place, fc.constantFrom(...'qpzry9x8gf2tvdw0s3jn54khce6mua7l'), (at, character) => {
        fc.pre(address.charAt(at) !== character);
        assert.equal(isSparkWalletAddress(address.slice(0, at) + character + address.slice(at + 1)), false);
      }),
    );
  });

  it('accounts.md §4.3 Spark: it is Bech32m, not Bech32', () => {
    assert.equal(isSparkWalletAddress(bech32.encode('spark', bech32.toWords(identity), 1024)), false);
  });

  it('accounts.md §4.3 Spark: further well-formed fields do not matter', () => {
    const invoice = Buffer.concat([Buffer.of(0x12, 3), Buffer.from('abc')]);
    const numbers = Buffer.of(0x18, 0xff, 0x01, 0x21, 1, 2, 3, 4, 5, 6, 7, 8, 0x2d, 1, 2, 3, 4);
    for (const message of [Buffer.concat([identity, invoice, numbers]), Buffer.concat([invoice, identity])]) {
      assert.deepEqual(Buffer.from(sparkIdentityKey(encoded(message)) ?? []), key);
    }
  });

  it('accounts.md §4.3 Spark: field 1 must be one compressed key on the curve, in a whole message', () => {
    const offCurve = Buffer.concat([Buffer.of(0x0a, 33, 0x02), Buffer.alloc(32, 0xff)]);
    const uncompressed = secp256k1.getPublicKey(Buffer.alloc(32, 0x11), false);
    const refused: Readonly<Record<string, Buffer>> = {
      empty: Buffer.alloc(0),
      'no field 1': Buffer.concat([Buffer.of(0x12, 33), key]),
      'field 0': Buffer.concat([identity, Buffer.of(0x02, 1, 1)]),
      'two keys': Buffer.concat([identity, identity]),
      'not a point': offCurve,
      uncompressed: Buffer.concat([Buffer.of(0x0a, 65), uncompressed]),
      'field 1 as a number': Buffer.of(0x08, 33),
      'cut short': identity.subarray(0, 20),
      'trailing byte': Buffer.concat([identity, Buffer.of(0x12)]),
      'length past the end': Buffer.concat([identity, Buffer.of(0x12, 0xff, 0xff, 0xff, 0xff, 0x0f)]),
      'number without end': Buffer.concat([identity, Buffer.of(0x18), Buffer.alloc(11, 0xff)]),
      'fixed past the end': Buffer.concat([identity, Buffer.of(0x21, 1, 2)]),
      'group wire type': Buffer.concat([identity, Buffer.of(0x13)]),
    };
    for (const [name, message] of Object.entries(refused)) {
      assert.equal(isSparkWalletAddress(encoded(message)), false, name);
    }
  });

  it('accounts.md §4.3 Spark: at most 1024 characters', () => {
    const longField = (length: number) =>
      Buffer.concat([identity, Buffer.of(0x12, 0x80 | (length % 128), length >> 7), Buffer.alloc(length)]);
    assert.equal(isSparkWalletAddress(encoded(longField(590))), true);
    assert.equal(isSparkWalletAddress(encoded(longField(620))), false);
  });

  it('accounts.md §4.3 Spark: an arbitrary message never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (message) => {
        assert.equal(typeof isSparkWalletAddress(encoded(message)), 'boolean');
      }),
    );
  });
});

function encoded(message: Uint8Array, prefix = 'spark'): string {
  return bech32m.encode(prefix, bech32m.toWords(message), 2000);
}
