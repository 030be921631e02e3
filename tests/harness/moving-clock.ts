import { Client } from 'pg';

/**
 * A clock of PostgreSQL that can be moved. The service takes its time from the database (decision 0043), so all its processes
 * follow within a second.
 */
const CLOCK = `
  create schema moved;
  create table moved.by (ahead interval not null);
  insert into moved.by values ('0');
  create function moved.clock_timestamp() returns timestamptz language sql volatile as
    'select pg_catalog.clock_timestamp() + ahead from moved.by';
  create function moved.now() returns timestamptz language sql stable as
    'select pg_catalog.now() + ahead from moved.by';`;

/** PostgreSQL creates tables in the first schema, and finds a function in the first schema that has it. */
const SEARCH_PATH = '-c search_path=public,moved,pg_catalog';

/** Gives a database such a clock; returns the address by which sessions read it. */
export async function installClock(url: string): Promise<string> {
  await onDatabase(url, CLOCK);
  const moved = new URL(url);
  moved.searchParams.set('options', SEARCH_PATH);
  return moved.toString();
}

/** Moves the clock on, or back if the number is negative. */
export async function moveClock(url: string, hours: number): Promise<void> {
  await onDatabase(url, `update moved.by set ahead = ahead + interval '${hours} hours'`);
}

async function onDatabase(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
