import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { keepAuditMonths, purgeAuditRows } from '#foundation/audit/month-store.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { sqlFailure } from '#foundation/database/failures.ts';
import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { LEAST_KEPT } from '#foundation/lib/kept-times.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { monthAgo, upgradeMonthsAgo } from '#tests/given/audit-months.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { installClock, moveClock } from '#tests/harness/moving-clock.ts';

const YEAR_HOURS = 365 * 24;

interface Part {
  readonly part: string;
  readonly begins: Date | null;
  readonly ends: Date | null;
}

/** A world whose database has a clock that tests move. It begins on the tenth day of a month. */
function movedWorld() {
  let url: string;
  let database: Database;
  after(() => database?.close());
  const world = testWorld({ prepare: (own) => upgradeMonthsAgo(own, 16) });
  before(async () => {
    url = await installClock(world.databaseUrl);
    database = openDatabase({ url, connectionsMax: 4 });
    const [tenth] = await database.query<{ hours: number }>(
      sql`select floor(extract(epoch from ${monthAgo(0)} + interval '9 days' - now()) / 3600)::integer as hours`,
    );
    await moveClock(url, tenth?.hours ?? 0);
  });

  const work = (auditMonths: number) =>
    new Work({ ...world.app.runtime, database, kept: { ...LEAST_KEPT, auditMonths } }, INSTALLATION, {
      kind: 'worker',
      id: 'test',
    });
  const insert = async (action: string, at: Sql = sql`now()`) => {
    await database.query(sql`
      insert into audit_log (id, at, actor_kind, actor_id, action)
      values (${newUuid()}, ${at}, 'operator', 'Operator:test', ${action})`);
  };
  const look = (auditMonths = 13) => keepAuditMonths(work(auditMonths));
  return {
    insert,
    look,
    query: <Row>(piece: Sql) => database.query<Row>(piece),
    url: () => url,
    move: (hours: number) => moveClock(url, hours),
    /** Lets days pass. On each day somebody changes something, and the job runs. */
    async days(count: number, auditMonths = 13) {
      for (let day = 0; day < count; day++) {
        await moveClock(url, 24);
        await insert('daily');
        await look(auditMonths);
      }
    },
    purge: () => work(13).write((tx) => purgeAuditRows(tx, 1_000)),
    parts: () => database.query<Part>(sql`select part::text, begins, ends from audit_log_parts()`),
    /** Returns the actions in the log, without the daily ones. */
    async actions() {
      const rows = await database.query<{ action: string }>(
        sql`select action from audit_log where action <> 'daily' order by at`,
      );
      return rows.map(({ action }) => action);
    },
    async time(piece: Sql) {
      const [row] = await database.query<{ at: Date }>(sql`select ${piece} as at`);
      return row?.at;
    },
  };
}

type MovedWorld = ReturnType<typeof movedWorld>;

/** Gives each of these months, counted back from now, one row. Returns their actions. */
async function givenMonths({ insert, query }: MovedWorld, months: readonly number[]): Promise<string[]> {
  await query(sql`select begin_audit_months(now() + interval '2 months')`);
  for (const month of months) await insert(`${month} months`, sql`${monthAgo(month)} + interval '1 day'`);
  return months.map((month) => `${month} months`);
}

