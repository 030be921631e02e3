import { secp256k1 } from '@noble/curves/secp256k1.js';
import { equalBytes } from '@noble/curves/utils.js';
import { type HeaderRange, recoverBitcoinSigner } from '#external-accounts/ownership/bitcoin.ts';
import { decodeHex } from '#external-accounts/ownership/decode-hex.ts';
import type { OwnershipProof, SignatureScheme } from '#external-accounts/ownership/types.ts';
import { attempt } from '#lib/identifiers/attempt.ts';
import { sparkIdentityKey } from '#lib/identifiers/spark-address.ts';

/** accounts.md §5.3, "Bitcoin detail": a Spark key is always compressed. */
const HEADERS: Readonly<Record<SignatureScheme, HeaderRange>> = { bip137: [31, 42], electrum: [31, 34] };

/** A Spark address proves itself by its identity key: as a Bitcoin message, or as Spark wallets sign. */
export function provesSparkOwnership(proof: OwnershipProof, scheme: SignatureScheme): boolean {
  const identityKey = sparkIdentityKey(proof.address);
  if (identityKey === undefined) return false;
  const signer = recoverBitcoinSigner(proof.message, proof.signature, HEADERS[scheme]);
  if (signer !== undefined) return equalBytes(signer, identityKey);
  return isPlainSignature(proof, identityKey);
}

/** ECDSA over one SHA-256, in hex, either DER or r‖s. The high-s rule of the EVM row does not hold here. */
function isPlainSignature({ message, signature }: OwnershipProof, identityKey: Uint8Array): boolean {
  const bytes = decodeHex(signature);
  if (bytes === undefined) return false;
  const format = bytes.length === 64 ? 'compact' : 'der';
  return attempt(() => secp256k1.verify(bytes, message, identityKey, { format, lowS: false })) === true;
}
