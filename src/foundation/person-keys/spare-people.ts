import { type PersonId, PersonKeysMissing } from '#foundation/crypto/person-seal.ts';
import { newUuid, withoutReservedEndings } from '#foundation/lib/ids.ts';

/** How long a process holds a key before it reads it again. */
export const HELD_MS = 300_000;

const newPersonId = withoutReservedEndings(newUuid);

/** The largest number of ids that one platform has in reserve. */
const SPARES_MAX = 64;

export interface SpareKeys {
  /** Whether this process holds the key of a person at the moment. */
  isHeld(person: PersonId): boolean;
  /** Fetches the keys of these people, and returns the people without any. */
  load(people: readonly PersonId[]): Promise<readonly PersonId[]>;
  /** Stores the first keys of these people; they are durable when this returns. */
  create(platformId: PlatformId, people: readonly PersonId[]): Promise<void>;
  /** Deletes people whose ids no customer has. */
  discard(people: readonly PersonId[]): Promise<void>;
}

/**
 * A reserve of ids for new people, whose keys are already durable. A new customer takes one, so that the transaction
 * that stores the customer does not wait for the database of keys.
 *
 * Only the process that made an id knows whether a customer may have it. It takes the id back after a rollback, and
 * deletes its reserve when it stops. Nobody else may delete such an id: a database that was restored from a backup does
 * not know the customers that were added since, and would delete their keys. A process that is killed leaves its reserve
 * behind: a few keys that open nothing.
 */
export class SparePeople {
  readonly #keys: SpareKeys;
  readonly #spares = new Map<PlatformId, PersonId[]>();
  /** How many ids the next refill creates. The number doubles each time, for platforms that add people quickly. */
  readonly #refills = new Map<PlatformId, number>();

  constructor(keys: SpareKeys) {
    this.#keys = keys;
  }

  take(platformId: PlatformId): PersonId {
    this.require(platformId, 1);
    const spares = this.#of(platformId);
    const place = spares.findIndex((person) => this.#keys.isHeld(person));
    return spares.splice(place, 1)[0] ?? missing(1);
  }

  takeBack(platformId: PlatformId, person: PersonId): void {
    this.#of(platformId).unshift(person);
  }

  require(platformId: PlatformId, count: number): void {
    const held = this.#of(platformId).filter((person) => this.#keys.isHeld(person));
    if (held.length < count) missing(count);
  }

  /** Fetches the keys of the reserve, which this process holds for some minutes only, and creates more ids. */
  async fill(platformId: PlatformId, needed: number): Promise<void> {
    const spares = this.#of(platformId);
    const stored = spares.slice(0, Math.max(needed, SPARES_MAX));
    const gone = new Set(await this.#keys.load(stored));
    if (gone.size > 0) this.#remove(platformId, gone);
    const ready = stored.length - gone.size;
    if (ready >= needed) return;
    const refill = Math.max(needed - ready, this.#refills.get(platformId) ?? 1);
    const ids = Array.from({ length: refill }, () => newPersonId());
    await this.#keys.create(platformId, ids);
    this.#of(platformId).push(...ids);
    this.#refills.set(platformId, Math.min(refill * 2, SPARES_MAX));
  }

  /** Deletes the reserve of all platforms. No id may be taken afterwards. */
  async discard(): Promise<void> {
    const unused = [...this.#spares.values()].flat();
    this.#spares.clear();
    if (unused.length > 0) await this.#keys.discard(unused);
  }

  #of(platformId: PlatformId): PersonId[] {
    const known = this.#spares.get(platformId);
    if (known) return known;
    const spares: PersonId[] = [];
    this.#spares.set(platformId, spares);
    return spares;
  }

  #remove(platformId: PlatformId, gone: ReadonlySet<PersonId>): void {
    const spares = this.#of(platformId);
    this.#spares.set(
      platformId,
      spares.filter((person) => !gone.has(person)),
    );
  }
}

function missing(count: number): never {
  throw new PersonKeysMissing({ purpose: 'add', count });
}