describe('months of the audit log that are over', () => {
  const moved = movedWorld();

  it('customers.md §2.4.26j: the job drops the parts whose rows are all older than 13 months, or than the setting says', async () => {
    const all = await givenMonths(moved, [16, 14, 13, 12]);
    await moved.days(3, 24);
    assert.deepEqual(await moved.actions(), all);
    await moved.days(3, 14);
    assert.deepEqual(await moved.actions(), all.slice(1));
    await moved.days(3);
    assert.deepEqual(await moved.actions(), all.slice(2));
    const [first, second] = await moved.parts();
    const kept = await moved.time(monthAgo(13));
    assert.deepEqual([first?.begins, first?.ends, second?.begins], [null, kept, kept]);
    // Nothing is left that the daily purge could delete row by row.
    assert.equal(await moved.purge(), 0);
    assert.deepEqual(await moved.actions(), all.slice(2));
  });

  it('customers.md §2.4.26j: a month is dropped once every hourly check of a day has found it too old', async () => {
    await moved.move(31 * 24);
    await moved.insert('daily');
    const before = await moved.actions();
    assert.equal(before[0], '13 months');
    for (let hour = 0; hour < 24; hour++) {
      await moved.look();
      assert.deepEqual(await moved.actions(), before);
      await moved.move(1);
    }
    await moved.look();
    assert.deepEqual(await moved.actions(), before.slice(1));
  });

  it('decision 0084: a row has a place whatever its time is, also after months were dropped', async () => {
    await moved.insert('long ago', sql`'1970-01-01'`);
    await moved.insert('far ahead', sql`'9999-12-31'`);
    assert.deepEqual(await moved.actions(), ['long ago', '12 months', 'far ahead']);
    await moved.days(3);
    assert.equal(await moved.purge(), 1);
    assert.deepEqual(await moved.actions(), ['12 months', 'far ahead']);
  });
});

describe('a month of the audit log that cannot be dropped', () => {
  const moved = movedWorld();

  it('decision 0084: it keeps no new month from being made', async () => {
    await givenMonths(moved, [16]);
    await moved.query(sql`create view own_view as select id from audit_log_first`);
    const before = await moved.parts();
    await moved.days(1);
    await moved.move(31 * 24);
    await moved.insert('daily');
    await assert.rejects(moved.look(), (error) => sqlFailure(error)?.code === '2BP01');
    const after = await moved.parts();
    assert.equal(after.length, before.length + 1);
    assert.deepEqual(after.at(-1)?.begins, await moved.time(monthAgo(-3)));
    await moved.query(sql`drop view own_view`);
    await moved.look();
    assert.ok((await moved.parts()).length < after.length);
  });
});

describe('the audit log under a wrong clock', () => {
  const moved = movedWorld();
  let all: string[];

  it('customers.md §2.4.26j: no month is dropped by the clock alone, if no row is as new as it says', async () => {
    all = await givenMonths(moved, [13, 12, 11]);
    await moved.days(2);
    await moved.move(YEAR_HOURS);
    for (let day = 0; day < 3; day++) {
      await moved.look();
      await moved.purge();
      await moved.move(24);
    }
    assert.deepEqual(await moved.actions(), all);
    await moved.move(-YEAR_HOURS);
    await moved.look();
  });

  it('customers.md §2.4.26j: a clock that is ahead for less than a day takes no row, although rows are written', async () => {
    await moved.days(2);
    await moved.move(YEAR_HOURS);
    for (let hour = 0; hour < 23; hour++) {
      await moved.insert('daily');
      await moved.look();
      await moved.purge();
      await moved.move(1);
    }
    await moved.move(-YEAR_HOURS);
    await moved.days(3);
    assert.deepEqual(await moved.actions(), all);
  });

  it('customers.md §2.4.26j: a clock that stays ahead takes a month of rows a day', async () => {
    await moved.move(YEAR_HOURS);
    await moved.days(1);
    assert.deepEqual(await moved.actions(), all);
    await moved.days(1);
    assert.deepEqual(await moved.actions(), all.slice(1));
    await moved.look();
    assert.deepEqual(await moved.actions(), all.slice(1));
    await moved.days(1);
    assert.deepEqual(await moved.actions(), all.slice(2));
    await moved.move(-YEAR_HOURS);
    await moved.days(2);
    assert.deepEqual(await moved.actions(), all.slice(2));
  });

  it('decision 0084: a clock that is far behind stops neither the log nor the job', async () => {
    const parts = await moved.parts();
    await moved.move(-30 * YEAR_HOURS);
    await moved.insert('behind');
    await moved.look();
    await moved.move(30 * YEAR_HOURS);
    assert.deepEqual(await moved.actions(), ['behind', ...all.slice(2)]);
    assert.deepEqual(await moved.parts(), parts);
  });
});

