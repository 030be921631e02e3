import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import {
  decodeHex,
  type OwnershipProof,
  type RecoverableSignature,
  recoverKey,
} from '#capabilities/external-accounts/ownership/signatures.ts';
import { deriveEvmAddress, deriveTronAddress } from '#foundation/lib/identifiers/wallet-address.ts';

/** accounts.md §5.3, EVM: EIP-191 `personal_sign`. */
export function provesEvmOwnership({ address, message, signature }: OwnershipProof): boolean {
  const signer = recoverPersonalSigner('Ethereum', message, signature);
  return signer !== undefined && deriveEvmAddress(signer).toLowerCase() === address.toLowerCase();
}

/** accounts.md §5.3, Tron: like EVM, with Tron's own prefix and address format. */
export function provesTronOwnership({ address, message, signature }: OwnershipProof): boolean {
  const signer = recoverPersonalSigner('TRON', message, signature);
  return signer !== undefined && deriveTronAddress(signer) === address;
}

/**
 * The uncompressed key that signed the message with a chain's prefix. A high s is refused: it is a second form of the
 * same signature, which wallets never produce.
 */
export function recoverPersonalSigner(
  chain: 'Ethereum' | 'TRON',
  message: Uint8Array,
  signature: string,
): Uint8Array | undefined {
  const recoverable = decodePersonalSignature(signature);
  const key = recoverable && recoverKey(personalHash(chain, message), recoverable);
  return key === undefined || key.hasHighS ? undefined : key.toBytes(false);
}

function personalHash(chain: string, message: Uint8Array): Uint8Array {
  return keccak_256(concatBytes(utf8ToBytes(`\x19${chain} Signed Message:\n${message.length}`), message));
}

function decodePersonalSignature(signature: string): RecoverableSignature | undefined {
  const bytes = decodeHex(signature);
  if (bytes?.length === 64) return decodeEip2098(bytes);
  if (bytes?.length !== 65) return undefined;
  const recovery = RECOVERY_BY_V.get(bytes[64] ?? -1);
  return recovery === undefined ? undefined : { compact: bytes.subarray(0, 64), recovery };
}

const RECOVERY_BY_V: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1],
]);

/** EIP-2098: the top bit of s, always clear in a low s, holds the recovery bit. */
function decodeEip2098(bytes: Uint8Array): RecoverableSignature {
  const compact = Uint8Array.from(bytes);
  const top = compact[32] ?? 0;
  compact[32] = top & 0x7f;
  return { compact, recovery: top >> 7 };
}
