import type { Database } from '#database/database.ts';
import { DISK_FULL, READ_ONLY, sqlFailure } from '#database/failures.ts';
import { newerMigration } from '#database/migrate.ts';
import { TRY_WRITE } from '#database/server-checks.ts';
import { sql } from '#database/sql.ts';
import { shareReads } from '#lib/batch-calls.ts';
import { withTimeout } from '#lib/promises.ts';
import type { StoragePort } from '#rails/storage.ts';

export interface ReadinessParts {
  readonly database: Database;
  readonly storage: Pick<StoragePort, 'checkWritable'>;
  /** A database that is silent for so long is not ready: whoever probes does not wait for its own limits. */
  readonly probeMaxMs?: number;
}

const PROBE_MAX_MS = 3_000;
/** Writing costs something, and probes come often: that it was possible holds for so long. */
const WRITABLE_MS = 10_000;

/** What keeps this process from doing its work; undefined where nothing does. */
export type Readiness = () => Promise<string | undefined>;

/**
 * Ready is a process whose database answers, takes writes and has every migration this code was written for and no
 * newer one, and whose documents can be stored.
 */
export function createReadiness(parts: ReadinessParts, known: () => readonly string[]): Readiness {
  const { database, storage, probeMaxMs = PROBE_MAX_MS } = parts;
  const isWritable = forAWhile(async () => (await fullDatabase(database)) ?? (await fullStorage(storage)));
  // Nobody needs credentials for this: however many ask, they take one connection.
  const probe = shareReads(async () => (await misfit(database, known())) ?? (await isWritable()));
  return () => withTimeout(probe(), probeMaxMs, 'the database does not answer');
}

/** That there is no problem is remembered for a while; a problem is looked at again every time. */
function forAWhile(look: Readiness): Readiness {
  let goodUntil = 0;
  return async () => {
    if (performance.now() < goodUntil) return undefined;
    const problem = await look();
    if (problem === undefined) goodUntil = performance.now() + WRITABLE_MS;
    return problem;
  };
}

async function misfit(database: Database, known: readonly string[]): Promise<string | undefined> {
  try {
    const rows = await database.query<{ name: string }>(APPLIED);
    const applied = rows.map(({ name }) => name);
    if (newerMigration(known, applied)) return 'a newer version has upgraded the database';
    return known.every((name) => applied.includes(name))
      ? undefined
      : 'the database schema is not up to date';
  } catch (error) {
    return sqlFailure(error)?.code === READ_ONLY ? TAKES_NO_WRITES : 'the database cannot be reached';
  }
}

const TAKES_NO_WRITES = 'the database takes no writes';

/** It writes nothing, and yet a server that takes no writes refuses it: a standby must not look ready. */
const APPLIED = sql`
  with written as (delete from schema_migrations where false)
  select name from schema_migrations`;

async function fullDatabase(database: Database): Promise<string | undefined> {
  try {
    await database.query(TRY_WRITE);
    return undefined;
  } catch (error) {
    return sqlFailure(error)?.code === DISK_FULL ? 'the disk of the database is full' : TAKES_NO_WRITES;
  }
}

async function fullStorage(storage: ReadinessParts['storage']): Promise<string | undefined> {
  try {
    await storage.checkWritable();
    return undefined;
  } catch {
    return 'documents cannot be stored: the disk is full or cannot be written to';
  }
}
