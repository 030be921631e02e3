import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import {
  type HeldPersonKeys,
  type PersonId,
  type PersonKey,
  PersonKeysMissing,
  readReferences,
} from '#foundation/crypto/person-seal.ts';
import { type PersonVault, type Vault, withPersonKeys } from '#foundation/crypto/vault.ts';
import type { Database } from '#foundation/database/database.ts';
import { batchCalls } from '#foundation/lib/batch-calls.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import {
  type Erasure,
  eraseKeys,
  findErasures,
  findLastErasure,
  findPeople,
  insertFirstKeys,
  KEY_BYTES,
  type StoredPerson,
  type WrappedPersonKey,
  wrapContext,
} from '#foundation/person-keys/key-store.ts';
import { HELD_MS, SparePeople } from '#foundation/person-keys/spare-people.ts';
import { deleteUnused, findOldMonths, findUnswept } from '#foundation/person-keys/sweep-store.ts';

export interface PersonKeysOptions {
  /** The database of the keys. */
  readonly store: Database;
  /** Unwraps the keys. */
  readonly vault: Vault;
  /** Real time, by which the age of a held key is measured. */
  readonly clock: Clock;
  /** The largest number of people whose keys one process holds. */
  readonly heldMax?: number;
  /** How many years the operator keeps data (`RETENTION_YEARS`). */
  readonly retentionYears?: number;
}

const HELD_MAX = 10_000;
/** A shorter retention does not destroy keys of months earlier: they also seal open work, such as unmatched money. */
const MONTHS_KEPT_YEARS = 5;

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
    this.#spares = new SparePeople(options.clock, (platformId, people) => this.#create(platformId, people));
    this.#find = batchCalls((people: PersonId[]) => findPeople(options.store, people));
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
    if (needs.purpose === 'seal') return this.ensure(platformId, needs.people);
    if (needs.purpose === 'add') return this.#spares.fill(platformId, needs.count);
    // Fetched even if some keys of these people are held, because a rotation may have added a key.
    const unknown = await this.#fetch(needs.people);
    if (unknown.length > 0) throw new PersonKeysLost(unknown);
  }

  /** Returns the id of a new person, whose key is already durable. */
  newPerson(platformId: PlatformId): PersonId {
    return this.#spares.take(platformId);
  }

  /** Requires this many ids at once, for a transaction that adds many people. */
  requireNew(platformId: PlatformId, count: number): void {
    this.#spares.require(platformId, count);
  }

  async ensure(platformId: PlatformId, people: readonly PersonId[]): Promise<void> {
    const unknown = await this.load(people);
    if (unknown.length > 0) await this.#create(platformId, unknown);
  }

  requireHeld(people: readonly PersonId[]): void {
    const missing = people.filter((person) => !this.#hold(person) && !this.isErased(person));
    if (missing.length > 0) throw new PersonKeysMissing({ purpose: 'seal', people: missing });
  }

  /**
   * Fetches and holds the keys of these people, and returns the people who never had one. Erased people are remembered.
   */
  async load(people: readonly PersonId[]): Promise<PersonId[]> {
    return this.#fetch(people.filter((person) => !this.#hold(person) && !this.isErased(person)));
  }

  async #fetch(people: readonly PersonId[]): Promise<PersonId[]> {
    const missing = [...new Set(people)];
    const found = await Promise.all(missing.map(this.#find));
    this.#keep(found.flatMap((person) => person?.keys ?? []));
    for (const person of missing.filter((_, i) => found[i]?.isErased)) this.#drop(person);
    return missing.filter((_, i) => found[i] === undefined);
  }

  /** Loads all keys that open these values. */
  async loadFor(sealed: readonly (Uint8Array | null | undefined)[]): Promise<void> {
    const references = sealed.flatMap((value) => (value ? readReferences(value) : []));
    const missing = references.filter(
      ({ person, generation }) => !this.find(person, generation) && !this.isErased(person),
    );
    if (missing.length > 0) await this.#fetch(missing.map(({ person }) => person));
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

  findUnswept(platformId: PlatformId, limit: number): Promise<PersonId[]> {
    return findUnswept(this.#options.store, platformId, limit);
  }

  sweep(platformId: PlatformId, seen: readonly PersonId[], unused: readonly PersonId[]): Promise<void> {
    return deleteUnused(this.#options.store, { platformId, seen, unused });
  }

  findOldMonths(platformId: PlatformId): Promise<PersonId[]> {
    const { store, retentionYears = 0 } = this.#options;
    return findOldMonths(store, platformId, Math.max(MONTHS_KEPT_YEARS, retentionYears));
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

  /** Creates the first keys of people who have none. Each key is durable before any value is sealed with it. */
  async #create(platformId: PlatformId, people: readonly PersonId[]): Promise<void> {
    const wrapping = this.#options.vault.ofPlatform(platformId);
    const keys = people.map((person_id) => {
      const wrapped = wrapping.seal(randomBytes(KEY_BYTES), wrapContext(person_id, 1));
      return { person_id, generation: 1, wrapped };
    });
    await insertFirstKeys(this.#options.store, platformId, keys);
    // Another process may have been first: then its keys are the valid ones.
    await this.load(people);
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

/** Removes the oldest entries above the limit. */
function bound(entries: Map<PersonId, unknown> | Set<PersonId>, most: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(oldest);
  }
}

/**
 * Thrown if values are sealed with keys that the database of keys never had: it is older than the other database, or
 * another one.
 */
export class PersonKeysLost extends Error {
  override name = 'PersonKeysLost';

  constructor(people: readonly PersonId[]) {
    super(`the database of keys does not know ${people.length} people; the first is ${people[0]}`);
  }
}
