import pg from 'pg';
import { migrate, PERSON_KEYS_SCHEMA } from '#foundation/database/migrate.ts';

const TEMPLATE = 'corridor_template';
/** One for all files of a run: people never meet in it, and keys are found by their ids alone. */
const PERSON_KEYS = 'corridor_person_keys';

/** Migrates one database once; every test file gets a copy of it, which costs milliseconds. */
export async function prepareTemplate(serverUrl: string): Promise<void> {
  await onServer(serverUrl, async (client) => {
    // A server that outlives the run may have the template of an earlier run.
    await client.query(`drop database if exists ${TEMPLATE}`);
    await client.query(`create database ${TEMPLATE}`);
    await client.query(`drop database if exists ${PERSON_KEYS} with (force)`);
    await client.query(`create database ${PERSON_KEYS}`);
  });
  await migrate(withDatabaseName(serverUrl, TEMPLATE));
  await migrate(withDatabaseName(serverUrl, PERSON_KEYS), { schema: PERSON_KEYS_SCHEMA });
}

/** The database of the keys of people that all files of the run share. */
export function personKeysUrl(): string {
  return withDatabaseName(runningServer(), PERSON_KEYS);
}

/** The variable that names the folder of the sockets of a run's PostgreSQL to its processes. */
export const SOCKETS = 'TEST_DATABASE_SOCKETS';

/** The same database by a socket, if the run's PostgreSQL has one: a statement takes a fifth less time than by TCP. */
export function bySocket(url: string): string {
  const folder = process.env[SOCKETS];
  if (folder === undefined) return url;
  const copy = new URL(url);
  copy.searchParams.set('host', folder);
  return copy.toString();
}

/**
 * Makes connecting cheap: deriving the key of a password takes longer than all other work of a client that connects, and
 * every test file opens a dozen connections.
 */
export async function shortenPasswordCheck(serverUrl: string): Promise<void> {
  const { username, password } = new URL(serverUrl);
  await onServer(serverUrl, async (client) => {
    await client.query('set scram_iterations = 1');
    const { escapeIdentifier, escapeLiteral } = client;
    await client.query(`alter role ${escapeIdentifier(username)} password ${escapeLiteral(password)}`);
  });
}

/** Tests run on machines of any speed: a slow database must not count as unreachable. */
export const PATIENCE = { silenceMaxMs: 60_000 } as const;

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

let count = 0;

/** A migrated, empty database for the caller alone. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(`template ${TEMPLATE} strategy file_copy`);
}

/** A database without any schema. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template template0');
}

/** A database for keys of people, for the caller alone. */
export async function createPersonKeys(): Promise<TestDatabase> {
  const created = await createEmptyDatabase();
  await migrate(created.url, { schema: PERSON_KEYS_SCHEMA });
  return created;
}

/** A copy of a database that nobody is connected to, as a backup would bring it back. */
export function copyDatabase({ url }: TestDatabase): Promise<TestDatabase> {
  return createDatabase(`template ${new URL(url).pathname.slice(1)} strategy file_copy`);
}

/** An empty database for the keys of people, on the server of this database. */
export async function createPersonKeysBeside(url: string): Promise<string> {
  await onServer(url, (client) => client.query(`create database ${BESIDE}`));
  return personKeysBeside(url);
}

export function personKeysBeside(url: string): string {
  return withDatabaseName(url, BESIDE);
}

const BESIDE = 'person_keys';

async function createDatabase(options: string): Promise<TestDatabase> {
  const serverUrl = runningServer();
  const name = `test_${process.pid}_${++count}`;
  await onServer(serverUrl, (client) => client.query(`create database ${name} ${options}`));
  return {
    url: withDatabaseName(serverUrl, name),
    drop: () => onServer(serverUrl, (client) => client.query(`drop database if exists ${name} with (force)`)),
  };
}

function runningServer(): string {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (!serverUrl) throw new Error('run tests with "npm test -- <file>": they need the run\'s PostgreSQL');
  return serverUrl;
}

async function onServer(url: string, step: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabaseName(url, 'postgres') });
  await client.connect();
  try {
    await step(client);
  } finally {
    await client.end();
  }
}

function withDatabaseName(url: string, database: string): string {
  const copy = new URL(url);
  copy.pathname = `/${database}`;
  return copy.toString();
}
