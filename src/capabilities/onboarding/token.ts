import { createHash, randomBytes } from 'node:crypto';

const PLATFORM_BYTES = 16;
const SECRET_BYTES = 32;

/**
 * The content of a link's address: the platform, under which the link is looked up, and a secret of 256 random bits.
 */
export interface LinkToken {
  readonly platformId: PlatformId;
  readonly secretHash: Buffer;
}

/** `text` is the token as it appears in the address; only the hash of its secret is stored. */
export function newToken(platformId: PlatformId): LinkToken & { readonly text: string } {
  const secret = randomBytes(SECRET_BYTES);
  const platform = Buffer.from(platformId.replaceAll('-', ''), 'hex');
  return {
    platformId,
    secretHash: hashSecret(secret),
    text: Buffer.concat([platform, secret]).toString('base64url'),
  };
}

const TOKEN = /^(?:_act-(?:sbx-)?jwt-)?([A-Za-z0-9_-]{64})$/;

/** The reply's `token` has a prefix that the address lacks; both identify the same link. */
export function readLinkToken(text: string): LinkToken | undefined {
  const [, encoded] = TOKEN.exec(text) ?? [];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64url');
  const hex = bytes.subarray(0, PLATFORM_BYTES).toString('hex');
  return {
    platformId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as PlatformId,
    secretHash: hashSecret(bytes.subarray(PLATFORM_BYTES)),
  };
}

function hashSecret(secret: Buffer): Buffer {
  return createHash('sha256').update(secret).digest();
}
