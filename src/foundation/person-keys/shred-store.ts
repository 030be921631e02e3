import type { Database } from '#foundation/database/database.ts';
import { sqlFailure } from '#foundation/database/failures.ts';
import { sql } from '#foundation/database/sql.ts';

/** Counts a transaction that deletes keys of people, so that the next shredding includes them. */
export const countDeletion = sql`update key_store set deletions = deletions + 1`;

/** Only one process shreds at a time. */
const SHREDDING_LOCK = 7_265_420_115;
/** Readers of keys queue behind a waiting shredding, so it does not wait long. */
const LOCK_TIMEOUT_MS = 2_000;
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Removes deleted keys from the files of the database of keys, at most once a day, and returns whether it did. It writes
 * the table again, and ends the segments of the write-ahead log in which the keys may be. VACUUM would only mark the
 * space as free, and VACUUM FULL would keep rows that an open snapshot might still see.
 */
export async function shredDeletedKeys(store: Database): Promise<boolean> {
  const isDue = await store.transaction(async (run) => {
    const due = await run<{ deletions: bigint }>(sql`
      select deletions from key_store
       where shredded < deletions and shredded_at < now() - interval '20 hours'
         and pg_try_advisory_xact_lock(${SHREDDING_LOCK})`);
    if (!due[0]) return false;
    await run(sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`);
    // A deletion that is in progress holds rows of this table, so its keys and its count are both later or both earlier.
    await run(sql`lock table person_keys in access exclusive mode`);
    // The call of a function makes PostgreSQL write every row that exists into a new file.
    await run(sql`alter table person_keys alter column wrapped type bytea using substring(wrapped from 1)`);
    await run(sql`update key_store set shredded = deletions, shredded_at = now()`);
    return true;
  });
  if (isDue) await endLogSegments(store);
  return isDue;
}

/**
 * Ends the present segment of the write-ahead log, and has PostgreSQL delete those before it. Without the privilege,
 * PostgreSQL does so at its next checkpoints.
 */
async function endLogSegments(store: Database): Promise<void> {
  try {
    await store.query(sql`select pg_switch_wal()`);
    await store.query(sql`checkpoint`);
  } catch (error) {
    if (sqlFailure(error)?.code !== INSUFFICIENT_PRIVILEGE) throw error;
  }
}
