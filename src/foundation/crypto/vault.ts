import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { IV_BYTES, nextIv } from '#foundation/crypto/initial-vectors.ts';
import { type HashKeys, type KeyedHash, keyedHasher } from '#foundation/crypto/keyed-hashes.ts';
import {
  type HeldPersonKeys,
  openForPeople,
  PERSON_SEAL_VERSION,
  PersonErased,
  type PersonId,
  sealForPeople,
} from '#foundation/crypto/person-seal.ts';

/**
 * Encrypts ("seals") values that must not be readable in the database. A sealed value contains the id of the key that
 * sealed it and is bound to its place (`context`, for example `customers.identifier:<row id>`): in another row or column
 * it cannot be opened.
 */
export interface Vault {
  seal(plain: string | Uint8Array, context: string): Buffer;
  open(sealed: Uint8Array, context: string): Buffer;
  openText(sealed: Uint8Array, context: string): string;
  /** Keyed hash of a value whose hash is never stored, or only for a short time. It is the same for ever. */
  fingerprint(value: string, purpose: string): Buffer;
  /** Keyed hash for look-ups and unique indexes over values that are stored sealed. Its key can be rotated. */
  hash(value: string, purpose: string): KeyedHash;
  /** Makes this version of a stored hash, from an older one. */
  hashAgain(stored: Uint8Array, version: number): Buffer;
  /** Reads the keys again, if they are stored in a database: another process may have added one. */
  refresh(): Promise<void>;
  /** The id of the key that seals new values. */
  readonly currentKeyId: number;
  /** Returns a vault whose keys are derived for one platform. It wraps the keys of the platform's people. */
  ofPlatform(platformId: PlatformId): PlatformVault;
}

export type PlatformVault = Pick<Vault, 'seal' | 'open'>;

/** A vault that also has the keys of people. */
export interface PersonVault extends Vault {
  /**
   * Seals a value that names these people with their own keys: once one of them is erased, no key opens it. A value
   * that names no person is sealed as `seal` does.
   */
  sealFor(people: readonly PersonId[], plain: string | Uint8Array, context: string): Buffer;
  /**
   * Seals a value that only mentions these people, such as an event or a reply. Erased people are left out, because no
   * personal data of theirs is presented any more.
   */
  sealNaming(people: readonly PersonId[], plain: string | Uint8Array, context: string): Buffer;
  /** Opens a value, or returns undefined if it names an erased person. `open` throws `PersonErased` in that case. */
  openKept(sealed: Uint8Array, context: string): string | undefined;
}

export interface VaultKeys {
  /** Data keys by id; the highest id seals, all of them open. */
  readonly data: ReadonlyMap<number, Uint8Array>;
  /** Never rotated: fingerprints, and what is derived from them, must stay comparable. */
  readonly fingerprint: Uint8Array;
  readonly hashing?: HashKeys;
}

const VERSION = 1;
const KEY_ID_BYTES = 4;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES;

/** Key objects: converting raw bytes at every use would cost as much as the encryption itself. */
interface Keys {
  readonly data: ReadonlyMap<number, KeyObject>;
  readonly fingerprint: KeyObject;
}

export function openVault({ data, fingerprint, hashing }: VaultKeys): Vault {
  const keys: Keys = {
    data: new Map([...data].map(([id, key]) => [id, createSecretKey(key)])),
    fingerprint: createSecretKey(fingerprint),
  };
  const hasher = keyedHasher(keys.fingerprint, hashing);
  const currentKeyId = Math.max(...keys.data.keys());
  const open = (sealed: Uint8Array, context: string): Buffer => unseal(keys, Buffer.from(sealed), context);
  return {
    currentKeyId,
    seal: (plain, context) => seal(keys, currentKeyId, plain, context),
    open,
    openText: (sealed, context) => open(sealed, context).toString('utf8'),
    ...hasher,
    refresh: async () => undefined,
    ofPlatform: (platformId) => {
      const derived = deriveForPlatform(keys, platformId);
      return {
        seal: (plain, context) => seal(derived, currentKeyId, plain, context),
        open: (sealed, context) => unseal(derived, Buffer.from(sealed), context),
      };
    },
  };
}

