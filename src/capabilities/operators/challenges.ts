import { createHash, randomBytes } from 'node:crypto';
import { isSameHash } from '#foundation/codes/codes.ts';
import { decodeBase64url } from '#foundation/crypto/encodings.ts';
import type { Vault } from '#foundation/crypto/vault.ts';

/** How long a challenge can be answered (operator.md §3.4). */
export const CHALLENGE_MS = 5 * 60 * 1000;

const RANDOM_BYTES = 32;
const HEAD_BYTES = RANDOM_BYTES + 6;

const NOTHING = Buffer.alloc(0);

export interface ChallengeOptions {
  /** The hash of what is approved. */
  readonly signed?: Uint8Array | undefined;
  readonly lifeMs?: number;
}

/** What a browser gets: the challenge that its passkey signs, and the value to send back with the answer. */
export interface IssuedChallenge {
  readonly nonce: string;
  readonly challenge: string;
}

/** A challenge that this service issued and that has not expired; its hash must then be recorded as used. */
export interface OpenChallenge {
  readonly bytes: Buffer;
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

/**
 * Issues a challenge without storing anything, because anybody may ask for one. The nonce carries its end and a keyed hash over
 * what it is bound to: the purpose, and a session or an address. `signed` is the hash of what the passkey approves; the
 * challenge is a hash over it and the nonce (operator.md §3.4).
 */
export function issueChallenge(
  vault: Vault,
  now: number,
  boundTo: readonly string[],
  { signed = NOTHING, lifeMs = CHALLENGE_MS }: ChallengeOptions = {},
): IssuedChallenge {
  const head = Buffer.concat([randomBytes(RANDOM_BYTES), Buffer.alloc(6)]);
  head.writeUIntBE(now + lifeMs, RANDOM_BYTES, 6);
  const nonce = Buffer.concat([head, seal(vault, head, boundTo, signed)]);
  return { nonce: nonce.toString('base64url'), challenge: derive(signed, nonce).toString('base64url') };
}

/** The challenge of a nonce, if it was issued for the same purpose and has not expired. */
export function openChallenge(
  vault: Vault,
  now: number,
  boundTo: readonly string[],
  text: string,
  signed: Uint8Array = NOTHING,
): OpenChallenge | undefined {
  const nonce = decodeBase64url(text);
  if (nonce?.length !== HEAD_BYTES + 32) return undefined;
  const head = nonce.subarray(0, HEAD_BYTES);
  const expiresAt = head.readUIntBE(RANDOM_BYTES, 6);
  const isOurs = isSameHash(nonce.subarray(HEAD_BYTES), seal(vault, head, boundTo, signed));
  if (!isOurs || now >= expiresAt) return undefined;
  const bytes = derive(signed, nonce);
  return { bytes, hash: sha256(nonce), expiresAt: new Date(expiresAt) };
}

function seal(vault: Vault, head: Buffer, boundTo: readonly string[], signed: Uint8Array): Buffer {
  const parts = [...boundTo, Buffer.from(signed).toString('hex'), head.toString('hex')];
  return vault.fingerprint(JSON.stringify(parts), 'operators.challenge');
}

function derive(signed: Uint8Array, nonce: Buffer): Buffer {
  return sha256(Buffer.concat([signed, nonce]));
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
