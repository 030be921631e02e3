import { compactVerify, createLocalJWKSet, errors } from 'jose';
import { decodeBase64url } from '#foundation/crypto/encodings.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import { CachedAnswer } from '#foundation/outbound/cached-answer.ts';
import type { ProviderClient } from '#foundation/outbound/outbound.ts';
import type { IssuersPort } from '#foundation/ports/issuers.ts';

/** An additional issuer, or another address for the keys of a built-in one. */
export interface IssuerSettings {
  /** The value of `iss`. */
  readonly issuer: string;
  readonly jwksUrl: string;
}

const GOOGLE_KEYS = 'https://www.googleapis.com/oauth2/v3/certs';
const KNOWN_ISSUERS: readonly IssuerSettings[] = [
  { issuer: 'https://accounts.google.com', jwksUrl: GOOGLE_KEYS },
  { issuer: 'accounts.google.com', jwksUrl: GOOGLE_KEYS },
  { issuer: 'https://appleid.apple.com', jwksUrl: 'https://appleid.apple.com/auth/keys' },
];

/** The addresses of the keys, by issuer. */
export function supportedIssuers(configured: readonly IssuerSettings[] = []): ReadonlyMap<string, string> {
  return new Map([...KNOWN_ISSUERS, ...configured].map(({ issuer, jwksUrl }) => [issuer, jwksUrl]));
}

const ALGORITHMS = ['RS256', 'ES256'];
/** wallets.md §6.5.38a. */
const TIMEOUT_MS = 3_000;
const AGE_MAX_MS = 24 * 60 * 60_000;
/** A key that its issuer withdrew is used no longer than this, unless the keys cannot be read. */
const FRESH_MS = 60 * 60_000;
/** The shortest time between two readings of the keys, whatever tokens are sent. */
const PAUSE_MS = 30_000;
/** The keys of an issuer take a few kilobytes. */
const DOCUMENT_MAX_BYTES = 256 * 1024;

export interface IssuerKeysOptions {
  readonly client: ProviderClient;
  readonly clock: Clock;
  onUnavailable?(failure: { readonly issuer: string; readonly reason: string }): void;
}

/** Verifies signatures with the keys that the issuers publish, which this process caches. */
export function issuerKeys(
  issuers: ReadonlyMap<string, string>,
  { client, clock, onUnavailable }: IssuerKeysOptions,
): IssuersPort {
  const caches = new Map(
    [...issuers].map(([issuer, url]) => {
      const onFailure = (reason: string) => onUnavailable?.({ issuer, reason });
      const limits = { clock, ageMaxMs: AGE_MAX_MS, pauseMs: PAUSE_MS };
      return [issuer, new CachedAnswer({ ...limits, fetch: () => fetchKeys(client, url), onFailure })];
    }),
  );
  return {
    supports: (issuer) => issuers.has(issuer),
    datingTimes: (platformTime) => [platformTime],
    async verifySignature(token, issuer) {
      const cache = caches.get(issuer);
      // The last character of a signature has unused bits, which the library ignores: one signature, one text.
      const [, , signature] = token.split('.');
      if (!cache || !signature || !decodeBase64url(signature)) return 'invalid';
      const known = await cache.read(FRESH_MS);
      if (!known) return 'unavailable';
      const result = await verifyWith(known, token);
      if (result !== 'unknown key') return result;
      // The key may be newer than the cached ones.
      const newer = await cache.read(PAUSE_MS);
      if (!newer) return 'unavailable';
      const again = newer === known ? result : await verifyWith(newer, token);
      if (again !== 'unknown key') return again;
      return cache.isCurrent ? 'invalid' : 'unavailable';
    },
  };
}

type KeySet = ReturnType<typeof createLocalJWKSet>;

async function verifyWith(keys: KeySet, token: string): Promise<'valid' | 'invalid' | 'unknown key'> {
  try {
    const { protectedHeader } = await compactVerify(token, keys, { algorithms: ALGORITHMS });
    // The library also knows signatures over other bytes (RFC 7797), which a JWT may not have.
    return protectedHeader.b64 === false ? 'invalid' : 'valid';
  } catch (error) {
    return error instanceof errors.JWKSNoMatchingKey ? 'unknown key' : 'invalid';
  }
}

async function fetchKeys(client: ProviderClient, url: string): Promise<KeySet> {
  const answer = await client.call({
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    answerMaxBytes: DOCUMENT_MAX_BYTES + 1,
  });
  if ('error' in answer) throw new Error(`the keys cannot be reached: ${answer.error}`);
  if (answer.status !== 200) throw new Error(`the address of the keys answers with status ${answer.status}`);
  if (answer.body.length > DOCUMENT_MAX_BYTES) throw new Error('the keys are too long');
  return createLocalJWKSet(JSON.parse(answer.body.toString('utf8')));
}