function deriveForPlatform({ data, fingerprint }: Keys, platformId: PlatformId): Keys {
  const derive = (key: KeyObject) => createSecretKey(deriveKey(key.export(), `platform:${platformId}`));
  return { data: new Map([...data].map(([id, key]) => [id, derive(key)])), fingerprint };
}

/** Adds the keys of people to a vault. Values that a data key sealed open as before. */
export function withPersonKeys(vault: Vault, held: HeldPersonKeys): PersonVault {
  const open = (sealed: Uint8Array, context: string): Buffer =>
    sealed[0] === PERSON_SEAL_VERSION
      ? openForPeople(held, Buffer.from(sealed), context)
      : vault.open(sealed, context);
  return {
    get currentKeyId() {
      return vault.currentKeyId;
    },
    seal: (plain, context) => vault.seal(plain, context),
    sealFor: (people, plain, context) =>
      people.length === 0 ? vault.seal(plain, context) : sealForPeople(held, people, plain, context),
    sealNaming: (people, plain, context) => {
      const kept = people.filter((person) => !held.isErased(person));
      return kept.length === 0 ? vault.seal(plain, context) : sealForPeople(held, kept, plain, context);
    },
    openKept: (sealed, context) => {
      try {
        return open(sealed, context).toString('utf8');
      } catch (error) {
        if (error instanceof PersonErased) return undefined;
        throw error;
      }
    },
    open,
    openText: (sealed, context) => open(sealed, context).toString('utf8'),
    fingerprint: (value, purpose) => vault.fingerprint(value, purpose),
    hash: (value, purpose) => vault.hash(value, purpose),
    hashAgain: (stored, version) => vault.hashAgain(stored, version),
    refresh: () => vault.refresh(),
    ofPlatform: (platformId) => vault.ofPlatform(platformId),
  };
}

/** A key for one purpose, derived from the operator's ENCRYPTION_KEY. */
export function deriveKey(master: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, new Uint8Array(0), `corridor:${purpose}`, 32));
}

export function sealedKeyId(sealed: Uint8Array): number {
  return Buffer.from(sealed).readUInt32BE(1);
}

function seal(keys: Keys, keyId: number, plain: string | Uint8Array, context: string): Buffer {
  const key = dataKey(keys, keyId);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(VERSION, 0);
  header.writeUInt32BE(keyId, 1);
  const iv = nextIv();
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.concat([header, Buffer.from(context)]));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([header, iv, cipher.getAuthTag(), body]);
}

function unseal(keys: Keys, sealed: Buffer, context: string): Buffer {
  if (sealed.length < HEADER_BYTES + IV_BYTES + TAG_BYTES || sealed.readUInt8(0) !== VERSION) {
    throw new Error('not a sealed value');
  }
  const header = sealed.subarray(0, HEADER_BYTES);
  const iv = sealed.subarray(HEADER_BYTES, HEADER_BYTES + IV_BYTES);
  const tag = sealed.subarray(HEADER_BYTES + IV_BYTES, HEADER_BYTES + IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', dataKey(keys, sealed.readUInt32BE(1)), iv);
  decipher.setAAD(Buffer.concat([header, Buffer.from(context)]));
  decipher.setAuthTag(tag);
  return Buffer.concat([
    decipher.update(sealed.subarray(HEADER_BYTES + IV_BYTES + TAG_BYTES)),
    decipher.final(),
  ]);
}

function dataKey(keys: Keys, id: number): KeyObject {
  const key = keys.data.get(id);
  if (!key) throw new Error(`no data key ${id}: was ENCRYPTION_KEY changed without "corridor keys rotate"?`);
  return key;
}
