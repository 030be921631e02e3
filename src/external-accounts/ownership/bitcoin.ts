import { equalBytes } from '@noble/curves/utils.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { recoverKey } from '#external-accounts/ownership/recover-key.ts';
import type { OwnershipProof, SignatureScheme } from '#external-accounts/ownership/types.ts';
import { attempt } from '#lib/identifiers/attempt.ts';
import {
  type BitcoinAddress,
  type BitcoinAddressKind,
  decodeBitcoinAddress,
} from '#lib/identifiers/bitcoin-address.ts';

/** First and last header byte that a scheme allows for a kind of address. */
export type HeaderRange = readonly [first: number, last: number];

/** accounts.md §5.3, "Bitcoin detail": a kind that is missing here can prove nothing this way. */
const HEADERS: Readonly<Partial<Record<BitcoinAddressKind, Record<SignatureScheme, HeaderRange>>>> = {
  P2PKH: { bip137: [27, 34], electrum: [27, 34] },
  P2SH: { bip137: [35, 38], electrum: [31, 34] },
  P2WPKH: { bip137: [39, 42], electrum: [31, 34] },
};

/** From here on the header says that the key is compressed. */
const COMPRESSED_FROM = 31;

export function provesBitcoinOwnership(
  { address, message, signature }: OwnershipProof,
  scheme: SignatureScheme,
): boolean {
  const stored = decodeBitcoinAddress(address);
  const headers = stored && HEADERS[stored.kind]?.[scheme];
  const key = headers && recoverBitcoinSigner(message, signature, headers);
  return stored !== undefined && key !== undefined && equalBytes(programOf(key, stored), stored.program);
}

/** The key behind a base64 signature whose header lies in the range, compressed as the header says. */
export function recoverBitcoinSigner(
  message: Uint8Array,
  signature: string,
  [first, last]: HeaderRange,
): Uint8Array | undefined {
  const bytes = attempt(() => base64.decode(signature));
  const header = bytes?.[0];
  if (bytes?.length !== 65 || header === undefined || header < first || header > last) return undefined;
  const key = recoverKey(bitcoinHash(message), { compact: bytes.subarray(1), recovery: (header - 27) % 4 });
  return key?.toBytes(header >= COMPRESSED_FROM);
}

/** What an address of the stored one's kind commits to when this key owns it. */
function programOf(key: Uint8Array, stored: BitcoinAddress): Uint8Array {
  const keyHash = hash160(key);
  // P2SH is proven only as a wrapper of P2WPKH, whose script is "version 0, 20 bytes of key hash".
  return stored.kind === 'P2SH' ? hash160(concatBytes(Uint8Array.of(0x00, 0x14), keyHash)) : keyHash;
}

function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}

function bitcoinHash(message: Uint8Array): Uint8Array {
  const prefix = utf8ToBytes('\x18Bitcoin Signed Message:\n');
  return sha256(sha256(concatBytes(prefix, compactSize(message.length), message)));
}

/** Bitcoin's variable-length integer. */
function compactSize(length: number): Uint8Array {
  if (length < 0xfd) return Uint8Array.of(length);
  if (length <= 0xffff) return Uint8Array.of(0xfd, length & 0xff, length >> 8);
  const bytes = new Uint8Array(5);
  bytes[0] = 0xfe;
  new DataView(bytes.buffer).setUint32(1, length, true);
  return bytes;
}
