import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { oidcNonce } from '#foundation/crypto/oidc.ts';
import { createReceiver, type Receiver } from '#tests/harness/receiver.ts';

/** An issuer of OIDC tokens with its keys on loopback. */
export interface TestIssuer {
  /** `https://accounts.google.com` by default. */
  readonly issuer: string;
  /** The address of its keys; its answer can be changed. */
  readonly keys: Receiver;
  readonly jwksUrl: string;
  token(claims: Readonly<Record<string, unknown>>, options?: TokenOptions): string;
  /** From now on it signs with another key, and publishes that one alone. */
  rotate(): void;
}

export interface TokenOptions {
  readonly header?: Readonly<Record<string, unknown>>;
}

type Algorithm = 'RS256' | 'ES256';

export async function createIssuer(
  issuer = 'https://accounts.google.com',
  algorithm: Algorithm = 'RS256',
): Promise<TestIssuer> {
  const keys = await createReceiver();
  let current = newKey(algorithm);
  const publish = () => {
    const jwk = current.publicKey.export({ format: 'jwk' });
    keys.answer({ status: 200, body: { keys: [{ ...jwk, kid: current.kid, use: 'sig' }] } });
  };
  publish();
  return {
    issuer,
    keys,
    jwksUrl: keys.url,
    token(claims, { header = {} } = {}) {
      const { kid, privateKey } = current;
      const text = [{ alg: algorithm, kid, typ: 'JWT', ...header }, claims].map(encode).join('.');
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${text}.${signature.toString('base64url')}`;
    },
    rotate() {
      current = newKey(algorithm);
      publish();
    },
  };
}

function newKey(algorithm: Algorithm): { kid: string; publicKey: KeyObject; privateKey: KeyObject } {
  const pair =
    algorithm === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2_048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid: randomUUID(), ...pair };
}

/** Claims that are good at this time, for a client with this key. */
export function goodClaims(now: Date, clientPublicKey?: string) {
  const iat = Math.floor(now.getTime() / 1_000);
  return {
    iss: 'https://accounts.google.com',
    aud: 'client-1',
    sub: 'user-1',
    email: 'ada@example.com',
    iat,
    exp: iat + 3_600,
    ...(clientPublicKey !== undefined && { nonce: oidcNonce(clientPublicKey) }),
  };
}

/** A token that the sandbox accepts: any text works as the signature. */
export function unsignedToken(claims: object): string {
  return `${encode({ alg: 'RS256' })}.${encode(claims)}.signature`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
