import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { Database } from '#foundation/database/database.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';
import { countDeletion } from '#foundation/person-keys/shred-store.ts';

/** A key as it is stored: wrapped with a key of the person's platform. */
export interface WrappedPersonKey {
  readonly person_id: PersonId;
  readonly platform_id: PlatformId;
  readonly generation: number;
  readonly wrapped: Buffer;
}

export type NewPersonKey = Omit<WrappedPersonKey, 'platform_id'>;

/** A person whom the store knows. An erased person has no keys. */
export interface StoredPerson {
  readonly isErased: boolean;
  /** Whether the service's database has recorded that this person has a key. */
  readonly isRecorded: boolean;
  /** The oldest first. */
  readonly keys: readonly WrappedPersonKey[];
}

/** Finds these people, in the order of the ids; undefined for a person who never had a key. */
export async function findPeople(
  store: Pick<Database, 'query'>,
  people: readonly PersonId[],
): Promise<(StoredPerson | undefined)[]> {
  const rows = await store.query<PersonKeyRow>(sql`
    select p.person_id, p.platform_id, p.erased_at, p.is_recorded, k.generation, k.wrapped
      from people p left join person_keys k on k.person_id = p.person_id
     where p.person_id = any(${people}::uuid[])
     order by p.person_id, k.generation`);
  const found = Map.groupBy(rows, (row) => row.person_id);
  return people.map((person) => {
    const own = found.get(person);
    return (
      own && {
        isErased: own.some((row) => row.erased_at !== null),
        isRecorded: own.every((row) => row.is_recorded),
        keys: own.filter(hasKey),
      }
    );
  });
}

/** Finds the keys of the three oldest and the three newest people of each of these platforms. */
export function findOutermostKeys(
  store: Pick<Database, 'query'>,
  platforms: readonly PlatformId[],
): Promise<WrappedPersonKey[]> {
  return store.query<WrappedPersonKey>(sql`
    select k.person_id, platform.id as platform_id, k.generation, k.wrapped
      from unnest(${platforms}::uuid[]) as platform(id)
     cross join lateral (
       (select person_id from people where platform_id = platform.id and erased_at is null
         order by created_at, person_id limit 3)
       union
       (select person_id from people where platform_id = platform.id and erased_at is null
         order by created_at desc, person_id desc limit 3)) p
      join person_keys k on k.person_id = p.person_id`);
}

/** A person and one of their keys, if any. */
type PersonKeyRow = Pick<WrappedPersonKey, 'person_id' | 'platform_id'> & {
  readonly erased_at: Date | null;
  readonly is_recorded: boolean;
} & (
    | Pick<WrappedPersonKey, 'generation' | 'wrapped'>
    | { readonly generation: null; readonly wrapped: null }
  );

function hasKey(row: PersonKeyRow): row is PersonKeyRow & WrappedPersonKey {
  return row.wrapped !== null;
}

/**
 * Stores the first keys of people. A person who already has a key keeps it, and an erased person gets none. The keys
 * are durable when this returns.
 */
export async function insertFirstKeys(
  store: Pick<Database, 'transaction'>,
  platformId: PlatformId,
  keys: readonly NewPersonKey[],
  { isRecorded = true } = {},
): Promise<void> {
  const people = keys.map((key) => key.person_id);
  await store.transaction(async (run) => {
    await run(sql`
      insert into people (person_id, platform_id, is_recorded)
      select person_id, ${platformId}, ${isRecorded} from unnest(${people}::uuid[]) as new(person_id) order by 1
      on conflict (person_id) do nothing`);
    await run(sql`
      insert into person_keys (person_id, generation, wrapped)
      select new.person_id, 1, new.wrapped
        from unnest(${people}::uuid[], ${keys.map((key) => key.wrapped)}::bytea[]) as new(person_id, wrapped)
        join people p on p.person_id = new.person_id and p.erased_at is null
       order by 1
      on conflict (person_id, generation) do nothing`);
  });
}

/**
 * Destroys the keys of people for good, and returns the number of the last erasure. Repeating it changes nothing.
 * Erasures take turns, so that they become visible in the order of their numbers and no process misses one.
 */
