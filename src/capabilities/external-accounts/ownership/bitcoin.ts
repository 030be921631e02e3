import { secp256k1 } from '@noble/curves/secp256k1.js';
import { equalBytes } from '@noble/curves/utils.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import {
  decodeHex,
  type OwnershipProof,
  recoverKey,
  type SignatureScheme,
} from '#capabilities/external-accounts/ownership/signatures.ts';
import { attempt } from '#foundation/lib/identifiers/attempt.ts';
import {
  type BitcoinAddress,
  type BitcoinAddressKind,
  decodeBitcoinAddress,
} from '#foundation/lib/identifiers/bitcoin-address.ts';
import { sparkIdentityKey } from '#foundation/lib/identifiers/spark.ts';

/** The header bytes that a scheme allows for a kind of address. */
type HeaderRange = readonly [first: number, last: number];

/** accounts.md §5.3, "Bitcoin detail"; other kinds of address cannot prove ownership by a signed message. */
const HEADERS: Readonly<Partial<Record<BitcoinAddressKind, Record<SignatureScheme, HeaderRange>>>> = {
  P2PKH: { bip137: [27, 34], electrum: [27, 34] },
  P2SH: { bip137: [35, 38], electrum: [31, 34] },
  P2WPKH: { bip137: [39, 42], electrum: [31, 34] },
};

/** Headers from this value on mean a compressed key. */
const COMPRESSED_FROM = 31;

export function provesBitcoinOwnership(
  { address, message, signature }: OwnershipProof,
  scheme: SignatureScheme,
): boolean {
  const stored = decodeBitcoinAddress(address);
  const headers = stored && HEADERS[stored.kind]?.[scheme];
  const key = headers && recoverBitcoinSigner(message, signature, headers);
  return stored !== undefined && key !== undefined && equalBytes(computeProgram(key, stored), stored.program);
}

/** Recovers the key of a base64 signature whose header is in the range, compressed if the header says so. */
function recoverBitcoinSigner(
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

/** The program that an address of this kind has if this key owns it. */
function computeProgram(key: Uint8Array, stored: BitcoinAddress): Uint8Array {
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

/** accounts.md §5.3, "Bitcoin detail": a Spark key is always compressed. */
const SPARK_HEADERS: Readonly<Record<SignatureScheme, HeaderRange>> = {
  bip137: [31, 42],
  electrum: [31, 34],
};

/** The identity key of a Spark address signs either a Bitcoin message, or in the way of Spark wallets. */
export function provesSparkOwnership(proof: OwnershipProof, scheme: SignatureScheme): boolean {
  const identityKey = sparkIdentityKey(proof.address);
  if (identityKey === undefined) return false;
  const signer = recoverBitcoinSigner(proof.message, proof.signature, SPARK_HEADERS[scheme]);
  if (signer !== undefined) return equalBytes(signer, identityKey);
  return isPlainSignature(proof, identityKey);
}

/** ECDSA over one SHA-256, in hex, either DER or r‖s. Unlike in EVM signatures, a high s is allowed. */
function isPlainSignature({ message, signature }: OwnershipProof, identityKey: Uint8Array): boolean {
  const bytes = decodeHex(signature);
  if (bytes === undefined) return false;
  const format = bytes.length === 64 ? 'compact' : 'der';
  return attempt(() => secp256k1.verify(bytes, message, identityKey, { format, lowS: false })) === true;
}
