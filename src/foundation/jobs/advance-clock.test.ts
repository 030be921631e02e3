// lane: whole — takes seven seconds and more

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { emit } from '#foundation/events/emit.ts';
import { advanceClock, type ClockReading, readClock } from '#foundation/jobs/advance-clock.ts';
import type { JobHandlers } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { type OutboxPlatform, outboxWorld, type TestWorker } from '#tests/harness/outbox-world.ts';

const DAY = 24 * 60 * 60;

describe("the platform's clock", () => {
  const world = outboxWorld();

  it('platform.md §1.5.3: runs the jobs that fall due on the way, in order, each at its time', async () => {
    const platform = await world.platform();
    const start = world.clock.now();
    const ran: [string, number][] = [];
    const note = (name: string) => ({
      run: async (tx: { now: Date }) => void ran.push([name, (tx.now.getTime() - start) / 1000]),
    });
    await platform.write(async (tx) => {
      schedule(tx, { kind: 'z-first', afterMs: 1_000 });
      schedule(tx, { kind: 'a-second', afterMs: 6_000 });
      schedule(tx, { kind: 'z-first', afterMs: 7_500 });
      schedule(tx, { kind: 'late', afterMs: 3_600_001 });
    });
    const worker = world.worker({
      jobs: { 'z-first': note('z'), 'a-second': note('a'), late: note('late') },
    });
    await advance(platform, worker, 3_600);
    assert.deepEqual(ran, [
      ['z', 1],
      ['a', 6],
      ['z', 7.5],
    ]);
    await advance(platform, worker, 1);
    assert.deepEqual(ran.at(-1), ['late', 3_600.001]);
  });

  it('platform.md §1.5.3: jobs that a step schedules run on the way too', async () => {
    const platform = await world.platform();
    const start = world.clock.now();
    const ran: number[] = [];
    const jobs: JobHandlers = {
      tick: {
        async run(tx) {
          ran.push((tx.now.getTime() - start) / 1000);
          schedule(tx, { kind: 'tick', afterMs: 60_000 });
        },
      },
    };
    await platform.write(async (tx) => schedule(tx, { kind: 'tick', afterMs: 60_000 }));
    await advance(platform, world.worker({ jobs }), 300);
    assert.deepEqual(ran, [60, 120, 180, 240, 300]);
  });

  it('platform.md §1.5.3: each due webhook is attempted before the reply, and retries at their time', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer({ status: 500 });
    await platform.write(async (tx) => schedule(tx, { kind: 'tell', afterMs: 1_000 }));
    const jobs: JobHandlers = {
      tell: {
        run: async (tx) => void emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: 'Card:1', data: {} }),
      },
    };
    const worker = world.worker({ jobs });
    // At 1 s, then after 5, 10, 20 and 40 s more.
    await advance(platform, worker, 76);
    assert.equal(receiver.received.length, 5);
    receiver.answer({ status: 200 });
    await advance(platform, worker, 80);
    assert.equal((await platform.events())[0]?.state, 'DELIVERED');
    assert.equal(receiver.received.length, 6);
  });

  it("platform.md §1.5.1: a webhook's timestamp and delivery log use real time", async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    await advance(platform, world.worker(), DAY);
    await platform.emit();
    await world.worker().settle(platform.id);
    assert.equal(receiver.received[0]?.body.timestamp, new Date(world.clock.now()).toISOString());
    const rows = await world.database.query(
      sql`select at from webhook_attempts where platform_id = ${platform.id}`,
    );
    assert.deepEqual(rows, [{ at: new Date(world.clock.now()) }]);
  });

  it('platform.md §1.5.3: a receiver that never answers does not block the call', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer(() => new Promise(() => undefined));
    const done: string[] = [];
    const worker = world.worker({ jobs: { later: { run: async () => void done.push('later') } } });
    for (let n = 0; n < 5; n++) await platform.emit();
    await platform.write(async (tx) => schedule(tx, { kind: 'later', afterMs: 30_000 }));
    const { offsetSeconds } = await advance(platform, worker, 60);
    assert.equal(offsetSeconds, 60);
    assert.deepEqual(done, ['later'], 'scheduled work goes on');
    assert.equal(receiver.received.length, 5, 'each was attempted');
  });

  it('platform.md §1.5.1, §1.5.3: a webhook whose receiver fails for a week of retries is exhausted on the way', async () => {
    const platform = await world.platform({ endpoint: 'http://127.0.0.1:1/' });
    const id = await platform.emit();
    const worker = world.worker();
    await worker.settle(platform.id);
    // Close to the end of the seven days, so that the test need not make every attempt.
    await world.database.query(sql`
      update events set first_attempt_at = first_attempt_at - interval '6 days 23 hours', retries = 12 where id = ${id}`);
    await advance(platform, worker, DAY);
    assert.equal((await platform.event(id)).state, 'EXHAUSTED');
  });

  it('a job that keeps failing does not stop the clock', async () => {
    const platform = await world.platform();
    const worker = world.worker({ jobs: { bad: { run: () => Promise.reject(new Error('bad')) } } });
    await platform.write(async (tx) => schedule(tx, { kind: 'bad', afterMs: 1_000 }));
    const { offsetSeconds } = await advance(platform, worker, 30 * DAY);
    assert.equal(offsetSeconds, 30 * DAY);
    world.errors.splice(0);
  });

  it('platform.md §1.5.2: two moves at the same time take turns and add up', async () => {
    const platform = await world.platform();
    const start = world.clock.now();
    const ran: number[] = [];
    const jobs = {
      a: { run: async (tx: { now: Date }) => void ran.push((tx.now.getTime() - start) / 1000) },
    };
    await platform.write(async (tx) => {
      for (const second of [10, 20, 30, 40, 50]) schedule(tx, { kind: 'a', afterMs: second * 1000 });
    });
    const [first, second] = [world.worker({ jobs }), world.worker({ jobs })];
    const readings = await Promise.all([advance(platform, first, 25), advance(platform, second, 35)]);
    assert.equal((await read(platform)).offsetSeconds, 60);
    assert.equal(Math.max(...readings.map(({ offsetSeconds }) => offsetSeconds)), 60);
    assert.deepEqual(ran, [10, 20, 30, 40, 50]);
  });

  it('platform.md §1.5.3: the next call completes a move whose process died', async () => {
    const platform = await world.platform();
    await world.database.query(sql`
      insert into clock_moves (platform_id, target_offset_ms, leased_until, lease_owner)
      values (${platform.id}, 50000, ${new Date(world.clock.now() - 1)}, gen_random_uuid())`);
    await advance(platform, world.worker(), 10);
    assert.equal((await read(platform)).offsetSeconds, 60);
  });

  it('platform.md §1.5.2: a renewal that arrives after its move has ended does not take the lease again', async () => {
    const platform = await world.platform();
    const { runtime, platform: row, actor } = await platform.work();
    const [renewing, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let late: Promise<unknown> | undefined;
    let isWaiting = false;
    const query: Run = (statement) => {
      if (!isWaiting) return world.database.query(statement);
      isWaiting = false;
      const sent = ended.promise.then(() => world.database.query<never>(statement));
      late = sent;
      renewing.resolve();
      return sent;
    };
    const work = new Work({ ...runtime, database: { ...world.database, query } }, row, actor);
    // Nothing else is sent until the renewal arrives.
    const settle = async () => {
      isWaiting = late === undefined;
      await renewing.promise;
    };
    await advanceClock(work, { settle, nextDueAt: async () => undefined }, 10, (reading) => reading);
    ended.resolve();
    await late;
    const [turn] = await world.database.query(
      sql`select lease_owner from clock_moves where platform_id = ${platform.id}`,
    );
    assert.deepEqual(turn, { lease_owner: null });
  });

  it('jobs leased by a killed worker, and a move of a killed process, delay the clock by seconds only', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    await platform.emit();
    const lease = new Date(world.clock.now() + 60_000);
    await world.database.query(sql`
      update webhook_queues set lease_owner = gen_random_uuid(), leased_until = ${lease}
       where platform_id = ${platform.id}`);
    const turns: number[] = [];
    const jobs: JobHandlers = {
      look: {
        async run(tx) {
          const [turn] = await tx.sql<{ leased_until: Date }>`
            select leased_until from clock_moves where platform_id = ${tx.platformId}`;
          turns.push((turn?.leased_until.getTime() ?? 0) - world.clock.now());
        },
      },
    };
    await platform.write(async (tx) => {
      for (let second = 1; second <= 20; second++) schedule(tx, { kind: 'look', afterMs: second * 1000 });
    });
    const worker = world.worker({ jobs });
    let looks = 0;
    const step = worker.deliverer.step.bind(worker.deliverer);
    worker.deliverer.step = (...asked) => {
      looks++;
      return step(...asked);
    };
    await advance(platform, worker, 60);
    // Two seconds with a poll every five milliseconds, on any machine.
    assert.ok(looks < 800, `polled ${looks} times: every stop waited for the lease`);
    assert.equal(turns.length, 20);
    assert.ok(Math.max(...turns) <= 3_000);
  });

  it('platform.md §1.5.2: the clock never goes back, and a move affects one platform only', async () => {
    const [platform, other] = [await world.platform(), await world.platform()];
    const worker = world.worker();
    const before = await read(platform);
    await advance(platform, worker, 100);
    const after = await read(platform);
    assert.deepEqual([after.offsetSeconds, after.now.getTime() - before.now.getTime()], [100, 100_000]);
    assert.equal((await read(other)).offsetSeconds, 0);
    world.clock.advance(1_000);
    assert.equal((await read(platform)).now.getTime() - after.now.getTime(), 1_000);
  });

  it('platform.md §1.5.2: a production platform has no clock of its own', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    await assert.rejects(advance(platform, world.worker(), 1));
  });

  async function advance(
    platform: OutboxPlatform,
    worker: TestWorker,
    seconds: number,
  ): Promise<ClockReading> {
    return advanceClock(await platform.work(), worker, seconds, (reading) => reading);
  }

  async function read(platform: OutboxPlatform): Promise<ClockReading> {
    return (await platform.work()).read(async (tx) => readClock(tx));
  }
});
