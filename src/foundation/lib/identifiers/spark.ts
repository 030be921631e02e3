import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { bech32m } from '@scure/base';
import { isBitcoinAddress } from '#foundation/lib/identifiers/bitcoin-address.ts';

export type SparkPrefix = (typeof PREFIXES)[number];

/** accounts.md §4.3: today's prefixes, then the legacy ones. */
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
const LENGTH_MAX = 1024;

/** accounts.md §4.3, Spark: a Spark address, or an on-chain Bitcoin address. */
export function isSparkWalletAddress(address: string): boolean {
  return sparkIdentityKey(address) !== undefined || isBitcoinAddress(address);
}

/** The wallet's 33-byte identity key, or undefined if this is not a Spark address. */
export function sparkIdentityKey(address: string): Uint8Array | undefined {
  if (address.length > LENGTH_MAX) return undefined;
  const decoded = bech32m.decodeUnsafe(address, LENGTH_MAX);
  if (decoded === undefined || !PREFIXES.some((prefix) => prefix === decoded.prefix)) return undefined;
  const message = bech32m.fromWordsUnsafe(decoded.words);
  const key = message instanceof Uint8Array ? identityField(message) : undefined;
  return key && secp256k1.utils.isValidPublicKey(key, true) ? key : undefined;
}

/** The address of a wallet with this compressed key. */
export function encodeSparkAddress(identityKey: Uint8Array, prefix: SparkPrefix): string {
  const message = concatBytes(Uint8Array.of((1 << 3) | BYTES, identityKey.length), identityKey);
  return bech32m.encode(prefix, bech32m.toWords(message), LENGTH_MAX);
}

/** Protobuf wire types. */
const [VARINT, FIXED64, BYTES, FIXED32] = [0, 1, 2, 5];

/**
 * Field 1 of the protobuf message. The other fields (a Spark invoice has some) must be well formed but are not used
 * here; a second field 1 is refused, because decoders differ on which of the two counts.
 */
function identityField(message: Uint8Array): Uint8Array | undefined {
  let key: Uint8Array | undefined;
  let at = 0;
  while (at < message.length) {
    const tag = readVarint(message, at);
    const span = tag && fieldSpan(message, tag.end, tag.value % 8);
    if (tag === undefined || span === undefined || span.end > message.length) return undefined;
    if (tag.value < 8) return undefined;
    if (Math.floor(tag.value / 8) === 1) {
      if (key !== undefined || tag.value % 8 !== BYTES) return undefined;
      key = message.subarray(span.start, span.end);
    }
    at = span.end;
  }
  return key;
}

function fieldSpan(message: Uint8Array, start: number, wireType: number): Span | undefined {
  if (wireType === FIXED64) return { start, end: start + 8 };
  if (wireType === FIXED32) return { start, end: start + 4 };
  const number = readVarint(message, start);
  if (number === undefined) return undefined;
  if (wireType === VARINT) return { start, end: number.end };
  if (wireType === BYTES) return { start: number.end, end: number.end + number.value };
  return undefined;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** At most ten bytes, as in protobuf. Values above 2^53 lose precision, but they exceed any length here anyway. */
function readVarint(message: Uint8Array, start: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let at = start; at < start + 10; at++) {
    const byte = message[at];
    if (byte === undefined) return undefined;
    value += (byte % 128) * 2 ** (7 * (at - start));
    if (byte < 128) return { value, end: at + 1 };
  }
  return undefined;
}

export interface SparkInvoiceTerms {
  /** Bare UUID of the invoice. */
  readonly id: string;
  readonly satoshis: bigint;
  readonly memo: string;
  readonly expiresAt: Date;
}

/**
 * A Spark invoice: a Spark address whose message also contains the amount to pay. `address` is the receiver's plain
 * address; the invoice is for its network.
 */
export function sparkInvoice(address: string, terms: SparkInvoiceTerms): string {
  const key = sparkIdentityKey(address);
  if (key === undefined) throw new TypeError('A Spark invoice needs a Spark address');
  const payment = concatBytes(
    varintField(1, 1n),
    bytesField(2, Buffer.from(terms.id.replaceAll('-', ''), 'hex')),
    bytesField(4, varintField(1, terms.satoshis)),
    bytesField(5, Buffer.from(terms.memo)),
    bytesField(7, varintField(1, BigInt(Math.floor(terms.expiresAt.getTime() / 1000)))),
  );
  const message = concatBytes(bytesField(1, key), bytesField(2, payment));
  return bech32m.encode(address.slice(0, address.lastIndexOf('1')), bech32m.toWords(message), LENGTH_MAX);
}

/** Protobuf: number and wire type, then the value. */
function varintField(number: number, value: bigint): Uint8Array {
  return concatBytes(Uint8Array.of(number << 3), varint(value));
}

function bytesField(number: number, value: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of((number << 3) | 2), varint(BigInt(value.length)), value);
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.from([...bytes, Number(rest)]);
}
