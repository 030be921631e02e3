// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { readFile, readlink } from 'node:fs/promises';
import { describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import { CollectedItems } from '#foundation/database/changes.ts';
import { createCommit } from '#foundation/database/commit.ts';
import { openDatabase } from '#foundation/database/database.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { givenOutside, givenPayer, givenPlatform, givenQuote } from '#tests/given/payments.ts';
import { PATIENCE } from '#tests/harness/databases.ts';
import { testWorld } from '#tests/harness/harness.ts';

/** The default of PostgreSQL: our embedded one is configured to log no errors at all. */
const AS_IT_COMES = rawSql(`
  do $$ begin execute format('alter database %I set log_min_messages = warning', current_database()); end $$`);

describe('refused commits in the log of PostgreSQL', () => {
  const world = testWorld({ prepare: (database) => database.query(AS_IT_COMES) });

  /** The server's log so far; undefined if it cannot be read. */
  async function serverLog(t: TestContext): Promise<string | undefined> {
    const [server] = await world.database.query<{ pid: number }>(sql`
      select pid from pg_stat_activity where backend_type = 'checkpointer'`);
    // Where the server writes its errors, if it runs on this machine.
    const log = await readlink(`/proc/${server?.pid}/fd/2`)
      .then((path) => readFile(path, 'utf8'))
      .catch(() => undefined);
    if (log === undefined) t.skip('the log of this server cannot be read from here');
    return log;
  }
  const errorsIn = (log: string) => log.split('\n').filter((line) => / ERROR: /.test(line));

  it('decision 0018: concurrent executions leave no error in the log, whatever else the server logs', async (t) => {
    const before = await serverLog(t);
    if (before === undefined) return;
    const platform = await givenPlatform(world);
    const elsewhere = await world.elsewhere(platform);
    const payer = await givenPayer(platform, 30_000);
    const to = await givenOutside(platform, payer.id);
    const quotes = await Promise.all(
      Array.from({ length: 6 }, () => givenQuote(world, platform, { from: payer.account('USD').id, to })),
    );
    const replies = await Promise.all(
      quotes.flatMap(({ id }) =>
        [platform, elsewhere, platform, elsewhere].map((caller, i) =>
          caller.call('executeQuote', { params: { quoteId: id }, key: `race-${id}-${i % 2}` }),
        ),
      ),
    );
    const counts = Map.groupBy(replies, ({ status }) => status);
    assert.ok((counts.get(400)?.length ?? 0) + (counts.get(409)?.length ?? 0) > 0, 'some were refused');
    await raced(world.databaseUrl);
    // On a new connection: one of the pool may be older than the database's log setting.
    const fresh = new pg.Client({ connectionString: world.databaseUrl });
    await fresh.connect();
    await assert.rejects(fresh.query('select 1 / 0'), /division by zero/);
    await fresh.end();
    const log = ((await serverLog(t)) ?? '').slice(before.length);
    assert.deepEqual(
      errorsIn(log).filter((line) => !line.includes('division by zero')),
      [],
    );
    assert.ok(errorsIn(log).length > 0, 'other errors are logged');
  });

  /** Makes commits that are refused, for each reason that the server can find. */
  async function raced(url: string): Promise<void> {
    const database = openDatabase({ url, connectionsMax: 2, ...PATIENCE });
    try {
      const commit = createCommit(database, () => undefined);
      const refused = (statement: ReturnType<typeof sql>) => {
        const collected = new CollectedItems();
        const constraints = { refused_once_pkey: 'stale' } as const;
        collected.add(
          { name: `refused ${Math.random()}`, stage: 'rows', write: () => [statement], constraints },
          1,
        );
        return commit({ collected });
      };
      await database.query(sql`create table refused_once (id integer primary key)`);
      const reasons = await Promise.all([
        refused(sql`select refuse_commit('stale')`),
        refused(sql`insert into refused_once values (1), (1)`),
      ]);
      assert.deepEqual(
        reasons.map((reason) => reason?.name),
        ['stale', 'stale'],
      );
      const rows = await database.query(sql`select from refused_once`);
      assert.deepEqual(rows, [], 'nothing is half written');
      await database.query(sql`drop table refused_once`);
    } finally {
      await database.close();
    }
  }

  it('decision 0018: for a role that may not change the log level, a commit is refused in the same way, and the reason is logged as CR001', async (t) => {
    const before = await serverLog(t);
    if (before === undefined) return;
    const name = `plain_${Date.now()}`;
    const admin = new pg.Client({ connectionString: world.databaseUrl });
    await admin.connect();
    try {
      await admin.query(`create role ${name} login password 'plain'`);
      await admin.query(`grant create on schema public to ${name}`);
      const url = new URL(world.databaseUrl);
      Object.assign(url, { username: name, password: 'plain' });
      await raced(url.href);
      const without = errorsIn(((await serverLog(t)) ?? '').slice(before.length));
      assert.ok(without.some((line) => line.includes('stale')));
      await admin.query(`grant set on parameter log_min_messages to ${name}`);
      const middle = (await serverLog(t)) ?? '';
      await raced(url.href);
      assert.deepEqual(errorsIn(((await serverLog(t)) ?? '').slice(middle.length)), []);
    } finally {
      await admin.query(`drop owned by ${name}`);
      await admin.query(`drop role ${name}`);
      await admin.end();
    }
  });
});
