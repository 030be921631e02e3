import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { Database } from '#foundation/database/database.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';

/** People who stand for a month have ids of this version (`strangersOf`), which no customer has. */
const IS_MONTH = rawSql(`substr(person_id::text, 15, 1) = '8'`);

/**
 * Finds the next people of a platform whom no sweep has read yet. They are older than a day: a process hands out an id
 * within minutes after its key was stored, and no transaction takes longer than a minute.
 */
export async function findUnswept(
  store: Pick<Database, 'query'>,
  platformId: PlatformId,
  limit: number,
): Promise<PersonId[]> {
  const rows = await store.query<{ person_id: PersonId }>(sql`
    select person_id from people
     where platform_id = ${platformId} and erased_at is null and not ${IS_MONTH}
       and created_at < now() - interval '1 day'
       and (created_at, person_id) > (
         coalesce((select created_at from sweeps where platform_id = ${platformId}), '-infinity'),
         coalesce((select person_id from sweeps where platform_id = ${platformId}),
                  '00000000-0000-0000-0000-000000000000'))
     order by created_at, person_id limit ${limit}`);
  return rows.map(({ person_id }) => person_id);
}

/** Deletes people who never became customers, and records how far the sweep has read. */
export async function deleteUnused(
  store: Pick<Database, 'transaction'>,
  {
    platformId,
    seen,
    unused,
  }: { platformId: PlatformId; seen: readonly PersonId[]; unused: readonly PersonId[] },
): Promise<void> {
  await store.transaction(async (run) => {
    await run(sql`
      insert into sweeps (platform_id, created_at, person_id)
      select platform_id, created_at, person_id from people
       where platform_id = ${platformId} and person_id = ${seen.at(-1)}
      on conflict (platform_id) do update set created_at = excluded.created_at, person_id = excluded.person_id`);
    // Rows are locked in the order of their ids, as erasures lock them.
    await run(sql`
      select from people where person_id = any(${unused}::uuid[]) and erased_at is null order by person_id for update`);
    await run(sql`
      delete from person_keys k using people p
       where p.person_id = k.person_id and p.person_id = any(${unused}::uuid[]) and p.erased_at is null`);
    await run(sql`delete from people where person_id = any(${unused}::uuid[]) and erased_at is null`);
  });
}

/** Finds a bounded number of keys of months that are older than this number of years. */
export async function findOldMonths(
  store: Pick<Database, 'query'>,
  platformId: PlatformId,
  years: number,
): Promise<PersonId[]> {
  const rows = await store.query<{ person_id: PersonId }>(sql`
    select person_id from people
     where platform_id = ${platformId} and erased_at is null and ${IS_MONTH}
       -- The last value of a month is a month younger than its key.
       and created_at < now() - interval '1 month' - ${years} * interval '1 year'
     order by created_at limit 100`);
  return rows.map(({ person_id }) => person_id);
}
