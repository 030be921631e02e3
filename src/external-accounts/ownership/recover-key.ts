import { secp256k1 } from '@noble/curves/secp256k1.js';
import { attempt } from '#lib/identifiers/attempt.ts';

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

/** The secp256k1 key that made the signature over this hash, if any point of the curve did. */
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
