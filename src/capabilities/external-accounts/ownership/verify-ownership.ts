import assert from 'node:assert/strict';
import { bytesToHex } from '@noble/hashes/utils.js';
import {
  provesBitcoinOwnership,
  provesSparkOwnership,
} from '#capabilities/external-accounts/ownership/bitcoin.ts';
import { provesEvmOwnership, provesTronOwnership } from '#capabilities/external-accounts/ownership/evm.ts';
import type {
  OwnershipProof,
  SignatureScheme,
} from '#capabilities/external-accounts/ownership/signatures.ts';
import { provesSolanaOwnership } from '#capabilities/external-accounts/ownership/solana.ts';
import { walletFamily } from '#foundation/lib/identifiers/wallet-address.ts';
import type { PublicId } from '#foundation/lib/ids.ts';

export interface OwnershipClaim {
  readonly accountType: string;
  /** The address stored with the account. */
  readonly address: string;
  /** The challenge's `messageToSign`, exactly. */
  readonly message: string;
  readonly signature: string;
  /** accounts.md §5.3.26: Bitcoin only; default: `bip137`. */
  readonly signatureScheme?: SignatureScheme | undefined;
}

/** Longer than any signature of accounts.md §5.3; a longer text is not decoded. */
const SIGNATURE_LENGTH_MAX = 256;

/**
 * Whether the owner of the address signed the message (accounts.md §5.3). Returns false, and never throws, for anything
 * that is not a signature, an address or a wallet.
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

export interface MessageParts {
  /** The service's name in its messages. */
  readonly serviceName: string;
  /** The address stored with the account. */
  readonly address: string;
  /** `ExternalAccount:<uuid>`. */
  readonly accountId: PublicId<'ExternalAccount'>;
  /** 16 random bytes. */
  readonly nonce: Uint8Array;
  readonly expiresAt: Date;
}

/** accounts.md §5.2.13: one line of ASCII, which a wallet shows to its owner before signing. */
export function messageToSign({ serviceName, address, accountId, nonce, expiresAt }: MessageParts): string {
  assert.equal(nonce.length, 16, 'accounts.md §5.2.13: the nonce has 16 bytes');
  return [
    `${serviceName} wallet ownership: I control ${address}.`,
    `Account ${accountId}.`,
    `Nonce ${bytesToHex(nonce)}.`,
    `Valid until ${expiresAt.toISOString()}.`,
  ].join(' ');
}
