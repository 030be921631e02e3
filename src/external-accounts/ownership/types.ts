export const SIGNATURE_SCHEMES = ['bip137', 'electrum'] as const;
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

export interface OwnershipProof {
  readonly address: string;
  readonly message: Uint8Array;
  /** As the client sent it, in the family's encoding. */
  readonly signature: string;
}
