import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { bech32 } from '@scure/base';
import { decode } from 'light-bolt11-decoder';
import { attempt } from '#foundation/lib/identifiers/attempt.ts';
import type { Seeded } from '#foundation/lib/identifiers/seeded.ts';

/** BOLT 11: an invoice without an expiry is valid for one hour. */
const DEFAULT_EXPIRY_SECONDS = 3600;

/** Far above real invoices, and low enough that decoding garbage costs little. */
const INVOICE_LENGTH_MAX = 4096;

/** accounts.md §4.4: the BOLT 11 invoice decodes and can still be paid at `now`. */
export function isPayableInvoice(invoice: string, now: Date): boolean {
  const expiresAt = invoiceExpiry(invoice);
  return expiresAt !== undefined && now.getTime() < expiresAt.getTime();
}

/** When the invoice stops being payable; undefined if it is not a BOLT 11 invoice. */
export function invoiceExpiry(invoice: string): Date | undefined {
  if (invoice.length > INVOICE_LENGTH_MAX) return undefined;
  const sections = attempt(() => decode(invoice))?.sections;
  if (sections === undefined) return undefined;
  let issuedSeconds: number | undefined;
  let expirySeconds = DEFAULT_EXPIRY_SECONDS;
  let paymentHash = '';
  for (const section of sections) {
    if (section.name === 'timestamp') issuedSeconds = section.value;
    if (section.name === 'expiry') expirySeconds = section.value;
    if (section.name === 'payment_hash') paymentHash = section.value;
  }
  // The decoder accepts an invoice without any fields; one without a payment hash cannot be paid.
  if (issuedSeconds === undefined || paymentHash.length < 64) return undefined;
  return new Date((issuedSeconds + expirySeconds) * 1000);
}

/** accounts.md §4.4: a BOLT 12 offer. As with all Bech32 text, it may be written in capitals. */
export function isBolt12Offer(offer: string): boolean {
  return offer.startsWith('lno1') || offer.startsWith('LNO1');
}

export interface InvoiceTerms {
  readonly satoshis: bigint;
  readonly description: string;
  readonly issuedAt: Date;
  readonly expirySeconds: number;
}

/** A signed BOLT 11 invoice of Bitcoin's test network; node key, payment hash and secret are derived from the source. */
export function lightningInvoice(source: Seeded, terms: InvoiceTerms): string {
  // A satoshi is ten nano-bitcoin, which needs no rounding at any amount.
  const prefix = `lntb${terms.satoshis * 10n}n`;
  const words = [
    ...numberWords(Math.floor(terms.issuedAt.getTime() / 1000), TIMESTAMP_WORDS),
    ...field('p', bech32.toWords(sha256(source.bytes('lightning preimage')))),
    ...field('s', bech32.toWords(source.bytes('lightning payment secret'))),
    ...field('d', bech32.toWords(Buffer.from(terms.description))),
    ...field('x', numberWords(terms.expirySeconds)),
    ...field('9', FEATURES),
  ];
  const signature = sign(sha256(concatBytes(Buffer.from(prefix), packed(words))), nodeKey(source));
  return bech32.encode(prefix, [...words, ...bech32.toWords(signature)], false);
}

const TIMESTAMP_WORDS = 7;

/** Bits 8 and 14: variable-length onions and payment secrets are required. */
const FEATURES = [16, 8, 0];

/** A tag, its length in two words, its data. */
function field(tag: string, data: readonly number[]): number[] {
  return [CHARSET.indexOf(tag), data.length >> 5, data.length & 31, ...data];
}

const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** Big-endian groups of five bits; by default as many as are needed. */
function numberWords(value: number, count = Math.max(1, Math.ceil(Math.log2(value + 1) / 5))): number[] {
  return Array.from({ length: count }, (_, i) => Math.floor(value / 32 ** (count - 1 - i)) % 32);
}

/** The signed bytes: the words as bytes, the last one padded with zero bits. */
function packed(words: readonly number[]): Uint8Array {
  const bits = words.map((word) => word.toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
}

/** r, s and the recovery id, from which a payer recovers the node's key. */
function sign(hash: Uint8Array, key: Uint8Array): Uint8Array {
  const recovered = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' });
  return Uint8Array.from([...recovered.subarray(1), recovered[0] ?? 0]);
}

/** Not every 32 bytes are a scalar of the curve; for the few that are not, the next stream is used. */
function nodeKey(source: Seeded): Uint8Array {
  for (let round = 0; ; round++) {
    const key = source.bytes(`lightning node ${round}`);
    if (attempt(() => secp256k1.getPublicKey(key)) !== undefined) return key;
  }
}
