import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret of ours is long and random, so one salted SHA-256 is enough and costs a request nothing. */
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

/** Constant time; an unknown credential is compared with `NO_SECRET`, so that it takes as long. */
export function isSecret(presented: string, stored: HashedSecret): boolean {
  return timingSafeEqual(hashSecret(presented, stored.salt).hash, stored.hash);
}

export const NO_SECRET: HashedSecret = hashSecret(randomHex(32));
