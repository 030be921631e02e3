import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Database, openDatabase, type Run } from '#foundation/database/database.ts';
import { DatabaseUnavailable, sqlFailure, violates } from '#foundation/database/failures.ts';
import { compile, rawSql, sql } from '#foundation/database/sql.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/databases.ts';

/** "You are in", "ready for a statement" and "terminating the connection", in one piece. */
const READY_AND_STOPPED = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('Z', Buffer.from('I')),
  message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')),
]);

function message(kind: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(kind), length, content]);
}

describe('the database', () => {
  let files: TestDatabase;
  let database: Database;
  const lost: Error[] = [];

  before(async () => {
    files = await createTestDatabase();
    database = openDatabase({
      url: files.url,
      connectionsMax: 2,
      onError: (error) => void lost.push(error),
    });
    await database.query(sql`create table notes (id int primary key, constraint small check (id < 100))`);
  });
  after(async () => {
    await database.close();
    await files.drop();
  });

  const add = (id: number) => sql`insert into notes (id) values (${id})`;
  const count = async () =>
    (await database.query<{ count: bigint }>(sql`select count(*) from notes`))[0]?.count;

  it('if the server stops just as a connection becomes ready, only its callers fail', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end(READY_AND_STOPPED));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const stopping = openDatabase({
      url: `postgres://corridor@127.0.0.1:${port}/corridor`,
      connectionsMax: 2,
    });
    try {
      const steps = async (run: Run) => run(sql`select 1`);
      const calls = [
        stopping.query(sql`select 1`),
        stopping.transaction(steps),
        stopping.commit([sql`select 1`]),
      ];
      for (const call of calls) await assert.rejects(call, DatabaseUnavailable);
    } finally {
      await stopping.close();
      server.close();
    }
  });

  it('a session has the settings that the code needs, whatever the database’s defaults, and those of its URL', async () => {
    const odd = await createTestDatabase();
    const name = rawSql(new URL(odd.url).pathname.slice(1));
    for (const setting of [
      sql`timezone = 'America/New_York'`,
      sql`datestyle = 'SQL, DMY'`,
      sql`bytea_output = 'escape'`,
    ]) {
      await database.query(sql`alter database ${name} set ${setting}`);
    }
    const url = `${odd.url}?options=${encodeURIComponent('-c work_mem=5MB -c timezone=Asia/Kolkata')}`;
    const opened = openDatabase({ url, connectionsMax: 1 });
    try {
      const at = new Date('2026-03-04T05:06:07.089Z');
      const seen = sql`
        select ${at}::timestamptz as at, to_jsonb(${at}::timestamptz) as json, ${Buffer.from([0, 92, 255])}::bytea as bytes,
               current_setting('work_mem') as work_mem`;
      const expected = {
        at,
        json: '2026-03-04T05:06:07.089+00:00',
        bytes: Buffer.from([0, 92, 255]),
        work_mem: '5MB',
      };
      assert.deepEqual(await opened.query(seen), [expected]);
      assert.deepEqual(await opened.lookUp(seen), [expected]);
    } finally {
      await opened.close();
      await odd.drop();
    }
  });

  it('the same code gives a statement of another text if a piece stands where a value was before', () => {
    const one = sql`1`;
    const sum = (left: unknown, right: unknown) => compile(sql`select ${left} + ${right}`);
    const texts = [sum(2, 3), sum(one, 3), sum(2, one), sum(sql`${4} * ${5}`, 3), sum(6, 7)];
    assert.deepEqual(
      texts.map(({ text, values }) => [text, ...values]),
      [
        ['select $1 + $2', '2', '3'],
        ['select 1 + $1', '3'],
        ['select $1 + 1', '2'],
        ['select $1 * $2 + $3', '4', '5', '3'],
        ['select $1 + $2', '6', '7'],
      ],
    );
    const [first, , , , last] = texts;
    assert.equal(first?.name, last?.name);
    assert.equal(new Set(texts.map(({ name }) => name)).size, 4);
  });

  it('elements of an array arrive unchanged, whatever they contain', async () => {
    const texts = [
      '',
      'null',
      'NULL',
      'plain-1:2.x_+',
      'a,b',
      '{c}',
      '"d"',
      'e\\"f',
      ' g ',
      'h\n\t',
      'ü漢😀',
      '(',
      null,
    ];
    const blobs = [Buffer.from([]), Buffer.from([0, 92, 34, 255]), null];
    const times = [new Date('2026-11-15T10:20:30.456Z'), null];
    const [row] = await database.query(sql`
      select ${texts}::text[] as texts, ${[1, -2, null]}::int[] as ints, ${[9007199254740993n]}::text[] as large,
             ${[true, false]}::bool[] as flags, ${blobs}::bytea[] as blobs, ${times}::timestamptz[] as times,
             ${[{ a: '"\\,' }]}::jsonb[] as objects, ${[]}::uuid[] as none`);
    const flags = [true, false];
    assert.deepEqual(row, {
      texts,
      ints: [1, -2, null],
      large: ['9007199254740993'],
      flags,
      blobs,
      times,
      objects: [{ a: '"\\,' }],
      none: [],
    });
  });

  it('decision 0005: callers share the existing connections if the server has no room for more', async () => {
    const role = `narrow_${process.pid}`;
    await database.query(rawSql(`create role ${role} login password 'narrow' connection limit 2`));
    const url = Object.assign(new URL(files.url), { username: role, password: 'narrow' });
    const lostHere: Error[] = [];
    const narrow = openDatabase({
      url: url.toString(),
      connectionsMax: 10,
      onError: (error) => void lostHere.push(error),
    });
    try {
      const calls = Array.from({ length: 60 }, (_none, i) => [
        narrow.query<{ i: number }>(sql`select ${i}::int as i`).then(([row]) => row?.i),
        narrow.lookUp<{ i: number }>(sql`select ${i}::int as i`).then(([row]) => row?.i),
        narrow.transaction((run) => run<{ i: number }>(sql`select ${i}::int as i`)).then(([row]) => row?.i),
      ]);
      const answers = await Promise.all(calls.flat());
      assert.deepEqual(
        answers,
        answers.map((_none, at) => Math.floor(at / 3)),
      );
    } finally {
      await narrow.close();
      await database.query(rawSql(`drop role ${role}`));
    }
    assert.deepEqual(lostHere, []);
  });

  it('a transaction that throws writes nothing, and its connection is reused', async () => {
    for (let i = 0; i < 5; i++) {
      const failing = database.transaction(async (run) => {
        await run(add(1));
        throw new Error('on purpose');
      });
      await assert.rejects(failing, /on purpose/);
    }
    assert.equal(await count(), 0n);
    assert.equal(database.load().waiting, 0);
  });

  it('a connection to a read-only server is closed: the next one may reach a server that accepts writes', async () => {
    const demoted = await createTestDatabase();
    const name = rawSql(new URL(demoted.url).pathname.slice(1));
    await database.query(sql`alter database ${name} set default_transaction_read_only = on`);
    const opened = openDatabase({ url: demoted.url, connectionsMax: 1 });
    const write = sql`delete from schema_migrations where false`;
    try {
      await assert.rejects(opened.query(write), { code: '25006' });
      await assert.rejects(
        opened.transaction((run) => run(write)),
        { code: '25006' },
      );
      await database.query(sql`alter database ${name} reset default_transaction_read_only`);
      await opened.transaction((run) => run(write));
      await opened.query(write);
    } finally {
      await opened.close();
      await demoted.drop();
    }
  });

  it('a failed statement names its constraint, so that the caller can be told', async () => {
    const failure: unknown = await database.query(add(500)).catch((error: unknown) => error);
    assert.ok(violates(failure, 'small'));
    assert.equal(sqlFailure(failure)?.code, '23514');
  });

  it('a commit that PostgreSQL turned into a rollback is a failure, never a success', async () => {
    const swallowing = database.transaction(async (run) => {
      await run(add(1));
      await run(add(500)).catch(() => undefined);
      return 'done';
    });
    await assert.rejects(swallowing, /rolled back/);
    assert.equal(await count(), 0n);
  });

  it('a connection that is lost between two statements fails its transaction and nothing else', async () => {
    const broken = database.transaction(async (run) => {
      const [row] = await run<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await run(add(1));
      await database.query(sql`select pg_terminate_backend(${row?.pid}, 5000)`);
      // Gives the error time to arrive while no statement waits for an answer.
      await database.query(sql`select 1`);
      await run(add(2));
    });
    await assert.rejects(broken);
    assert.ok(lost.length > 0, 'the loss was reported');
    assert.equal(await count(), 0n);
    await database.transaction((run) => run(add(3)));
    assert.equal(await count(), 1n);
  });
});
