import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32 } from '@scure/base';
import fc from 'fast-check';
import { invoiceExpiry, isBolt12Offer, isPayableInvoice } from '#foundation/lib/identifiers/lightning.ts';
import { CODE_POINT } from '#tests/harness/code-point.ts';

const ISSUED_SECONDS = 1_790_000_000;
const PAYMENT_HASH_TAG = 1;
const EXPIRY_TAG = 6;
const DESCRIPTION_TAG = 13;
const paymentHash = field(PAYMENT_HASH_TAG, bech32.toWords(new Uint8Array(32).fill(0xab)));
const description = field(DESCRIPTION_TAG, bech32.toWords(Buffer.from('coffee')));

describe('Lightning', () => {
  it('accounts.md §4.4: an invoice is payable until its expiry and not at it', () => {
    const text = invoice([paymentHash, description, field(EXPIRY_TAG, numberWords(600, 2))]);
    assert.deepEqual(invoiceExpiry(text), new Date((ISSUED_SECONDS + 600) * 1000));
    assert.equal(isPayableInvoice(text, new Date((ISSUED_SECONDS + 600) * 1000 - 1)), true);
    assert.equal(isPayableInvoice(text, new Date((ISSUED_SECONDS + 600) * 1000)), false);
  });

  it('accounts.md §4.4: an invoice without an expiry is valid for one hour', () => {
    const text = invoice([paymentHash, description]);
    assert.deepEqual(invoiceExpiry(text), new Date((ISSUED_SECONDS + 3600) * 1000));
  });

  it('accounts.md §4.4: main and test networks, amounts and capitals decode', () => {
    for (const prefix of ['lnbc', 'lnbc2500u', 'lntb20m', 'lnbcrt1', 'lntbs']) {
      const text = invoice([paymentHash, description], prefix);
      assert.equal(isPayableInvoice(text, issued()), true, prefix);
      assert.equal(isPayableInvoice(text.toUpperCase(), issued()), true, prefix);
    }
  });

  it('accounts.md §4.4: a broken checksum, another prefix, no payment hash and excessive length do not decode', () => {
    const text = invoice([paymentHash, description]);
    const refused = [
      text.slice(0, -1) + (text.endsWith('q') ? 'p' : 'q'),
      text.slice(1),
      invoice([description]),
      invoice([paymentHash], 'lnltc'),
      invoice([
        paymentHash,
        field(DESCRIPTION_TAG, new Array(1000).fill(3)),
        ...new Array(4).fill(field(2, new Array(1000).fill(3))),
      ]),
      'lno1qcp4256ypq',
      '',
    ];
    for (const broken of refused)
      assert.equal(isPayableInvoice(broken, issued()), false, broken.slice(0, 80));
  });

  it('accounts.md §4.4: arbitrary text never throws', () => {
    const words = fc.array(fc.nat({ max: 31 }), { maxLength: 300 });
    const wellSummed = words.map((data) => bech32.encode('lnbc', data, false));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: CODE_POINT }), wellSummed), (text) => {
        assert.equal(typeof isPayableInvoice(text, issued()), 'boolean');
      }),
      { numRuns: 300 },
    );
  });

  it('accounts.md §4.4: a BOLT 12 offer starts with lno1', () => {
    assert.deepEqual(['lno1qcp42', 'LNO1QCP42', 'lni1qcp42', 'Lno1qcp42', ' lno1', ''].map(isBolt12Offer), [
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

function issued(): Date {
  return new Date(ISSUED_SECONDS * 1000);
}

/** A whole invoice of BOLT 11: timestamp, fields and the payee's recoverable signature. */
function invoice(fields: number[][], prefix = 'lnbc'): string {
  const data = [...numberWords(ISSUED_SECONDS, 7), ...fields.flat()];
  const padded = [...data, ...new Array((8 - (data.length % 8)) % 8).fill(0)];
  const signed = Buffer.concat([Buffer.from(prefix), bech32.fromWords(padded)]);
  const key = Buffer.alloc(32, 0x21);
  const recovered = secp256k1.sign(sha256(signed), key, { prehash: false, format: 'recovered' });
  const signature = Buffer.concat([recovered.subarray(1), recovered.subarray(0, 1)]);
  return bech32.encode(prefix, [...data, ...bech32.toWords(signature)], false);
}

function field(tag: number, words: number[]): number[] {
  return [tag, ...numberWords(words.length, 2), ...words];
}

function numberWords(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => Math.floor(value / 32 ** (count - 1 - at)) % 32);
}
