import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { cancelJob, schedule } from '#foundation/jobs/schedule.ts';
import { type OutboxPlatform, outboxWorld } from '#tests/harness/outbox-world.ts';

describe('scheduling', () => {
  const world = outboxWorld();

  it('decision 0004: a job commits with its effect, and is rolled back with it', async () => {
    const platform = await world.platform();
    await assert.rejects(
      platform.write(async (tx) => {
        schedule(tx, { kind: 'a', afterMs: 0 });
        throw new Error('undone');
      }),
    );
    assert.deepEqual(await waiting(platform), []);
    await platform.write(async (tx) => schedule(tx, { kind: 'a', afterMs: 1_500, payload: { n: 1 } }));
    const [job] = await waiting(platform);
    assert.deepEqual(job, {
      kind: 'a',
      key: null,
      payload: { n: 1 },
      due_at: new Date(world.clock.now() + 1_500),
    });
  });

  it('scheduling a key twice gives one job: in one transaction, in two, and in two concurrent ones', async () => {
    const platform = await world.platform();
    const once = () => platform.write(async (tx) => schedule(tx, { kind: 'a', key: 'k', afterMs: 1_000 }));
    await platform.write(async (tx) => {
      schedule(tx, { kind: 'a', key: 'k', afterMs: 1_000 });
      schedule(tx, { kind: 'a', key: 'k', afterMs: 9_000 });
    });
    await once();
    await Promise.all([once(), once(), once()]);
    assert.equal((await waiting(platform)).length, 1);
    assert.deepEqual((await waiting(platform))[0]?.due_at, new Date(world.clock.now() + 1_000));
  });

  it('of several jobs in one commit, those that are pending already stay as they are', async () => {
    const platform = await world.platform();
    await platform.write(async (tx) => schedule(tx, { kind: 'a', key: 'k2', afterMs: 1_000 }));
    for (const count of [3, 12]) {
      await platform.write(async (tx) => {
        for (let n = 1; n <= count; n++) schedule(tx, { kind: 'a', key: `k${n}`, afterMs: 5_000 });
        schedule(tx, { kind: 'a', afterMs: 5_000 });
      });
      const jobs = await waiting(platform);
      const keyed = jobs.filter(({ key }) => key !== null);
      assert.deepEqual(
        new Set(keyed.map(({ key }) => key)),
        new Set(Array.from({ length: count }, (_, n) => `k${n + 1}`)),
      );
      assert.equal(keyed.length, count);
      const second = keyed.find(({ key }) => key === 'k2');
      assert.deepEqual(second?.due_at, new Date(world.clock.now() + 1_000));
    }
    assert.equal((await waiting(platform)).length, 12 + 2);
  });

  it('the same key of another kind or platform is another job', async () => {
    const [platform, other] = [await world.platform(), await world.platform()];
    await platform.write(async (tx) => {
      schedule(tx, { kind: 'a', key: 'k', afterMs: 0 });
      schedule(tx, { kind: 'b', key: 'k', afterMs: 0 });
      schedule(tx, { kind: 'a', key: 'l', afterMs: 0 });
    });
    await other.write(async (tx) => schedule(tx, { kind: 'a', key: 'k', afterMs: 0 }));
    assert.equal((await waiting(platform)).length, 3);
    assert.equal((await waiting(other)).length, 1);
  });

  it('cancelling deletes a pending job, also one that this transaction scheduled', async () => {
    const platform = await world.platform();
    await platform.write(async (tx) => schedule(tx, { kind: 'a', key: 'k', afterMs: 1_000 }));
    await platform.write(async (tx) => cancelJob(tx, 'a', 'k'));
    assert.deepEqual(await waiting(platform), []);
    await platform.write(async (tx) => {
      schedule(tx, { kind: 'a', key: 'k', afterMs: 1_000 });
      cancelJob(tx, 'a', 'k');
    });
    assert.deepEqual(await waiting(platform), []);
  });

  it('cancelling and scheduling again moves a job', async () => {
    const platform = await world.platform();
    await platform.write(async (tx) => schedule(tx, { kind: 'a', key: 'k', afterMs: 1_000 }));
    await platform.write(async (tx) => {
      cancelJob(tx, 'a', 'k');
      schedule(tx, { kind: 'a', key: 'k', afterMs: 5_000 });
    });
    assert.deepEqual(
      (await waiting(platform)).map(({ due_at }) => due_at),
      [new Date(world.clock.now() + 5_000)],
    );
  });

  it("cancelling reaches no other platform's job", async () => {
    const [platform, other] = [await world.platform(), await world.platform()];
    await other.write(async (tx) => schedule(tx, { kind: 'a', key: 'k', afterMs: 0 }));
    await platform.write(async (tx) => cancelJob(tx, 'a', 'k'));
    assert.equal((await waiting(other)).length, 1);
  });

  function waiting(platform: OutboxPlatform) {
    return world.database.query<{ kind: string; key: string | null; payload: unknown; due_at: Date }>(sql`
      select kind, key, payload, due_at from jobs
       where platform_id = ${platform.id} and kind <> 'platform.purge' order by id`);
  }
});
