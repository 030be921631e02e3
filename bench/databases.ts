import { type Database, openDatabase } from '#foundation/database/database.ts';
import { migrate, PERSON_KEYS_SCHEMA } from '#foundation/database/migrate.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';

/** A fresh database of the server, empty or a copy of one that nobody is connected to. */
export async function createDatabase(
  serverUrl: string,
  name: string,
  template = 'template1',
): Promise<string> {
  const server = openDatabase({ url: serverUrl, connectionsMax: 1 });
  await server.query(sql`create database ${rawSql(name)} template ${rawSql(template)}`);
  await server.close();
  return databaseAt(serverUrl, name);
}

/** Creates a database for the keys of people, beside the service's own. A benchmark needs no second server. */
export function createKeyDatabase(url: string): Promise<string> {
  return createDatabase(databaseAt(url, 'postgres'), `${databaseOf(url)}_person_keys`);
}

export async function openKeyDatabase(url: string): Promise<Database> {
  const keysUrl = await createKeyDatabase(url);
  await migrate(keysUrl, { schema: PERSON_KEYS_SCHEMA });
  return openDatabase({ url: keysUrl, connectionsMax: 4 });
}

export function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** The address of another database of the server. */
export function databaseAt(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}
