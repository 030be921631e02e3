import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { connectionConfig, destroySocket } from '#foundation/database/connections.ts';

export interface MigrationReport {
  migrations: string[];
  functions: string[];
}

/** This version of the code cannot bring the schema up to date. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LOCK = 7_265_420_113;
const OLDEST_POSTGRES = 15;

/**
 * Brings the schema up to date: numbered files of `migrations/` once each, in order, each in a transaction
 * of its own; then the SQL functions (`*.sql` beside the TypeScript that calls them) whose text changed.
 * A process killed in the middle leaves whole steps only, and two processes at once take turns. A database that a
 * newer version has upgraded is refused: the functions of this version would replace those that match the schema.
 */
export async function migrate(
  url: string,
  { connectMaxMs = 10_000, signal, schema = SERVICE_SCHEMA }: MigrateOptions = {},
): Promise<MigrationReport> {
  const client = new pg.Client({ ...connectionConfig(url), connectionTimeoutMillis: connectMaxMs });
  // A lost connection fails the statement; the event would end the process.
  client.on('error', () => undefined);
  // The server rolls back the statement that is running or waiting.
  signal?.addEventListener('abort', () => destroySocket(client));
  signal?.throwIfAborted();
  await client.connect();
  try {
    await withMigrationLock(client, async () => {
      await refuseUnfit(client);
      await client.query(LEDGER_OF_STEPS);
      await refuseUnreleased(client);
      await refuseNewer(client, schema);
    });
    return {
      migrations: await applyMigrations(client, schema),
      functions: await applyFunctions(client, schema),
    };
  } finally {
    await client.end();
  }
}

interface MigrateOptions {
  readonly connectMaxMs?: number;
  readonly signal?: AbortSignal;
  /** The schema of the database; by default that of the service. */
  readonly schema?: Schema;
}

/** The files of a database's migrations and functions, as patterns. */
export interface Schema {
  readonly migrations: string;
  readonly functions: string;
}

const SERVICE_SCHEMA: Schema = { migrations: 'migrations/*.sql', functions: 'src/**/*.{sql,sql.ts}' };
/** The keys of people have a database of their own. */
export const PERSON_KEYS_SCHEMA: Schema = {
  migrations: 'migrations/person-keys/*.sql',
  functions: 'migrations/person-keys/functions/*.sql',
};

/** The migrations this version of the code needs, by name. */
export async function knownMigrations(schema = SERVICE_SCHEMA): Promise<string[]> {
  return (await files(schema.migrations)).map((path) => basename(path, '.sql'));
}

const LEDGER_OF_STEPS = `
  create table if not exists schema_migrations (
    name text primary key, hash text not null, applied_at timestamptz not null default now());
  create table if not exists schema_functions (
    name text primary key, hash text not null, applied_at timestamptz not null default now())`;

async function applyMigrations(client: pg.Client, schema: Schema): Promise<string[]> {
  const applied: string[] = [];
  for (const path of await files(schema.migrations)) {
    const name = basename(path, '.sql');
    const text = await readFile(path, 'utf8');
    const done = await withMigrationLock(client, async () => {
      const known = await client.query('select hash from schema_migrations where name = $1', [name]);
      if (known.rowCount) return assertSame(name, known.rows[0].hash, hashText(text));
      await client.query(text);
      await client.query('insert into schema_migrations (name, hash) values ($1, $2)', [
        name,
        hashText(text),
      ]);
      return true;
    });
    if (done) applied.push(name);
  }
  return applied;
}

async function applyFunctions(client: pg.Client, schema: Schema): Promise<string[]> {
  const paths = await files(schema.functions);
  return withMigrationLock(client, async () => {
    // A newer version may have upgraded the database between the steps.
    await refuseNewer(client, schema);
    // Bodies may name functions that a later file defines.
    await client.query('set local check_function_bodies = off');
    const applied: string[] = [];
    const known = await client.query<{ name: string; hash: string }>(
      'select name, hash from schema_functions',
    );
    const names = paths.map((path) => path.slice(ROOT.length));
    // A version that keeps its functions in other files has been here, and may have replaced any of ours.
    const isForeign = known.rows.some((row) => !names.includes(row.name));
    const hashes = new Map(isForeign ? [] : known.rows.map((row) => [row.name, row.hash]));
    if (isForeign) await client.query('delete from schema_functions where name <> all($1)', [names]);
    for (const path of paths) {
      const name = path.slice(ROOT.length);
      const text = await functionText(path);
      if (hashes.get(name) === hashText(text)) continue;
      await client.query(text);
      await client.query(
        `insert into schema_functions (name, hash) values ($1, $2)
         on conflict (name) do update set hash = excluded.hash, applied_at = now()`,
        [name, hashText(text)],
      );
      applied.push(name);
    }
    return applied;
  });
}

