import assert from 'node:assert/strict';
import { bytesToHex } from '@noble/hashes/utils.js';

export interface MessageParts {
  /** The service's name on the wire. */
  readonly serviceName: string;
  /** As stored with the account. */
  readonly address: string;
  /** `ExternalAccount:<uuid>`. */
  readonly accountId: string;
  /** 16 random bytes. */
  readonly nonce: Uint8Array;
  readonly expiresAt: Date;
}

/** OW-13: one line of ASCII that a wallet shows to its owner before signing. */
export function messageToSign({ serviceName, address, accountId, nonce, expiresAt }: MessageParts): string {
  assert.equal(nonce.length, 16, 'OW-13: the nonce has 16 bytes');
  return [
    `${serviceName} wallet ownership: I control ${address}.`,
    `Account ${accountId}.`,
    `Nonce ${bytesToHex(nonce)}.`,
    `Valid until ${expiresAt.toISOString()}.`,
  ].join(' ');
}
