import { concatBytes } from '@noble/hashes/utils.js';
import { bech32m } from '@scure/base';
import { sparkIdentityKey } from '#lib/identifiers/spark-address.ts';

export interface SparkInvoiceTerms {
  /** Bare UUID of the invoice. */
  readonly id: string;
  readonly satoshis: bigint;
  readonly memo: string;
  readonly expiresAt: Date;
}

/**
 * A Spark invoice: a Spark address whose message also says what is to be paid. `address` is the receiver's plain
 * address; the invoice is of its network.
 */
export function sparkInvoice(address: string, terms: SparkInvoiceTerms): string {
  const key = sparkIdentityKey(address);
  if (key === undefined) throw new TypeError('A Spark invoice is made out to a Spark address');
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

const LENGTH_MAX = 1024;

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
