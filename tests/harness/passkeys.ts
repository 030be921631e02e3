import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { PasskeyAssertion, PasskeyAttestation } from '#foundation/crypto/webauthn.ts';

/** An authenticator with one passkey, as a browser on a page of `origin` would use it. */
export interface TestPasskey {
  readonly credentialId: string;
  register(challenge: string, changes?: Changes): PasskeyAttestation;
  /** Answers the challenge, as `navigator.credentials.get()` does; a text stands for its UTF-8 bytes. */
  assert(challenge: string | Uint8Array, changes?: Changes): PasskeyAssertion;
}

/** Deviations from an honest authenticator. */
export interface Changes {
  readonly clientData?: Readonly<Record<string, unknown>>;
  readonly rpId?: string;
  /** The user-present bit is 0x01. */
  readonly flags?: number;
  readonly counter?: number;
  readonly format?: string;
  /** COSE. */
  readonly publicKey?: ReadonlyMap<number, unknown>;
  readonly credentialId?: string;
}

export interface PasskeyOptions {
  readonly algorithm?: Algorithm;
  readonly rpId?: string;
  readonly origin?: string;
}

type Algorithm = -7 | -257 | -8;

const [USER_PRESENT, ATTESTED] = [0x01, 0x40];

export function createPasskey(options: PasskeyOptions = {}): TestPasskey {
  const { algorithm = -7, rpId = 'example.com', origin = 'https://wallet.example.com' } = options;
  const { publicKey, privateKey } = KEYS[algorithm]();
  const credentialId = randomBytes(16).toString('base64url');
  let counter = 0;
  const buildClientData = (type: string, challenge: string, changes: Changes) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...changes.clientData }));
  const head = (changes: Changes, flags: number) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(changes.counter ?? counter);
    return Buffer.concat([
      sha256(changes.rpId ?? rpId),
      Buffer.of(changes.flags === undefined ? flags : (flags & ~USER_PRESENT) | changes.flags),
      count,
    ]);
  };
  return {
    credentialId,
    register(challenge, changes = {}) {
      const id = Buffer.from(credentialId, 'base64url');
      const key = cbor(changes.publicKey ?? coseKey(algorithm, publicKey));
      const length = Buffer.of(0, id.length);
      const authData = Buffer.concat([
        head(changes, USER_PRESENT | ATTESTED),
        Buffer.alloc(16),
        length,
        id,
        key,
      ]);
      const object = new Map<string, unknown>([
        ['fmt', changes.format ?? 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]);
      return {
        credentialId: changes.credentialId ?? credentialId,
        clientDataJson: buildClientData('webauthn.create', challenge, changes).toString('base64url'),
        attestationObject: cbor(object).toString('base64url'),
      };
    },
    assert(challenge, changes = {}) {
      counter += 1;
      const given = Buffer.from(challenge as string).toString('base64url');
      const clientData = buildClientData('webauthn.get', given, changes);
      const authenticatorData = head(changes, USER_PRESENT);
      const hash = algorithm === -8 ? null : 'sha256';
      const signature = sign(hash, Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
      return {
        credentialId: changes.credentialId ?? credentialId,
        clientDataJson: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
      };
    },
  };
}

const KEYS = {
  [-7]: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  [-257]: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  [-8]: () => generateKeyPairSync('ed25519'),
};

export function coseKey(algorithm: Algorithm, publicKey: KeyObject): Map<number, unknown> {
  const jwk = publicKey.export({ format: 'jwk' });
  const bytes = (text: unknown) => new Uint8Array(Buffer.from(String(text), 'base64url'));
  const members: [number, unknown][] = {
    [-7]: [2, 1, bytes(jwk.x), bytes(jwk.y)],
    [-257]: [3, bytes(jwk.n), bytes(jwk.e)],
    [-8]: [1, 6, bytes(jwk.x)],
  }[algorithm].map((value, i) => [i === 0 ? 1 : -i, value]);
  return new Map([...members.slice(0, 1), [3, algorithm], ...members.slice(1)]);
}

function cbor(value: unknown): Buffer {
  return Buffer.from(isoCBOR.encode(value as never));
}

function sha256(bytes: string | Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
