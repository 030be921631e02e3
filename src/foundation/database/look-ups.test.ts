import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { sqlFailure } from '#foundation/database/failures.ts';
import { openLookUps } from '#foundation/database/look-ups.ts';
import { sql } from '#foundation/database/sql.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/databases.ts';

describe('look-ups that share connections', () => {
  let files: TestDatabase;
  let database: Database;
  const lost: Error[] = [];

  before(async () => {
    files = await createTestDatabase();
    database = openDatabase({ url: files.url, onError: (error) => void lost.push(error) });
  });
  after(async () => {
    await database.close();
    await files.drop();
  });

  const echo = async (text: string) =>
    (await database.lookUp<{ text: string }>(sql`select ${text}::text as text`))[0]?.text;
  const pid = async () =>
    (await database.lookUp<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid ?? 0;

  it('each of many concurrent callers gets its own answer; calls of one turn share one of two connections', async () => {
    const asked = Array.from({ length: 500 }, (_, i) => `caller ${i}`);
    assert.deepEqual(await Promise.all(asked.map(echo)), asked);
    const together = new Set(await Promise.all(Array.from({ length: 50 }, pid)));
    assert.equal(together.size, 1);
    const inTurn = new Set([...together, await pid(), await pid(), await pid()]);
    assert.equal(inTurn.size, 2);
  });

  it('a look-up that fails does not affect the others', async () => {
    const divide = (by: number) => database.lookUp<{ n: number }>(sql`select 12 / ${by}::int as n`);
    const results = await Promise.allSettled([3, 0, 4, 0, 6, 0, 2].map(divide));
    assert.deepEqual(
      results.map((result) =>
        result.status === 'fulfilled' ? result.value[0]?.n : sqlFailure(result.reason)?.code,
      ),
      [4, '22012', 3, '22012', 2, '22012', 6],
    );
  });

  it('a lost connection fails the callers that wait on it, is reported once, and the next caller gets a new one', async () => {
    const killed = [await pid(), await pid()];
    await database.query(sql`select pg_terminate_backend(p) from unnest(${killed}::int[]) as p`);
    const fresh = new Set<number>();
    // The notice of the loss may arrive late: until then our statements may still be answered, or fail.
    while (fresh.size < 2) {
      const answer = await pid().catch(() => 0);
      if (answer !== 0 && !killed.includes(answer)) fresh.add(answer);
    }
    assert.equal(lost.length, 2);
  });

  it('a connection that falls silent is closed: no caller waits on it forever, and the next caller gets a new one', async () => {
    const proxy = await openProxy(files.url);
    const lookUps = openLookUps(
      { connectionString: proxy.url, connectionTimeoutMillis: 1_000 },
      { answerMaxMs: 100 },
    );
    const ask = () => lookUps.run(sql`select 1`).catch(() => undefined);
    const untilAnswered = async () => {
      while (!(await ask()));
    };
    try {
      await untilAnswered();
      await untilAnswered();
      proxy.fallSilent();
      await Promise.all(Array.from({ length: 10 }, ask));
      await untilAnswered();
    } finally {
      await proxy.close();
      await lookUps.close();
    }
  });

  it('closing answers or fails the waiting callers, also those of a connection that is being opened', async () => {
    const lookUps = openLookUps({ connectionString: files.url }, { answerMaxMs: 10_000 });
    const ask = () => lookUps.run<{ n: number }>(sql`select 1 as n`);
    await ask();
    // One over the open connection, and in a later turn one over the other, which is not open yet.
    const asked = [ask()];
    await new Promise((resolve) => setImmediate(resolve));
    asked.push(ask());
    const ended = Promise.allSettled(asked);
    await lookUps.close();
    for (const result of await ended) {
      if (result.status === 'fulfilled') assert.deepEqual(result.value, [{ n: 1 }]);
      else assert.match(String(result.reason), /closed/);
    }
  });

  it('after closing, no statement is sent and no connection is opened', async () => {
    const lookUps = openLookUps({ connectionString: files.url }, { answerMaxMs: 10_000 });
    await lookUps.run(sql`select 1`);
    await lookUps.close();
    const before = await connections();
    await assert.rejects(lookUps.run(sql`select 1`), /closed/);
    assert.equal(await connections(), before);
  });

  const connections = async () =>
    (
      await database.query<{ n: bigint }>(
        sql`select count(*) as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
    )[0]?.n;
});

/** A proxy. When it falls silent, its open connections stay open, but no more data passes. */
async function openProxy(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined).pipe(to);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxied = new URL(url);
  proxied.hostname = '127.0.0.1';
  proxied.port = String((server.address() as AddressInfo).port);
  return {
    url: proxied.toString(),
    fallSilent() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
