import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import {
  type HeldPersonKeys,
  type PersonId,
  type PersonKey,
  PersonKeysMissing,
  type PersonReference,
  readReferences,
} from '#foundation/crypto/person-seal.ts';
import { type PersonVault, type Vault, withPersonKeys } from '#foundation/crypto/vault.ts';
import type { Database } from '#foundation/database/database.ts';
import { answeredWithin } from '#foundation/database/failures.ts';
import type { KeyedPerson } from '#foundation/database/person-key-source.ts';
import { batchCalls } from '#foundation/lib/batch-calls.ts';
import { bound } from '#foundation/lib/bound.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import { findLost } from '#foundation/person-keys/agreement.ts';
import {
  deleteUnused,
  type Erasure,
  eraseKeys,
  findErasures,
  findLastErasure,
  findOldMonths,
  findPeople,
  insertFirstKeys,
  KEY_BYTES,
  markRecorded,
  type StoredPerson,
  type WrappedPersonKey,
  wrapContext,
} from '#foundation/person-keys/key-store.ts';
import { findKnown, recordKeyed, recordLost } from '#foundation/person-keys/known-store.ts';
import { LOST, PersonKeysLost } from '#foundation/person-keys/lost-keys.ts';
import { shredDeletedKeys } from '#foundation/person-keys/shred-store.ts';
import { HELD_MS, SparePeople } from '#foundation/person-keys/spare-people.ts';

export interface PersonKeysOptions {
  /** The service's database, which knows who must have a key. */
  readonly database: Pick<Database, 'query'>;
  /** The database of the keys. */
  readonly store: Database;
  /** Unwraps the keys. */
  readonly vault: Vault;
  /** Real time, by which the age of a held key is measured. */
  readonly clock: Clock;
  /** The largest number of people whose keys one process holds. */
  readonly heldMax?: number;
  /** How long a read of keys, or a new key, may take; a caller may wait twice as long, behind another read. */
  readonly answerMaxMs?: number;
  /** How many years the operator keeps data (`RETENTION_YEARS`). */
  readonly retentionYears?: number;
  /** Called when the keys of people are missing who had some, with a sentence for the operator's log. */
  onLost?(line: string, people: readonly PersonId[]): void;
}

const HELD_MAX = 10_000;
interface HeldPerson {
  readonly keys: readonly PersonKey[];
  readonly until: number;
}

/**
 * The keys of people, read from their own database. A process holds a bounded number of them for minutes. It drops the
 * keys of an erased person as soon as it learns of the erasure.
 */
export class PersonKeys implements HeldPersonKeys {
  readonly #options: PersonKeysOptions;
  readonly #held = new Map<PersonId, HeldPerson>();
  readonly #find: (person: PersonId) => Promise<StoredPerson | undefined>;
  /** People of whose erasure this process has learned: a read that began earlier must not bring their keys back. */
  readonly #erased = new Set<PersonId>();
  #lastErasure: bigint;
  readonly #spares: SparePeople;

