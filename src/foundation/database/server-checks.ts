import type { Run } from '#foundation/database/database.ts';
import { sqlFailure } from '#foundation/database/failures.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

/**
 * Why committed data could be lost if the database crashes; undefined if it is durable. An operator may accept that for a
 * trial, and a pooler would not pass on a session's own settings. So we warn, and neither refuse nor change the setting.
 */
export async function durabilityRisk(query: Run): Promise<string | undefined> {
  const unsafe = await query<{ name: string }>(sql`
    select name from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`);
  if (unsafe.length === 0) return undefined;
  const names = unsafe.map(({ name }) => name).join(', ');
  return `The database may lose payments that were answered when it crashes: it has these off: ${names}.`;
}

/**
 * Writes a row and undoes it, which fails on a server that is read-only or whose disk is full. It creates a new table,
 * because an update may still find room in a page that is not full.
 */
export const TRY_WRITE = sql`
  do $$
  begin
    create table write_that_is_taken_back (tried int);
    insert into write_that_is_taken_back values (1);
    raise exception using errcode = 'UNDO0';
  exception when sqlstate 'UNDO0' then
    null;
  end $$`;

/**
 * The names of applied migrations. Its `delete` deletes nothing, but a read-only server refuses it: a standby is not
 * ready.
 */
export const APPLIED_MIGRATIONS = sql`
  with written as (delete from schema_migrations where false)
  select name from schema_migrations`;

/**
 * Whether the transaction still has its connection. An error that the server reports, for example that the transaction
 * is aborted, proves that it has.
 */
export function isConnected(tx: ReadTx): Promise<boolean> {
  return tx.sql`select`.then(
    () => true,
    (error) => sqlFailure(error) !== undefined,
  );
}
