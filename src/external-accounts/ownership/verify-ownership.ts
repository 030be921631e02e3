import { provesBitcoinOwnership } from '#external-accounts/ownership/bitcoin.ts';
import { provesEvmOwnership } from '#external-accounts/ownership/evm.ts';
import { provesSolanaOwnership } from '#external-accounts/ownership/solana.ts';
import { provesSparkOwnership } from '#external-accounts/ownership/spark.ts';
import { provesTronOwnership } from '#external-accounts/ownership/tron.ts';
import type { OwnershipProof, SignatureScheme } from '#external-accounts/ownership/types.ts';
import { walletFamily } from '#lib/identifiers/wallet-formats.ts';

export interface OwnershipClaim {
  readonly accountType: string;
  /** As stored with the account. */
  readonly address: string;
  /** The challenge's `messageToSign`, exactly. */
  readonly message: string;
  readonly signature: string;
  /** OW-26: Bitcoin only, `bip137` unless given. */
  readonly signatureScheme?: SignatureScheme | undefined;
}

/** Longer than any signature of accounts.md §5.3; decoding something huge would cost more than it could prove. */
const SIGNATURE_LENGTH_MAX = 256;

/**
 * Whether the signature over the message was made by whoever controls the address (accounts.md §5.3).
 * Anything that is no signature, no address or no wallet is false; nothing throws.
 */
export function verifyOwnership(claim: OwnershipClaim): boolean {
  if (claim.signature.length > SIGNATURE_LENGTH_MAX) return false;
  const proof: OwnershipProof = {
    address: claim.address,
    message: new TextEncoder().encode(claim.message),
    signature: claim.signature,
  };
  switch (walletFamily(claim.accountType)) {
    case 'EVM':
      return provesEvmOwnership(proof);
    case 'SOLANA':
      return provesSolanaOwnership(proof);
    case 'TRON':
      return provesTronOwnership(proof);
    case 'BITCOIN': {
      const scheme = claim.signatureScheme ?? 'bip137';
      return provesSparkOwnership(proof, scheme) || provesBitcoinOwnership(proof, scheme);
    }
    case undefined:
      return false;
  }
}