describe('a part of the audit log with several months', () => {
  const moved = movedWorld();

  it('decision 0084: if a row of a wrong clock made a part long, its old rows are deleted one by one', async () => {
    await moved.look();
    await moved.insert('wrong', sql`now() + interval '40 months'`);
    await moved.move(122 * 24);
    await moved.insert('right');
    await moved.look();
    const [long] = (await moved.parts()).slice(-2);
    assert.deepEqual(long?.ends, await moved.time(sql`${monthAgo(-37)}`));
    await moved.move(430 * 24);
    await moved.days(3);
    assert.equal(await moved.purge(), 1);
    assert.deepEqual(await moved.actions(), ['wrong']);
    assert.ok((await moved.parts()).some(({ part }) => part === long?.part));
    await assert.rejects(
      moved.query(sql`delete from ${rawSql(long?.part ?? '')}`),
      (error) => sqlFailure(error)?.code === '23001',
    );
  });
});

describe('a last part of the audit log with many rows', () => {
  const moved = movedWorld();
  const ahead = sql`now() + interval '2 months'`;

  const lastPart = async () => (await moved.parts()).at(-1)?.part;
  const ask = async (piece: Sql) => (await moved.query<{ answer: boolean }>(piece))[0]?.answer;
  const bound = () => ask(sql`select bound_last_audit_part(${ahead}) as answer`);
  const begin = () => ask(sql`select begin_audit_months(${ahead}) as answer`);

  /** Adds rows to the last part, as if no worker had run. */
  async function givenMany(): Promise<string | undefined> {
    await moved.move(5 * 30 * 24);
    await moved.query(sql`
      insert into audit_log (id, at, actor_kind, actor_id, action, details)
      select gen_random_uuid(), now(), 'operator', 'Operator:test', 'daily', jsonb_build_object('text', repeat('x', 500))
        from generate_series(1, 4000)`);
    return lastPart();
  }

  it('decision 0084: a constraint is validated while transactions are open, so that no row is read under the lock', async () => {
    await moved.look();
    const last = await givenMany();
    assert.equal(await begin(), false);
    assert.equal(await bound(), true);
    assert.equal(await begin(), false);
    const writer = await connected();
    await writer.query('begin');
    await writer.query(`
      insert into audit_log (id, at, actor_kind, actor_id, action)
      values ('${newUuid()}', now() + interval '1 month', 'operator', 'Operator:test', 'meanwhile')`);
    await moved.query(sql`select prove_last_audit_part()`);
    assert.equal(await begin(), false);
    await writer.query('commit');
    assert.equal(await bound(), false);
    const told: string[] = [];
    writer.on('notice', ({ message }) => told.push(String(message)));
    await writer.query('set client_min_messages = debug1');
    const { rows } = await writer.query(`select begin_audit_months(now() + interval '2 months') as done`);
    await writer.end();
    assert.deepEqual(rows, [{ done: true }]);
    const proof = `partition constraint for table "${last}" is implied by existing constraints`;
    assert.ok(told.includes(proof), told.join('\n'));
    const ended = (await moved.parts()).find(({ part }) => part === last);
    assert.deepEqual(ended?.ends, await moved.time(sql`${monthAgo(-2)}`));
    assert.deepEqual(await moved.actions(), ['meanwhile']);
    const constraints = await moved.query(sql`select from pg_constraint where conname = 'audit_log_ends'`);
    assert.deepEqual(constraints, []);
  });

  it('decision 0084: a constraint that could not be used for weeks is replaced by a later one', async () => {
    const last = await givenMany();
    assert.equal(await bound(), true);
    await moved.move(50 * 24);
    await moved.look();
    const ended = (await moved.parts()).find(({ part }) => part === last);
    assert.deepEqual(ended?.ends, await moved.time(sql`${monthAgo(-2)}`));
    await moved.insert('after', sql`now() + interval '5 months'`);
    assert.deepEqual(await moved.actions(), ['meanwhile', 'after']);
  });

  async function connected(): Promise<Client> {
    const client = new Client({ connectionString: moved.url() });
    await client.connect();
    return client;
  }
});