/** The text of an SQL file, or of a module that generates SQL from TypeScript. */
async function functionText(path: string): Promise<string> {
  return path.endsWith('.ts') ? (await import(path)).default : readFile(path, 'utf8');
}

/** The first applied migration that is not in `known`: a newer version has upgraded the database. */
export function newerMigration(known: readonly string[], applied: readonly string[]): string | undefined {
  return applied.toSorted().find((name) => !known.includes(name));
}

interface Server {
  readonly version: number;
  readonly encoding: string;
  readonly isolation: string;
  readonly isReadOnly: boolean;
  readonly searchPath: string;
  /** The schema in which tables are created; null if no schema of the path exists for this user. */
  readonly schema: string | null;
}

async function refuseUnfit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Server>(
    `select current_setting('server_version_num')::integer as version,
            current_setting('server_encoding') as encoding,
            current_setting('default_transaction_isolation') as isolation,
            current_setting('transaction_read_only')::boolean as "isReadOnly",
            current_setting('search_path') as "searchPath", current_schema() as schema`,
  );
  const problem = rows[0] && checkServer(rows[0]);
  if (problem) throw new MigrationError(problem);
}

/** Why a server or its database cannot be used, whatever its content. */
export function checkServer(server: Server): string | undefined {
  const { version, encoding, isolation, isReadOnly, searchPath, schema } = server;
  const major = Math.floor(version / 10_000);
  if (major < OLDEST_POSTGRES) {
    return `PostgreSQL ${major} is too old: Corridor needs ${OLDEST_POSTGRES} or newer.`;
  }
  // Names of people may be in any script.
  if (encoding !== 'UTF8') return `The database is encoded in ${encoding}: Corridor needs one in UTF8.`;
  // A transaction that waited for a row must see its new state. A pooler would not pass the setting on, so we do not set
  // it.
  if (isolation !== 'read committed') {
    return `The database's default_transaction_isolation is ${isolation}: Corridor needs read committed.`;
  }
  if (isReadOnly) {
    return 'The database takes no writes: it is a standby, or default_transaction_read_only is on for it or its user.';
  }
  if (schema === null) {
    return `The search_path (${searchPath}) names no schema that the user of DATABASE_URL may use.`;
  }
  return undefined;
}

/** The hash of the first migration from before the first release, when the schema had other migrations. */
const FIRST_UNRELEASED = '39a416f26acc72f24426025a91c5365efa8b53c8a9f6ba12cfea3055130a1d3c';

async function refuseUnreleased(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from schema_migrations where hash = $1', [
    FIRST_UNRELEASED,
  ]);
  if (rowCount) {
    throw new MigrationError(
      'A version of Corridor from before its first release has set up this database, and its data cannot be migrated. Nothing was changed. Start with an empty database: set another DATA_DIR, or a new database in DATABASE_URL.',
    );
  }
}

async function refuseNewer(client: pg.Client, schema: Schema): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  const applied = rows.map(({ name }) => name);
  const newer = newerMigration(await knownMigrations(schema), applied);
  if (newer) {
    throw new MigrationError(
      `A newer version of Corridor has set up this database: it has migration ${newer}, which this one does not know. Nothing was changed; run the newer one.`,
    );
  }
}

/** A step may take long, and so may the wait for another process; the user's own limits are meant for requests. */
const UNHURRIED = `
  set local statement_timeout = 0;
  set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`;

/** Runs one transaction under a lock that ends with it, so that a crash cannot leave the lock behind. */
async function withMigrationLock<T>(client: pg.Client, steps: () => Promise<T>): Promise<T> {
  await client.query(`begin; ${UNHURRIED}`);
  try {
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const result = await steps();
    await client.query('commit');
    return result;
  } catch (error) {
    // On a lost connection the rollback fails too, and would hide the cause.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function files(pattern: string): Promise<string[]> {
  const found = await Array.fromAsync(glob(pattern, { cwd: ROOT }));
  return found.sort().map((path) => join(ROOT, path));
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A migration is never edited once it was applied somewhere: the two databases would differ. */
function assertSame(name: string, applied: string, present: string): false {
  if (applied !== present) {
    throw new MigrationError(
      `migration ${name} was changed after it was applied: another form of this version has set up this database.`,
    );
  }
  return false;
}
