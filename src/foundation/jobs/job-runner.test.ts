import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { emit } from '#foundation/events/emit.ts';
import type { Job, JobHandlers, RunHandler } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { refuse } from '#foundation/lib/refusals.ts';
import { type OutboxPlatform, outboxWorld } from '#tests/harness/outbox-world.ts';

describe('scheduled jobs', () => {
  const world = outboxWorld();

  it('run at their time, not before', async () => {
    const platform = await world.platform();
    const ran: Date[] = [];
    const worker = world.worker({ jobs: { a: { run: async (tx) => void ran.push(tx.now) } } });
    await put(platform, 'a', 1, 1_000);
    world.clock.advance(999);
    await worker.settle();
    assert.deepEqual(ran, []);
    world.clock.advance(1);
    await worker.settle();
    await worker.settle();
    assert.deepEqual(ran, [new Date(world.clock.now())]);
  });

  it('take effect once, however many workers compete', async () => {
    const platform = await world.platform();
    await put(platform, 'mark', 60);
    const workers = [1, 2, 3, 4].map(() => world.worker({ jobs: { mark: { run: addMark } } }));
    await Promise.all(workers.map((worker) => worker.settle(platform.id)));
    assert.equal((await marks(platform)).length, 60);
    assert.deepEqual(await waiting(platform), []);
  });

  it('that fall due together run in one transaction, if the handler supports it', async () => {
    const platform = await world.platform();
    const sizes: number[] = [];
    const mark: RunHandler = {
      run: addMark,
      async many(tx, batch) {
        sizes.push(batch.length);
        for (const job of batch) await addMark(tx, job);
      },
    };
    await put(platform, 'mark', 40);
    await world.worker({ jobs: { mark } }).settle(platform.id);
    assert.deepEqual(sizes, [40]);
    assert.equal((await marks(platform)).length, 40);
  });

  it('a failing job affects neither its batch nor the jobs after it, and is postponed', async () => {
    const platform = await world.platform();
    const run = async (tx: Tx, job: Job) => {
      await addMark(tx, job);
      if ((job.payload as { n: number }).n === 3) throw new Error('poison');
    };
    const many = async (tx: Tx, batch: readonly Job[]) => {
      for (const job of batch) await run(tx, job);
    };
    await put(platform, 'mark', 6);
    await world.worker({ jobs: { mark: { run, many } } }).settle(platform.id);
    assert.deepEqual((await marks(platform)).toSorted(), ['0', '1', '2', '4', '5']);
    const [left, ...none] = await waiting(platform);
    assert.deepEqual(none, []);
    assert.equal(left?.attempts, 1);
    assert.equal(left?.last_error, 'Error: poison');
    assert.deepEqual(left?.due_at, new Date(world.clock.now() + 1_000));
    assert.equal(world.errors.splice(0).length, 1);
  });

  it('failed jobs are retried after 1, 2, 4 … seconds, at most half an hour', async () => {
    const platform = await world.platform();
    const worker = world.worker({ jobs: { a: { run: () => Promise.reject(new Error('not yet')) } } });
    await put(platform, 'a', 1);
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 13; attempt++) {
      await worker.settle(platform.id);
      const [job] = await waiting(platform);
      assert.equal(job?.attempts, attempt);
      delays.push((job.due_at.getTime() - world.clock.now()) / 1000);
      world.clock.advance(job.due_at.getTime() - world.clock.now());
    }
    assert.deepEqual(delays, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1800, 1800]);
    assert.equal(world.errors.splice(0).length, 13);
    const failed = worker.counters().find(({ labels }) => labels.kind === 'a' && labels.outcome === 'failed');
    assert.equal(failed?.value, 13);
  });

  it('the stored text of a failure contains no value of a statement', async () => {
    const platform = await world.platform();
    const jobs: JobHandlers = {
      sql: { run: async (tx) => void (await tx.sql`select ${'top secret'}::uuid`) },
      refused: { run: async () => refuse('QUOTE_EXPIRED', 'The quote has expired.') },
    };
    await put(platform, 'sql', 1);
    await put(platform, 'refused', 1);
    await world.worker({ jobs }).settle(platform.id);
    const errors = (await waiting(platform)).map(({ last_error }) => last_error);
    assert.deepEqual(errors, ['SQLSTATE 22P02', 'QUOTE_EXPIRED: The quote has expired.']);
    world.errors.splice(0);
  });

  it('a job without a handler is postponed and blocks no other job', async () => {
    const platform = await world.platform();
    await put(platform, 'unheard-of', 1);
    await put(platform, 'mark', 1);
    await world.worker({ jobs: { mark: { run: addMark } } }).settle(platform.id);
    assert.equal((await marks(platform)).length, 1);
    assert.match((await waiting(platform))[0]?.last_error ?? '', /no handler/);
    world.errors.splice(0);
  });

  it('a handler schedules its own next run under the same key', async () => {
    const platform = await world.platform();
    let runs = 0;
    const again = (tx: Tx) => schedule(tx, { kind: 'tick', key: 'k', afterMs: 1_000 });
    const jobs: JobHandlers = {
      tick: {
        async run(tx) {
          runs++;
          again(tx);
        },
      },
    };
    await platform.write(async (tx) => again(tx));
    const worker = world.worker({ jobs });
    for (let i = 0; i < 3; i++) {
      world.clock.advance(1_000);
      await worker.settle(platform.id);
    }
    assert.equal(runs, 3);
    assert.equal((await waiting(platform)).length, 1);
  });

  it('a handler’s events and further jobs commit with it', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const jobs: JobHandlers = {
      first: {
        async run(tx) {
          emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: 'Card:1', data: { id: 'Card:1' } });
          schedule(tx, { kind: 'mark', afterMs: 0, payload: { n: 'next' } });
        },
      },
      mark: { run: addMark },
    };
    await put(platform, 'first', 1);
    await world.worker({ jobs }).settle(platform.id);
    assert.deepEqual(receiver.types(), ['CARD.STATUS_CHANGE']);
    assert.deepEqual(await marks(platform), ['next']);
  });

  it('a stuck queue delays neither other kinds nor other platforms', async () => {
    const [busy, other] = [await world.platform(), await world.platform()];
    const stuck = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const done = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const jobs: JobHandlers = {
      stuck: {
        async run() {
          stuck.resolve();
          await release.promise;
        },
      },
      quick: { run: async (tx) => done[tx.platformId === busy.id ? 0 : 1].resolve() },
    };
    await put(busy, 'stuck', 1_000);
    const worker = world.worker({ jobs });
    worker.start();
    await stuck.promise;
    await put(busy, 'quick', 1);
    await put(other, 'quick', 1);
    worker.wake();
    await Promise.all(done.map(({ promise }) => promise));
    assert.ok((await waiting(busy)).length >= 1_000);
    release.resolve();
  });

  function put(platform: OutboxPlatform, kind: string, count: number, afterMs = 0): Promise<void> {
    return platform.write(async (tx) => {
      for (let n = 0; n < count; n++) schedule(tx, { kind, afterMs, payload: { n } });
    });
  }

  /** Writes a row that is rolled back with the job. */
  async function addMark(tx: Tx, job: Job): Promise<void> {
    const { n } = job.payload as { n: number | string };
    await tx.sql`update platforms set name = name || ${` ${n}`}::text where id = ${tx.platformId}`;
  }

  async function marks(platform: OutboxPlatform): Promise<string[]> {
    const [row] = await world.database.query<{ name: string }>(
      sql`select name from platforms where id = ${platform.id}`,
    );
    return row?.name.split(' ').slice(1) ?? [];
  }

  function waiting(platform: OutboxPlatform) {
    return world.database.query<{ kind: string; attempts: number; last_error: string; due_at: Date }>(sql`
      select kind, attempts, last_error, due_at from jobs
       where platform_id = ${platform.id} and kind <> 'platform.purge' order by id`);
  }
});
