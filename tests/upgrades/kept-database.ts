import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import type { Environment } from '#tests/harness/corridor-process.ts';

/** Where the database of each released version is kept, as `<version>.sql.gz`. */
export const KEPT = fileURLToPath(new URL('.', import.meta.url));

/** The settings of every stored database. They protect only made-up data. */
export const SETTINGS = {
  ENCRYPTION_KEY: Buffer.alloc(32, 'kept').toString('base64'),
  API_TOKEN_ID: '0123456789abcdef0123456789abcdef',
  API_CLIENT_SECRET: 'a-secret-of-a-kept-database-only',
} as const satisfies Environment;

export async function keptVersions(): Promise<string[]> {
  const files = await readdir(KEPT);
  return files.flatMap((file) => file.match(/^(.+)\.sql\.gz$/)?.[1] ?? []).sort();
}

/** Loads the kept database of a version into an empty one. */
export async function restoreKept(version: string, url: string): Promise<void> {
  const dump = gunzipSync(await readFile(join(KEPT, `${version}.sql.gz`))).toString();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Lines that begin with a backslash are for psql alone. A setting of a newer server is unknown to an older one.
    const statements = dump.replace(/^\\.*$/gm, '').replace(/^SET transaction_timeout = 0;$/m, '');
    await client.query(statements);
  } finally {
    await client.end();
  }
}

export interface DataDir {
  readonly path: string;
  remove(): Promise<void>;
}

/** A folder for the files that a server stores beside its database. */
export async function makeDataDir(): Promise<DataDir> {
  const path = await mkdtemp(join(tmpdir(), 'corridor-kept-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
