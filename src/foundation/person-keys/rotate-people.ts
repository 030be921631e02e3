import { randomBytes } from 'node:crypto';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { Database } from '#foundation/database/database.ts';
import { type ResealProgress, resealPeople, type SealedValue } from '#foundation/database/reseal.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { KEY_BYTES, wrapContext } from '#foundation/person-keys/key-store.ts';
import { openPersonKeys, type PersonSealing } from '#foundation/person-keys/person-keys.ts';
import {
  beginRotation,
  deleteOlder,
  endRotation,
  findReplaced,
  findUnrotated,
  insertGenerations,
  type RotatedPerson,
} from '#foundation/person-keys/rotation-store.ts';
import { HELD_MS } from '#foundation/person-keys/spare-people.ts';

export interface RotatePeopleOptions {
  readonly database: Database;
  readonly store: Database;
  /** Wraps the new keys. */
  readonly vault: Vault;
  /** Whether servers run on these databases: they still seal with the keys that they hold, for some minutes. */
  readonly isShared: boolean;
  report(line: string): void;
  wait(ms: number): Promise<void>;
  onBatch?(progress: ResealProgress): void | Promise<void>;
}

export interface PeopleRotation {
  /** Whether this rotation finished an earlier one that was interrupted. */
  readonly wasContinued: boolean;
  /** The number of people who got a new key. */
  readonly people: number;
  readonly resealed: number;
  /** The number of old keys that were deleted. */
  readonly deleted: number;
}

/** Longer than any transaction that may still seal a value with an old key. */
const LATE_MS = 60_000;
const BATCH = 500;
const GENERATION_MAX = 255;
/** More people than one batch of values can name. */
const HELD_MAX = 60_000;

/**
 * Gives every person a new key, seals all their values again with it, and then deletes the old keys, while servers run.
 * The database of keys records when the rotation began, so that an interrupted rotation can be continued. Values that
 * name several people are sealed with the newest keys of all of them.
 */
export async function rotatePeople(options: RotatePeopleOptions): Promise<PeopleRotation> {
  const { store } = options;
  const wasContinued = !(await beginRotation(store));
  let people = await addGenerations(options);
  options.report(`${people} people have new keys.`);
  if (options.isShared) {
    const waitMs = HELD_MS + LATE_MS;
    options.report(`Waiting ${waitMs / 1000} s until no server seals with the old keys …`);
    await options.wait(waitMs);
    // Replaces the first keys of people whose transaction was open when the rotation began.
    people += await addGenerations(options);
  }
  const resealed = await resealUntilNew(options);
  const deleted = await deleteAllReplaced(store);
  await endRotation(store);
  return { wasContinued, people, resealed, deleted };
}

async function addGenerations({ store, vault }: RotatePeopleOptions): Promise<number> {
  let added = 0;
  for (let after: string | undefined; ; ) {
    const old = await findUnrotated(store, { after, limit: BATCH });
    if (old.length === 0) return added;
    const keys = old.map(({ person_id, platform_id, generation: last }: RotatedPerson) => {
      const generation = last + 1;
      if (generation > GENERATION_MAX) {
        throw new Error(
          `The keys of person ${person_id} have been rotated ${GENERATION_MAX - 1} times, which is the most.`,
        );
      }
      const wrapped = vault
        .ofPlatform(platform_id)
        .seal(randomBytes(KEY_BYTES), wrapContext(person_id, generation));
      return { person_id, generation, wrapped };
    });
    added += await insertGenerations(store, keys);
    after = old.at(-1)?.person_id;
  }
}

/**
 * Repeats the pass until it finds no value with an old key: during a pass, servers may write such values, or win a race
 * for a row.
 */
async function resealUntilNew({ database, store, vault, onBatch }: RotatePeopleOptions): Promise<number> {
  const sealing = await openPersonKeys({ database, store, vault, clock: systemClock, heldMax: HELD_MAX });
  for (let resealed = 0; ; ) {
    let old = 0;
    const reseal = async (values: readonly SealedValue[]) => {
      const changed = await resealBatch(sealing, values);
      old += changed.filter((value) => value !== undefined).length;
      return changed;
    };
    resealed += await resealPeople(database, reseal, onBatch);
    if (old === 0) return resealed;
  }
}

/** Seals a batch again. Values that no key opens, because a person was erased, stay as they are. */
async function resealBatch(
  sealing: PersonSealing,
  values: readonly SealedValue[],
): Promise<(Buffer | undefined)[]> {
  const { vault, personKeys } = sealing;
  await personKeys.loadFor(values.map(({ value }) => value));
  const references = values.map(({ value }) => readReferences(value));
  await requireAllHeld(
    sealing,
    references.flat().map(({ person }) => person),
  );
  return values.map(({ value, context }, i) => {
    const named = references[i] ?? [];
    const newest = named.map(({ person }) => personKeys.newest(person)?.generation);
    if (newest.includes(undefined)) return undefined;
    if (named.every(({ generation }, j) => generation === newest[j])) return undefined;
    const people = named.map(({ person }) => person);
    return vault.sealFor(people, vault.open(value, context), context);
  });
}

/**
 * Refuses to continue without a key that exists: its values would be skipped like those of erased people, and the old
 * key is deleted later.
 */
async function requireAllHeld({ personKeys }: PersonSealing, people: readonly string[]): Promise<void> {
  const isMissing = (person: string) => !personKeys.newest(person) && !personKeys.isErased(person);
  const unknown = new Set(await personKeys.load(people.filter(isMissing)));
  const missing = people.filter((person) => isMissing(person) && !unknown.has(person));
  if (missing.length > 0) throw new Error('the keys of a batch do not fit into memory');
}

async function deleteAllReplaced(store: Database): Promise<number> {
  let deleted = 0;
  for (let after: string | undefined; ; ) {
    const people = await findReplaced(store, { after, limit: BATCH });
    if (people.length === 0) return deleted;
    deleted += await deleteOlder(store, people);
    after = people.at(-1);
  }
}
