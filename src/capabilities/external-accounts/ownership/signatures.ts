import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { attempt } from '#foundation/lib/identifiers/attempt.ts';

export const SIGNATURE_SCHEMES = ['bip137', 'electrum'] as const;
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

export interface OwnershipProof {
  readonly address: string;
  readonly message: Uint8Array;
  /** The client's text, in the family's encoding. */
  readonly signature: string;
}

export interface RecoverableSignature {
  /** r‖s, 64 bytes. */
  readonly compact: Uint8Array;
  /** 0 to 3. */
  readonly recovery: number;
}

export interface RecoveredKey {
  readonly hasHighS: boolean;
  toBytes(isCompressed: boolean): Uint8Array;
}

/** The secp256k1 key that signed this hash; undefined if there is none. */
export function recoverKey(
  hash: Uint8Array,
  { compact, recovery }: RecoverableSignature,
): RecoveredKey | undefined {
  return attempt(() => {
    const signature = secp256k1.Signature.fromBytes(compact, 'compact').addRecoveryBit(recovery);
    const point = signature.recoverPublicKey(hash);
    return {
      hasHighS: signature.hasHighS(),
      toBytes: (isCompressed) => point.toBytes(isCompressed),
    };
  });
}

/** The bytes of a hex string in either case, with or without `0x`; undefined for anything else. */
export function decodeHex(text: string): Uint8Array | undefined {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  return digits.length % 2 === 0 && /^[0-9a-fA-F]+$/.test(digits) ? hexToBytes(digits) : undefined;
}
