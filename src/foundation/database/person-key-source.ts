import type { PersonId, PersonKeysMissing } from '#foundation/crypto/person-seal.ts';

/** A person who has a key. */
export interface KeyedPerson {
  readonly id: PersonId;
  readonly platform_id: PlatformId;
  /** The generation of the key that seals the person's row; null: the person has no sealed row. */
  readonly generation: number | null;
}

/** Where the keys of people come from (src/foundation/person-keys). */
export interface PersonKeySource {
  /** Fetches missing keys, and creates those that are needed to seal. */
  provide(platformId: PlatformId, missing: PersonKeysMissing): Promise<void>;
  /** Returns the id of a new person, whose key is already durable. */
  newPerson(platformId: PlatformId): PersonId;
  /** Takes back such an id, if no customer got it. */
  takeBack(platformId: PlatformId, person: PersonId): void;
  /** Requires this many such ids at once, for a transaction that adds many people. */
  requireNew(platformId: PlatformId, count: number): void;
  /**
   * Requires that this process holds the keys of these people, except of those who were erased. A first key is wrapped
   * for the platform, which is the caller's own unless it is named.
   */
  requireHeld(people: readonly PersonId[], platformId?: PlatformId): void;
  /** Requires that this process holds the keys that open these values, except of people who were erased. */
  requireOpenable(sealed: readonly (Uint8Array | null | undefined)[]): void;
  /** Destroys the keys of people for good. Returns the number of the last erasure. */
  erase(platformId: PlatformId, people: readonly PersonId[]): Promise<bigint>;
  /** Finds the erasures after a known one, in their order. */
  findErasures(
    after: bigint,
  ): Promise<
    readonly { readonly person: PersonId; readonly platformId: PlatformId; readonly erasure: bigint }[]
  >;
  /** Finds the people among these whose key is missing although it was not destroyed. */
  findLost(people: readonly KeyedPerson[]): Promise<readonly KeyedPerson[]>;
  /**
   * Finds keys of months whose data is no longer kept: after `RETENTION_YEARS`, and five years at least. The installation also
   * has keys of files, which are kept for ten years at least.
   */
  findOldMonths(platformId: PlatformId): Promise<PersonId[]>;
  /** Removes deleted keys from the files of their database, at most once a day. Returns whether it did. */
  shredDeleted(): Promise<boolean>;
  /**
   * Fetches the keys of these people, and creates a key for each who never had one: it is durable when this returns.
   * Erased people get none. Refuses if a key is lost.
   */
  ensure(platformId: PlatformId, people: readonly PersonId[]): Promise<void>;
  /** Fetches the keys of these people, and returns the people without any. */
  load(people: readonly PersonId[]): Promise<PersonId[]>;
  /** Whether this process knows that the keys of this person were destroyed; it does after `load`. */
  isErased(person: PersonId): boolean;
  /**
   * Fetches the keys that open these values in one trip, before the values are opened one by one. Values that no
   * person's key sealed are skipped.
   */
  loadFor(sealed: readonly (Uint8Array | null | undefined)[]): Promise<void>;
  /**
   * The same for one page of a search through values of any number of people, more than a process can hold keys of. It
   * is the only call for which a transaction may wait: its locks must be on rows that nobody else needs.
   */
  loadPage(sealed: readonly (Uint8Array | null | undefined)[]): Promise<void>;
}
