import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import type { OwnershipProof } from '#capabilities/external-accounts/ownership/signatures.ts';
import { attempt } from '#foundation/lib/identifiers/attempt.ts';
import { decodeSolanaAddress } from '#foundation/lib/identifiers/wallet-address.ts';

/**
 * accounts.md §5.3, Solana: Ed25519 over the message. Verification is strict, like Solana's own: it refuses keys of
 * small order, because anyone can forge a signature for them. The system program's address is such a key.
 */
export function provesSolanaOwnership({ address, message, signature }: OwnershipProof): boolean {
  const key = decodeSolanaAddress(address);
  const bytes = attempt(() => base58.decode(signature));
  if (key === undefined || bytes?.length !== 64) return false;
  return ed25519.verify(bytes, message, key, { zip215: false });
}
