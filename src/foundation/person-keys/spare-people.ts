import { type PersonId, PersonKeysMissing } from '#foundation/crypto/person-seal.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import { newUuid, withoutReservedEndings } from '#foundation/lib/ids.ts';

/** How long a process holds a key before it reads it again. */
export const HELD_MS = 300_000;

const newPersonId = withoutReservedEndings(newUuid);

/** The largest number of ids that one platform has in reserve. */
const SPARES_MAX = 64;

type CreateKeys = (platformId: PlatformId, people: readonly PersonId[]) => Promise<void>;

interface Spare {
  readonly id: PersonId;
  readonly until: number;
}

/**
 * A reserve of ids for new people, whose keys are already durable. A new customer takes one, so that the transaction
 * that stores the customer does not wait for the database of keys. A sweep deletes the ids that no customer took.
 */
export class SparePeople {
  readonly #clock: Clock;
  readonly #create: CreateKeys;
  readonly #spares = new Map<PlatformId, Spare[]>();
  /** How many ids the next refill creates. The number doubles each time, for platforms that add people quickly. */
  readonly #refills = new Map<PlatformId, number>();

  constructor(clock: Clock, create: CreateKeys) {
    this.#clock = clock;
    this.#create = create;
  }

  take(platformId: PlatformId): PersonId {
    this.require(platformId, 1);
    return this.#fresh(platformId).shift()?.id ?? missing(1);
  }

  require(platformId: PlatformId, count: number): void {
    if (this.#fresh(platformId).length < count) missing(count);
  }

  async fill(platformId: PlatformId, needed: number): Promise<void> {
    const refill = Math.max(needed, this.#refills.get(platformId) ?? 1);
    const ids = Array.from({ length: refill }, () => newPersonId());
    await this.#create(platformId, ids);
    const until = this.#clock.now() + HELD_MS;
    this.#fresh(platformId).push(...ids.map((id) => ({ id, until })));
    this.#refills.set(platformId, Math.min(refill * 2, SPARES_MAX));
  }

  #fresh(platformId: PlatformId): Spare[] {
    const now = this.#clock.now();
    const spares = this.#spares.get(platformId) ?? [];
    const fresh = spares.filter(({ until }) => until > now);
    // Ids that no customer took in time show that the platform needs few.
    if (fresh.length < spares.length) this.#refills.delete(platformId);
    this.#spares.set(platformId, fresh);
    return fresh;
  }
}

function missing(count: number): never {
  throw new PersonKeysMissing({ purpose: 'add', count });
}
