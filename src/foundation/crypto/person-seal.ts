import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { IV_BYTES, nextIv } from '#foundation/crypto/initial-vectors.ts';

/** The UUID of a person whose data is sealed with a key of their own: a customer, or the strangers of one month. */
export type PersonId = string;

export interface PersonKey {
  readonly person: PersonId;
  /** Counts from 1; a rotation adds the next generation. */
  readonly generation: number;
  readonly key: KeyObject;
}

/** The keys that this process holds at the moment. */
export interface HeldPersonKeys {
  /** The key that seals new values of this person. */
  newest(person: PersonId): PersonKey | undefined;
  find(person: PersonId, generation: number): KeyObject | undefined;
  /** Whether this process knows that the keys of this person were destroyed. */
  isErased(person: PersonId): boolean;
}

/** Thrown if a value names a person whose keys were destroyed: no key opens it any more. */
export class PersonErased extends Error {
  override name = 'PersonErased';

  constructor() {
    super('the value names a person who was erased');
  }
}

/**
 * Thrown if this process does not hold a key that it needs. `Work` fetches the key and repeats the read or the
 * transaction (`src/foundation/database/work.ts`), so that no transaction waits for the database of keys.
 */
export class PersonKeysMissing extends Error {
  override name = 'PersonKeysMissing';
  readonly needs: NeededKeys;

  constructor(needs: NeededKeys) {
    super('the keys of people are not at hand');
    this.needs = needs;
  }
}

export type NeededKeys =
  /**
   * A person who never had a key gets one if a value is to be sealed. It is wrapped for the person's platform, if that is
   * another one than the caller's.
   */
  | {
      readonly purpose: 'seal';
      readonly people: readonly PersonId[];
      readonly platformId?: PlatformId | undefined;
    }
  /** The keys that open a value: they exist, or are lost. */
  | { readonly purpose: 'open'; readonly references: readonly PersonReference[] }
  /** Ids, with their keys, for people who are about to be stored for the first time. */
  | { readonly purpose: 'add'; readonly count: number };

/** The first byte of a value that is sealed with the keys of people. */
export const PERSON_SEAL_VERSION = 2;

const ID_BYTES = 16;
const REFERENCE_BYTES = ID_BYTES + 1;
const TAG_BYTES = 16;
const PEOPLE_MAX = 255;

/**
 * Seals a value that names these people. It opens only while the keys of all of them exist: if one person is erased,
 * the value is lost for the others, too.
 */
export function sealForPeople(
  held: HeldPersonKeys,
  people: readonly PersonId[],
  plain: string | Uint8Array,
  context: string,
): Buffer {
  const named = [...new Set(people)].sort();
  if (named.length === 0 || named.length > PEOPLE_MAX) {
    throw new Error(`a value cannot be sealed for ${named.length} people`);
  }
  const keys = named.flatMap((person) => held.newest(person) ?? []);
  if (keys.length < named.length) {
    const missing = named.filter((person) => !held.newest(person));
    if (missing.some((person) => held.isErased(person))) throw new PersonErased();
    throw new PersonKeysMissing({ purpose: 'seal', people: missing });
  }
  const header = writeHeader(keys);
  const iv = nextIv();
  const cipher = createCipheriv('aes-256-gcm', joinKeys(keys.map(({ key }) => key)), iv);
  cipher.setAAD(Buffer.concat([header, Buffer.from(context)]));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([header, iv, cipher.getAuthTag(), body]);
}

export function openForPeople(held: HeldPersonKeys, sealed: Buffer, context: string): Buffer {
  const references = readReferences(sealed);
  const keys = references.flatMap(({ person, generation }) => held.find(person, generation) ?? []);
  if (keys.length < references.length) {
    if (references.some(({ person }) => held.isErased(person))) throw new PersonErased();
    const missing = references.filter(({ person, generation }) => !held.find(person, generation));
    throw new PersonKeysMissing({ purpose: 'open', references: missing });
  }
  const headerBytes = 2 + references.length * REFERENCE_BYTES;
  const header = sealed.subarray(0, headerBytes);
  const iv = sealed.subarray(headerBytes, headerBytes + IV_BYTES);
  const tag = sealed.subarray(headerBytes + IV_BYTES, headerBytes + IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', joinKeys(keys), iv);
  decipher.setAAD(Buffer.concat([header, Buffer.from(context)]));
  decipher.setAuthTag(tag);
  const plain = decipher.update(sealed.subarray(headerBytes + IV_BYTES + TAG_BYTES));
  // This cipher keeps nothing back until the end, where it only compares the tag.
  decipher.final();
  return plain;
}

export interface PersonReference {
  readonly person: PersonId;
  readonly generation: number;
}

/**
 * Lists the people whose keys open a value, in the order of their ids. The list is empty if a data key sealed
 * the value.
 */
export function readReferences(sealed: Uint8Array): PersonReference[] {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < 2 || bytes.readUInt8(0) !== PERSON_SEAL_VERSION) return [];
  const count = bytes.readUInt8(1);
  if (bytes.length < 2 + count * REFERENCE_BYTES + IV_BYTES + TAG_BYTES)
    throw new Error('not a sealed value');
  return Array.from({ length: count }, (_, i) => {
    const start = 2 + i * REFERENCE_BYTES;
    return {
      person: readId(bytes.subarray(start, start + ID_BYTES)),
      generation: bytes.readUInt8(start + ID_BYTES),
    };
  });
}

function writeHeader(keys: readonly PersonKey[]): Buffer {
  const parts = keys.map(({ person, generation }) =>
    Buffer.concat([Buffer.from(person.replaceAll('-', ''), 'hex'), Buffer.of(generation)]),
  );
  return Buffer.concat([Buffer.of(PERSON_SEAL_VERSION, keys.length), ...parts]);
}

function readId(bytes: Buffer): PersonId {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns one person's key as it is, or a key that can be derived only from the keys of all these people. */
function joinKeys(keys: readonly KeyObject[]): KeyObject {
  const [only, ...others] = keys;
  if (only && others.length === 0) return only;
  const material = Buffer.concat(keys.map((key) => key.export()));
  return createSecretKey(
    Buffer.from(hkdfSync('sha256', material, new Uint8Array(0), 'corridor:several people', 32)),
  );
}
