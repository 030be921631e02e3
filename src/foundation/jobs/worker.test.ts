import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { emit } from '#foundation/events/emit.ts';
import type { JobHandlers } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { WakeSignal, type WorkSource } from '#foundation/jobs/work-source.ts';
import { createWorker } from '#foundation/jobs/worker.ts';
import { outboxWorld } from '#tests/harness/outbox-world.ts';

describe('the worker', () => {
  const world = outboxWorld();

  it('settles jobs in due order, across kinds, including the jobs that they schedule', async () => {
    const platform = await world.platform();
    const ran: string[] = [];
    const note = (name: string): JobHandlers[string] => ({ run: async () => void ran.push(name) });
    await platform.write(async (tx) => {
      schedule(tx, { kind: 'c', afterMs: 1 });
      schedule(tx, { kind: 'a', afterMs: 3 });
      schedule(tx, { kind: 'b', afterMs: 2 });
      schedule(tx, { kind: 'c', afterMs: 4 });
    });
    world.clock.advance(10);
    await world.worker({ jobs: { a: note('a'), b: note('b'), c: note('c') } }).settle();
    assert.deepEqual(ran, ['c', 'b', 'a', 'c']);
  });

  it('starts at once when it is woken, without waiting for its next poll', async () => {
    const looked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let looks = 0;
    const source = silentSource(() => looked[looks++]?.resolve());
    const worker = createWorker([source], { pollMinMs: 3_600_000, pollMaxMs: 3_600_000 });
    worker.start();
    await looked[0]?.promise;
    worker.wake();
    await looked[1]?.promise;
    await worker.stop();
  });

  it('wakes only the sources that it names', async () => {
    const looked = { jobs: 0, webhooks: 0 };
    const [began, woken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const jobs = silentSource(() => {
      looked.jobs++;
      if (looked.jobs > 1) woken.resolve();
    }, 'jobs');
    const webhooks = silentSource(() => {
      looked.webhooks++;
      began.resolve();
    }, 'webhooks');
    const worker = createWorker([webhooks, jobs], { pollMinMs: 3_600_000, pollMaxMs: 3_600_000 });
    worker.start();
    await began.promise;
    worker.wake(['jobs']);
    await woken.promise;
    assert.deepEqual(looked, { jobs: 2, webhooks: 1 });
    await worker.stop();
  });

  it('a commit that creates work wakes the source of that work, and a rollback wakes none', async () => {
    const platform = await world.platform();
    const woken: (readonly string[] | undefined)[] = [];
    const { runtime } = world;
    const wake = runtime.wakeWorker;
    Object.assign(runtime, { wakeWorker: (names?: readonly string[]) => void woken.push(names) });
    try {
      await platform.emit();
      assert.deepEqual(woken, [['webhooks']]);
      await platform.write(async (tx) => schedule(tx, { kind: 'a', afterMs: 0 }));
      assert.deepEqual(woken, [['webhooks'], ['jobs']]);
      await platform.write(async (tx) => schedule(tx, { kind: 'a', afterMs: 60_000 }));
      assert.equal(woken.length, 2, 'nothing to do yet');
      const undone = platform.write(async (tx) => {
        emit(tx, { type: 'TEST', resourceId: 'x', data: {} });
        throw new Error('undone');
      });
      await assert.rejects(undone);
      assert.equal(woken.length, 2);
    } finally {
      Object.assign(runtime, { wakeWorker: wake });
    }
  });

  it('stops when running work has been recorded, and releases the rest', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const [arrived, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    receiver.answer(async () => {
      arrived.resolve();
      await answer.promise;
      return { status: 200 };
    });
    await platform.write(async (tx) => {
      for (let n = 0; n < 3; n++) emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: 'Card:1', data: { n } });
    });
    const worker = world.worker();
    worker.start();
    await arrived.promise;
    const stopped = worker.stop(60_000);
    answer.resolve();
    await stopped;
    assert.equal(receiver.received.length, 1);
    const states = (await platform.events()).map(({ state }) => state);
    assert.deepEqual(states, ['DELIVERED', 'PENDING', 'PENDING']);
    const queues = await world.database.query(sql`
      select leased_until from webhook_queues where platform_id = ${platform.id}`);
    assert.deepEqual(queues, [{ leased_until: null }]);
    await world.worker().settle(platform.id);
    assert.equal(receiver.received.length, 3);
  });

  it('polls again after the database was unavailable', async () => {
    let looks = 0;
    const [failed, recovered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const source = silentSource(() => {
      looks++;
      if (looks > 1) return recovered.resolve();
      throw new Error('the database is away');
    });
    const worker = createWorker([source], { onError: () => failed.resolve(), pollMinMs: 1, pollMaxMs: 1 });
    worker.start();
    await failed.promise;
    await recovered.promise;
    await worker.stop();
  });

  it('platform.md §1.5.3: it waits once, in real time, for work that another process leases, while other work continues', async () => {
    let [asked, did] = [0, 0];
    const outside: WorkSource = {
      ...silentSource(() => undefined),
      callsOutside: true,
      async step() {
        asked++;
        await new Promise((resolve) => setTimeout(resolve, 50));
        return { done: 0, isDue: true, hadFailure: false };
      },
    };
    const inside: WorkSource = {
      ...silentSource(() => undefined),
      step: async () => ({ done: did++ % 2 === 0 ? 1 : 0, isDue: true, hadFailure: false }),
    };
    const worker = createWorker([inside, outside]);
    const budget = { outboundMs: 200, processesMs: 0 };
    for (let stop = 0; stop < 20; stop++) await worker.settle('p' as Id<never>, budget);
    assert.ok(asked <= 5, `asked ${asked} times`);
    assert.ok(did >= 20);
  });

  /** A source without work that reports each poll. */
  function silentSource(look: () => void, name = 'silent'): WorkSource {
    return {
      name,
      callsOutside: false,
      signal: new WakeSignal(),
      pump: async () => look(),
      finished: () => 0,
      duePlatforms: async () => [],
      step: async () => ({ done: 0, isDue: false, hadFailure: false }),
      nextDueAt: async () => undefined,
      drain: async () => undefined,
      counters: () => [],
    };
  }
});
