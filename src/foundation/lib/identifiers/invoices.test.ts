import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bech32, bech32m } from '@scure/base';
import { decode } from 'light-bolt11-decoder';
import { sparkDepositAddress } from '#edge/sandbox/accounts/deposit-addresses.ts';
import { invoiceExpiry, isPayableInvoice, lightningInvoice } from '#foundation/lib/identifiers/lightning.ts';
import { seeded } from '#foundation/lib/identifiers/seeded.ts';
import { sparkIdentityKey, sparkInvoice } from '#foundation/lib/identifiers/spark.ts';

const source = (byte: number) => seeded(new Uint8Array(32).fill(byte));
const issuedAt = new Date('2026-03-02T10:00:00Z');
const terms = { satoshis: 331_534n, description: 'SVC-QABCDEFGH', issuedAt, expirySeconds: 300 };

describe('invoices for real-time funding', () => {
  it('money.md §2.9: a Lightning invoice contains amount, reference and time, and can be paid until it expires', () => {
    for (const satoshis of [1n, 999n, 331_534n, 2_100_000_000_000_000n]) {
      const invoice = lightningInvoice(source(7), { ...terms, satoshis });
      const values = new Map(
        decode(invoice).sections.map((section) => [section.name, 'value' in section ? section.value : '']),
      );
      assert.equal(values.get('amount'), String(satoshis * 1000n));
      assert.equal(values.get('description'), 'SVC-QABCDEFGH');
      assert.equal(values.get('expiry'), 300);
      assert.equal(invoiceExpiry(invoice)?.toISOString(), '2026-03-02T10:05:00.000Z');
      assert.equal(isPayableInvoice(invoice, new Date('2026-03-02T10:04:59Z')), true);
      assert.equal(isPayableInvoice(invoice, new Date('2026-03-02T10:05:00Z')), false);
    }
  });

  it('BOLT 11: the signature covers the invoice, so that the same node key is recovered every time', () => {
    const keys = [terms, { ...terms, satoshis: 5n }].map((each) =>
      recoverNodeKey(lightningInvoice(source(7), each)),
    );
    assert.equal(keys[0], keys[1]);
    assert.notEqual(recoverNodeKey(lightningInvoice(source(8), terms)), keys[0]);
  });

  it('money.md §2.9: a Spark invoice contains its receiver’s address and the amount to pay', () => {
    const address = sparkDepositAddress(source(7));
    const id = '019542f5-b3e7-7d02-8000-000000000099';
    const invoice = sparkInvoice(address, {
      id,
      satoshis: 331_534n,
      memo: 'SVC-QABCDEFGH',
      expiresAt: issuedAt,
    });
    assert.deepEqual(sparkIdentityKey(invoice), sparkIdentityKey(address));
    assert.ok(invoice.startsWith('sparkt1'));
    const message = Buffer.from(bech32m.fromWords(bech32m.decode(invoice as `a1${string}`, 1024).words));
    assert.ok(message.includes(Buffer.from(id.replaceAll('-', ''), 'hex')));
    assert.ok(message.includes('SVC-QABCDEFGH'));
    // Field 4 holds a message whose field 1 is the amount: 331534 as a varint.
    assert.ok(message.includes(Buffer.from([0x22, 0x04, 0x08, 0x8e, 0x9e, 0x14])));
    assert.throws(
      () => sparkInvoice('bc1qnothere', { id, satoshis: 1n, memo: '', expiresAt: issuedAt }),
      TypeError,
    );
  });
});

/** The key that a payer recovers from the signature over everything before it. */
function recoverNodeKey(invoice: string): string {
  const { prefix, words } = bech32.decode(invoice as `a1${string}`, false);
  const signature = bech32.fromWords(words.slice(-104));
  const bits = words
    .slice(0, -104)
    .map((word) => word.toString(2).padStart(5, '0'))
    .join('');
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
  const hash = createHash('sha256').update(prefix).update(Uint8Array.from(bytes)).digest();
  const recovered = Uint8Array.from([signature[64] ?? 0, ...signature.subarray(0, 64)]);
  const key = secp256k1.recoverPublicKey(recovered, hash, { prehash: false });
  assert.ok(secp256k1.verify(signature.subarray(0, 64), hash, key, { prehash: false }));
  return Buffer.from(key).toString('hex');
}
