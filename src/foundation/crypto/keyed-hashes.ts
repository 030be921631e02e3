import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** A keyed hash in all versions that stored hashes may have: two during a rotation, otherwise one. */
export interface KeyedHash {
  /** All versions in one value. The database stores the one that is written now (migrations/0140_chosen_hashes.sql). */
  readonly toStore: Buffer;
  /** A stored hash of the value is one of these, as far as the process knows (src/foundation/database/known-hashes.ts). */
  readonly toFind: readonly Buffer[];
  readonly known: KnownVersions;
}

/** The oldest version that a stored hash may have, and the newest one, as far as the process knows. */
interface KnownVersions {
  readonly oldest: number;
  readonly newest: number;
}

export interface HashKeys {
  /** The keys of all later versions by id. A version's hash is made from the hash of the version before it. */
  readonly keys: ReadonlyMap<number, Uint8Array>;
  /** The oldest version that a stored hash may have. */
  readonly oldest: number;
}

export interface KeyedHasher {
  fingerprint(value: string, purpose: string): Buffer;
  hash(value: string, purpose: string): KeyedHash;
  hashAgain(stored: Uint8Array, version: number): Buffer;
}

/** The version of hashes that are plain fingerprints. */
const FIRST_VERSION = 0;
const DIGEST_BYTES = 32;
const VERSION_BYTES = 4;

interface Version {
  readonly id: number;
  readonly digest: Buffer;
}

/** Makes keyed hashes with a key that never changes, and again with each later key. */
export function keyedHasher(first: KeyObject, { keys, oldest }: HashKeys = NO_LATER_KEYS): KeyedHasher {
  const later = [...keys]
    .toSorted(([a], [b]) => a - b)
    .map(([id, key]) => ({ id, key: createSecretKey(key) }));
  const after = (version: Version): Version[] => {
    const versions = [version];
    let { digest } = version;
    for (const { id, key } of later) {
      if (id <= version.id) continue;
      digest = createHmac('sha256', key).update(digest).digest();
      versions.push({ id, digest });
    }
    return versions;
  };
  const known: KnownVersions = { oldest, newest: later.at(-1)?.id ?? FIRST_VERSION };
  const fingerprint = (value: string, purpose: string): Buffer =>
    createHmac('sha256', first).update(purpose).update('\0').update(value).digest();
  return {
    fingerprint,
    hash(value, purpose) {
      const versions = after({ id: FIRST_VERSION, digest: fingerprint(value, purpose) });
      const toFind = versions
        .filter(({ id }) => id >= oldest)
        .map(encodeVersion)
        .toReversed();
      return { toStore: Buffer.concat(toFind), toFind, known };
    },
    hashAgain(stored, version) {
      const made = after(decodeVersion(stored)).find(({ id }) => id === version);
      if (!made) throw new Error(`no key makes version ${version} of this hash`);
      return encodeVersion(made);
    },
  };
}

const NO_LATER_KEYS: HashKeys = { keys: new Map(), oldest: FIRST_VERSION };

function encodeVersion({ id, digest }: Version): Buffer {
  if (id === FIRST_VERSION) return digest;
  const version = Buffer.alloc(VERSION_BYTES);
  version.writeUInt32BE(id);
  return Buffer.concat([version, digest]);
}

function decodeVersion(stored: Uint8Array): Version {
  const bytes = Buffer.from(stored);
  if (bytes.length === DIGEST_BYTES) return { id: FIRST_VERSION, digest: bytes };
  if (bytes.length !== VERSION_BYTES + DIGEST_BYTES) throw new Error('not a stored hash');
  return { id: bytes.readUInt32BE(0), digest: bytes.subarray(VERSION_BYTES) };
}
