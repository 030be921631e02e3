import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Database, openDatabase, sqlFailure } from '#database/database.ts';
import { sql } from '#database/sql.ts';
import { createTestDatabase, type TestDatabase } from '#tests/databases.ts';

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

  it('each caller gets its own answer, however many ask at once, over no more than two connections', async () => {
    const asked = Array.from({ length: 500 }, (_, i) => `caller ${i}`);
    assert.deepEqual(await Promise.all(asked.map(echo)), asked);
    const pids = await Promise.all(Array.from({ length: 50 }, pid));
    assert.equal(new Set(pids).size, 2);
  });

  it('one that fails takes none of its neighbours with it', async () => {
    const divide = (by: number) => database.lookUp<{ n: number }>(sql`select 12 / ${by}::int as n`);
    const results = await Promise.allSettled([3, 0, 4, 0, 6, 0, 2].map(divide));
    assert.deepEqual(
      results.map((result) =>
        result.status === 'fulfilled' ? result.value[0]?.n : sqlFailure(result.reason)?.code,
      ),
      [4, '22012', 3, '22012', 2, '22012', 6],
    );
  });

  it('a lost connection fails those who wait on it, is told once, and the next caller gets a new one', async () => {
    const killed = [await pid(), await pid()];
    await database.query(sql`select pg_terminate_backend(p) from unnest(${killed}::int[]) as p`);
    const fresh = new Set<number>();
    // The news travels beside our statements: until it is here they may still be answered, or fail.
    while (fresh.size < 2) {
      const answer = await pid().catch(() => 0);
      if (answer !== 0 && !killed.includes(answer)) fresh.add(answer);
    }
    assert.equal(lost.length, 2);
  });
});