  /** Use `openPersonKeys`. */
  constructor(options: PersonKeysOptions, lastErasure: bigint) {
    this.#options = options;
    this.#lastErasure = lastErasure;
    this.#spares = new SparePeople({
      isHeld: (person) => this.#hold(person) !== undefined,
      load: (people) => this.load(people),
      create: (platformId, people) => this.#create(platformId, people),
      discard: (people) => deleteUnused(options.store, people),
    });
    this.#find = batchCalls((people: PersonId[]) => this.#inTime(findPeople(options.store, people)));
  }

  newest(person: PersonId): PersonKey | undefined {
    return this.#hold(person)?.keys.at(-1);
  }

  find(person: PersonId, generation: number): KeyObject | undefined {
    return this.#hold(person)?.keys.find((key) => key.generation === generation)?.key;
  }

  isErased(person: PersonId): boolean {
    return this.#erased.has(person);
  }

  /** Fetches the keys that a read or a transaction missed, so that it can be repeated. */
  async provide(platformId: PlatformId, { needs }: PersonKeysMissing): Promise<void> {
    if (needs.purpose === 'seal') return this.ensure(needs.platformId ?? platformId, needs.people);
    if (needs.purpose === 'add') return this.#spares.fill(platformId, needs.count);
    await this.#requireStored(platformId, needs.references);
  }

  /** Fetches keys even if others of the same people are held, because a rotation may have added a key. */
  async #requireStored(platformId: PlatformId, references: readonly PersonReference[]): Promise<void> {
    const found = await this.#fetch(references.map(({ person }) => person));
    const lost = references.filter(({ person, generation }) => {
      const stored = found.get(person);
      return !stored?.isErased && !stored?.keys.some((key) => key.generation === generation);
    });
    if (lost.length > 0) {
      await this.#refuseLost(
        platformId,
        lost.map(({ person }) => person),
      );
    }
  }

  /** Returns the id of a new person, whose key is already durable. */
  newPerson(platformId: PlatformId): PersonId {
    return this.#spares.take(platformId);
  }

  /** Takes back an id whose customer was not stored, because its transaction was rolled back. */
  takeBack(platformId: PlatformId, person: PersonId): void {
    this.#spares.takeBack(platformId, person);
  }

  /** Requires this many ids at once, for a transaction that adds many people. */
  requireNew(platformId: PlatformId, count: number): void {
    this.#spares.require(platformId, count);
  }

  async ensure(platformId: PlatformId, people: readonly PersonId[]): Promise<void> {
    const unknown = await this.load(people);
    if (unknown.length > 0) await this.#createFirst(platformId, unknown);
  }

  requireHeld(people: readonly PersonId[], platformId?: PlatformId): void {
    const missing = people.filter((person) => !this.#hold(person) && !this.isErased(person));
    if (missing.length > 0) throw new PersonKeysMissing({ purpose: 'seal', people: missing, platformId });
  }

  requireOpenable(sealed: readonly (Uint8Array | null | undefined)[]): void {
    const references = this.#missingFor(sealed);
    if (references.length > 0) throw new PersonKeysMissing({ purpose: 'open', references });
  }

  /** Fetches and holds the keys of these people, and returns those without any. Erased people are remembered. */
  async load(people: readonly PersonId[]): Promise<PersonId[]> {
    const missing = people.filter((person) => !this.#hold(person) && !this.isErased(person));
    const found = await this.#fetch(missing);
    return [...found].flatMap(([person, stored]) => {
      const hasAny = stored && (stored.isErased || stored.keys.length > 0);
      return hasAny ? [] : [person];
    });
  }

  async #fetch(people: readonly PersonId[]): Promise<Map<PersonId, StoredPerson | undefined>> {
    const wanted = [...new Set(people)];
    const stored = await Promise.all(wanted.map(this.#find));
    await this.#record(stored.flatMap((person) => (person?.isRecorded ? [] : (person?.keys ?? []))));
    this.#keep(stored.flatMap((person) => person?.keys ?? []));
    for (const person of wanted.filter((_, i) => stored[i]?.isErased)) this.#drop(person);
    return new Map(wanted.map((person, i) => [person, stored[i]]));
  }

  /** Loads all keys that open these values. */
  async loadFor(sealed: readonly (Uint8Array | null | undefined)[]): Promise<void> {
    const missing = this.#missingFor(sealed);
    if (missing.length > 0) await this.#fetch(missing.map(({ person }) => person));
  }

  loadPage(sealed: readonly (Uint8Array | null | undefined)[]): Promise<void> {
    return this.loadFor(sealed);
  }

  #missingFor(sealed: readonly (Uint8Array | null | undefined)[]): PersonReference[] {
    const references = sealed.flatMap((value) => (value ? readReferences(value) : []));
    return references.filter(
      ({ person, generation }) => !this.find(person, generation) && !this.isErased(person),
    );
  }

  /** Destroys the keys of people for good. Other processes learn of it within seconds (`dropErased`). */
  async erase(platformId: PlatformId, people: readonly PersonId[]): Promise<bigint> {
    const erasure = await eraseKeys(this.#options.store, platformId, people);
    for (const person of people) this.#drop(person);
    return erasure;
  }

  /** Drops the keys of people whom any process has erased since the last call. */
  async dropErased(): Promise<void> {
    for (;;) {
      const erasures = await findErasures(this.#options.store, this.#lastErasure);
      for (const { person, erasure } of erasures) {
        this.#drop(person);
        this.#lastErasure = erasure;
      }
      if (erasures.length === 0) return;
    }
  }

  findErasures(after: bigint): Promise<Erasure[]> {
    return findErasures(this.#options.store, after);
  }

  findLost(people: readonly KeyedPerson[]): Promise<KeyedPerson[]> {
    return findLost(this.#options.store, people);
  }

  /** Deletes the ids in reserve, with their keys, when the process stops. */
  discardSpares(): Promise<void> {
    return this.#spares.discard();
  }

  findOldMonths(platformId: PlatformId): Promise<PersonId[]> {
    const { store, retentionYears = 0 } = this.#options;
    return findOldMonths(store, platformId, retentionYears);
  }

  shredDeleted(): Promise<boolean> {
    return shredDeletedKeys(this.#options.store);
  }

  #drop(person: PersonId): void {
    this.#held.delete(person);
    this.#erased.add(person);
    bound(this.#erased, HELD_MAX);
  }

  #hold(person: PersonId): HeldPerson | undefined {
    const held = this.#held.get(person);
    if (!held || held.until > this.#options.clock.now()) return held;
    this.#held.delete(person);
    return undefined;
  }

  /**
   * Creates the first keys of people of whom the service's database knows no key. A key that is known but missing is
   * lost: another key in its place would hide the loss.
   */
  async #createFirst(platformId: PlatformId, people: readonly PersonId[]): Promise<void> {
    const { database } = this.#options;
    const known = await findKnown(database, people);
    for (const { id } of known.filter(({ isErased }) => isErased)) this.#drop(id);
    // Another process may have stored the key since this one looked for it, and then have recorded it.
    const lost = await this.load(known.map(({ id }) => id));
    if (lost.length > 0) await this.#refuseLost(platformId, lost);
    const never = people.filter((person) => !known.some(({ id }) => id === person));
    if (never.length === 0) return;
    await this.#create(platformId, never, { isRecorded: false });
  }

  /** Records in the service's database that these keys exist, before anything is sealed with them. */
  async #record(keys: readonly WrappedPersonKey[]): Promise<void> {
    if (keys.length === 0) return;
    for (const [platformId, own] of Map.groupBy(keys, (key) => key.platform_id)) {
      const people = own.map((key) => key.person_id);
      await recordKeyed(this.#options.database, platformId, people);
      await markRecorded(this.#options.store, people);
    }
  }

  async #refuseLost(platformId: PlatformId, people: readonly PersonId[]): Promise<never> {
    const lost = new PersonKeysLost(people);
    this.#options.onLost?.(LOST, people);
    await recordLost(this.#options.database, platformId, people);
    throw lost;
  }

  /** Creates the first keys of people who have none. Each key is durable before any value is sealed with it. */
  async #create(
    platformId: PlatformId,
    people: readonly PersonId[],
    options = { isRecorded: true },
  ): Promise<void> {
    const wrapping = this.#options.vault.ofPlatform(platformId);
    const keys = people.map((person_id) => {
      const wrapped = wrapping.seal(randomBytes(KEY_BYTES), wrapContext(person_id, 1));
      return { person_id, generation: 1, wrapped };
    });
    await this.#inTime(insertFirstKeys(this.#options.store, platformId, keys, options));
    // Another process may have been first: then its keys are the valid ones.
    await this.load(people);
  }

  /** A database that answers slowly is not silent, and nothing else ends the wait for it. */
  #inTime<T>(answer: Promise<T>): Promise<T> {
    return answeredWithin(answer, this.#options.answerMaxMs);
  }

  #keep(rows: readonly WrappedPersonKey[]): void {
    const until = this.#options.clock.now() + HELD_MS;
    for (const [person, own] of Map.groupBy(rows, (row) => row.person_id)) {
      if (this.#erased.has(person)) continue;
      this.#held.delete(person);
      this.#held.set(person, { keys: own.map((row) => this.#unwrap(row)), until });
    }
    bound(this.#held, this.#options.heldMax ?? HELD_MAX);
  }

  #unwrap({ person_id: person, platform_id, generation, wrapped }: WrappedPersonKey): PersonKey {
    const key = this.#options.vault.ofPlatform(platform_id).open(wrapped, wrapContext(person, generation));
    return { person, generation, key: createSecretKey(key) };
  }
}

/** The vault and the keys of people, with which the service seals and opens values. */
export interface PersonSealing {
  readonly vault: PersonVault;
  readonly personKeys: PersonKeys;
}

/** Opens the keys of people. The caller has already migrated their database. */
export async function openPersonKeys(options: PersonKeysOptions): Promise<PersonSealing> {
  const personKeys = new PersonKeys(options, await findLastErasure(options.store));
  return { vault: withPersonKeys(options.vault, personKeys), personKeys };
}