export async function eraseKeys(
  store: Pick<Database, 'transaction'>,
  platformId: PlatformId,
  people: readonly PersonId[],
): Promise<bigint> {
  return store.transaction(async (run) => {
    await run(sql`select pg_advisory_xact_lock(${ERASURES_LOCK})`);
    await run(sql`
      insert into people (person_id, platform_id, erased_at, erasure)
      select person_id, ${platformId}, now(), nextval('people_erasures')
        from (select unnest(${people}::uuid[]) as person_id order by 1) new
      on conflict (person_id) do update
         set platform_id = excluded.platform_id, erased_at = excluded.erased_at, erasure = excluded.erasure
       where people.erased_at is null`);
    await run(sql`delete from person_keys where person_id = any(${people}::uuid[])`);
    await run(countDeletion);
    return findLastErasure({ query: run });
  });
}

export async function markRecorded(
  store: Pick<Database, 'query'>,
  people: readonly PersonId[],
): Promise<void> {
  await store.query(sql`
    update people set is_recorded = true where person_id = any(${people}::uuid[]) and erased_at is null`);
}

/** Deletes people who were in reserve and never became customers. */
export async function deleteUnused(
  store: Pick<Database, 'transaction'>,
  people: readonly PersonId[],
): Promise<void> {
  await store.transaction(async (run) => {
    // Rows are locked in the order of their ids, as erasures lock them.
    await run(sql`
      select from people where person_id = any(${people}::uuid[]) and erased_at is null order by person_id for update`);
    await run(sql`
      delete from person_keys k using people p
       where p.person_id = k.person_id and p.person_id = any(${people}::uuid[]) and p.erased_at is null`);
    await run(sql`delete from people where person_id = any(${people}::uuid[]) and erased_at is null`);
  });
}

/** People who stand for a month have ids of this version (`strangersOf`), which no customer has. */
const IS_MONTH = rawSql(`substr(person_id::text, 15, 1) = '8'`);

/** A shorter retention does not destroy keys of months earlier: they also seal open work, such as unmatched money. */
const MONTHS_KEPT_YEARS = 5;
/** bank-files.md §5.3 */
const FILES_KEPT_YEARS = 10;

/** Finds a bounded number of keys of months that are no longer kept, and of the installation those of old files, too. */
export async function findOldMonths(
  store: Pick<Database, 'query'>,
  platformId: PlatformId,
  retentionYears: number,
): Promise<PersonId[]> {
  const monthYears = Math.max(MONTHS_KEPT_YEARS, retentionYears);
  const fileYears = Math.max(FILES_KEPT_YEARS, retentionYears);
  const rows = await store.query<{ person_id: PersonId }>(sql`
    (select person_id from people
      where platform_id = ${platformId} and erased_at is null and ${IS_MONTH}
        -- The last value of a month is a month younger than its key.
        and created_at < now() - interval '1 month' - ${monthYears} * interval '1 year'
      order by created_at limit 100)
    union all
    -- Everybody else of the installation is a file.
    (select person_id from people
      where platform_id = ${platformId} and platform_id = ${NIL_ID} and erased_at is null and not ${IS_MONTH}
        and created_at < now() - ${fileYears} * interval '1 year'
      order by created_at limit 100)`);
  return rows.map(({ person_id }) => person_id);
}

/** Erasures take turns under this lock. */
export const ERASURES_LOCK = 7_265_420_114;

/** An erased person, with the number of the erasure. */
export interface Erasure {
  readonly person: PersonId;
  readonly platformId: PlatformId;
  readonly erasure: bigint;
}

export async function findLastErasure(store: Pick<Database, 'query'>): Promise<bigint> {
  const [row] = await store.query<{ last: bigint | null }>(sql`select max(erasure) as last from people`);
  return row?.last ?? 0n;
}

/** Continues the numbers of erasures after this one, which an older copy of this database does not know. */
export async function skipErasures(store: Pick<Database, 'query'>, known: bigint): Promise<void> {
  await store.query(sql`
    select setval('people_erasures', ${known}) from people_erasures where last_value < ${known}`);
}

export async function hasPeople(store: Pick<Database, 'query'>): Promise<boolean> {
  return (await store.query(sql`select 1 from people limit 1`)).length > 0;
}

/** Finds the erasures after a known one, in their order. */
export function findErasures(store: Pick<Database, 'query'>, after: bigint): Promise<Erasure[]> {
  return store.query<Erasure>(sql`
    select person_id as person, platform_id as "platformId", erasure from people where erasure > ${after} order by erasure limit 1000`);
}

export const KEY_BYTES = 32;

/** Returns the context to which a wrapped key is bound. */
export function wrapContext(person: PersonId, generation: number): string {
  return `person_keys.wrapped:${person}:${generation}`;
}
