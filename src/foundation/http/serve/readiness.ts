import type { Database } from '#foundation/database/database.ts';
import { DISK_FULL, READ_ONLY, sqlFailure } from '#foundation/database/failures.ts';
import { newerMigration } from '#foundation/database/migrate.ts';
import { APPLIED_MIGRATIONS, TRY_WRITE } from '#foundation/database/server-checks.ts';
import { shareReads } from '#foundation/lib/batch-calls.ts';
import { withTimeout } from '#foundation/lib/promises.ts';
import type { StoragePort } from '#foundation/ports/storage.ts';

export interface ReadinessParts {
  readonly database: Database;
  readonly storage: Pick<StoragePort, 'checkWritable'>;
  /** The process is not ready if the database takes longer to answer: a prober does not wait for database timeouts. */
  readonly probeMaxMs?: number;
}

const PROBE_MAX_MS = 3_000;
/** Writing is not free, and probes are frequent: a successful write counts for this long. */
const WRITABLE_MS = 10_000;

/** Why this process cannot do its work; undefined if it can. */
export type Readiness = () => Promise<string | undefined>;

/**
 * A process is ready if its database answers, accepts writes and has exactly the migrations that this code knows, and if
 * documents can be stored.
 */
export function createReadiness(parts: ReadinessParts, known: () => readonly string[]): Readiness {
  const { database, storage, probeMaxMs = PROBE_MAX_MS } = parts;
  const isWritable = rememberingSuccess(
    async () => (await writeProblem(database)) ?? (await storageProblem(storage)),
  );
  // The probe needs no credentials, so any client may call it: all concurrent calls share one connection.
  const probe = shareReads(async () => (await schemaProblem(database, known())) ?? (await isWritable()));
  return () => withTimeout(probe(), probeMaxMs, 'the database does not answer');
}

/** Remembers for a while that there was no problem; a problem is checked again every time. */
function rememberingSuccess(look: Readiness): Readiness {
  let goodUntil = 0;
  return async () => {
    if (performance.now() < goodUntil) return undefined;
    const problem = await look();
    if (problem === undefined) goodUntil = performance.now() + WRITABLE_MS;
    return problem;
  };
}

async function schemaProblem(database: Database, known: readonly string[]): Promise<string | undefined> {
  try {
    const rows = await database.query<{ name: string }>(APPLIED_MIGRATIONS);
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

async function writeProblem(database: Database): Promise<string | undefined> {
  try {
    await database.query(TRY_WRITE);
    return undefined;
  } catch (error) {
    return sqlFailure(error)?.code === DISK_FULL ? 'the disk of the database is full' : TAKES_NO_WRITES;
  }
}

async function storageProblem(storage: ReadinessParts['storage']): Promise<string | undefined> {
  try {
    await storage.checkWritable();
    return undefined;
  } catch {
    return 'documents cannot be stored: the disk is full or cannot be written to';
  }
}
