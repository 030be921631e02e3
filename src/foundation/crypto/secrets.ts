import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Our secrets are long and random, so one salted SHA-256 is enough, and cheap for every request. */
export interface HashedSecret {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

export function hashSecret(secret: string, salt: Buffer = randomBytes(16)): HashedSecret {
  return { salt, hash: hash('sha256', Buffer.concat([salt, Buffer.from(secret)]), 'buffer') };
}

/** Constant time; callers compare an unknown credential with `NO_SECRET`, so that it takes equally long. */
export function matchesSecret(presented: string, stored: HashedSecret): boolean {
  return timingSafeEqual(hashSecret(presented, stored.salt).hash, stored.hash);
}

export const NO_SECRET: HashedSecret = hashSecret(randomHex(32));
