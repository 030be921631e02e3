import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { attachEmbedded, backUpEmbedded, startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { sql } from '#foundation/database/sql.ts';
import { PATIENCE } from '#tests/harness/databases.ts';

/** A replica that streams the write-ahead log of a running embedded database, and answers reads. */
export interface Standby {
  readonly database: Database;
  /** Waits until everything that the primary has committed is replayed here, and in the files. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Copies a running database with a base backup, as the beginning of a standby. */
export async function makeStandby(primaryDir: string, dataDir: string): Promise<void> {
  await backUpEmbedded(primaryDir, await urlOf(primaryDir), dataDir);
  await writeFile(join(dataDir, 'postgres', 'cluster', 'standby.signal'), '');
}

/** Starts the standby. The primary listens on another port after each of its starts. */
export async function startStandby(primaryDir: string, dataDir: string): Promise<Standby> {
  const url = await urlOf(primaryDir);
  const { port, username, password } = new URL(url);
  const conninfo = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  const running = await startEmbedded({
    dataDir,
    report: () => undefined,
    settings: { primary_conninfo: conninfo, hot_standby: 'on' },
  });
  const database = openDatabase({ url: running.url, connectionsMax: 2, ...PATIENCE });
  const end = async () => {
    await database.close();
    await running.stop();
  };
  let ended: Promise<void> | undefined;
  const [role] = await database.query(sql`select pg_is_in_recovery() as "isStandby"`);
  assert.deepEqual(role, { isStandby: true });
  return { database, stop: () => (ended ??= end()), catchUp: () => catchUp(url, database) };
}

async function catchUp(primaryUrl: string, standby: Database): Promise<void> {
  const primary = openDatabase({ url: primaryUrl, connectionsMax: 2, ...PATIENCE });
  try {
    // A standby writes its pages up to the last checkpoint of its primary.
    await primary.query(sql`checkpoint`);
    const [at] = await primary.query<{ lsn: string }>(sql`select pg_current_wal_flush_lsn()::text as lsn`);
    const isReplayed = sql`select where pg_last_wal_replay_lsn() >= ${at?.lsn ?? ''}::pg_lsn`;
    let found: unknown[] = [];
    while (found.length === 0) found = await standby.query(isReplayed);
  } finally {
    await primary.close();
  }
  await standby.query(sql`checkpoint`);
}

async function urlOf(dataDir: string): Promise<string> {
  const running = await attachEmbedded(dataDir);
  assert.ok(running, `no database runs in ${dataDir}`);
  return running.url;
}
