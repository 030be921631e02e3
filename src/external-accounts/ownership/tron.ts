import { recoverPersonalSigner } from '#external-accounts/ownership/evm.ts';
import type { OwnershipProof } from '#external-accounts/ownership/types.ts';
import { tronAddressOf } from '#lib/identifiers/tron-address.ts';

/** accounts.md §5.3, Tron: as EVM, under Tron's own prefix and address form. */
export function provesTronOwnership({ address, message, signature }: OwnershipProof): boolean {
  const signer = recoverPersonalSigner('TRON', message, signature);
  return signer !== undefined && tronAddressOf(signer) === address;
}
