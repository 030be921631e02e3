import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { retryDelayMs } from '#edge/webhooks/retry-schedule.ts';
import { sql } from '#foundation/database/sql.ts';
import { emitTest } from '#foundation/events/emit.ts';
import { outboxWorld } from '#tests/harness/outbox-world.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

describe('webhook retries', () => {
  const world = outboxWorld();

  it('platform.md §4.2.3: the nth retry comes after min(5·2^(n−1), 1800) s', () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 400].map((n) => retryDelayMs(n, () => 0.5) / 1000);
    assert.deepEqual(seconds, [5, 10, 20, 40, 80, 160, 320, 640, 1280, 1800, 1800, 1800]);
  });

  it('platform.md §4.2.3: ±10 %', () => {
    assert.deepEqual([retryDelayMs(1, () => 0), retryDelayMs(1, () => 1)], [4_500, 5_500]);
    assert.deepEqual([retryDelayMs(20, () => 0), retryDelayMs(20, () => 1)], [1_620_000, 1_980_000]);
  });

  it('platform.md §4.2.3: a retry is made at its time, and not earlier', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer({ status: 500 });
    await platform.emit();
    const worker = world.worker();
    await worker.settle();
    for (const [i, seconds] of [5, 10, 20, 40].entries()) {
      world.clock.advance(seconds * 1000 - 1);
      await worker.settle();
      assert.equal(receiver.received.length, i + 1, `before retry ${i + 1}`);
      world.clock.advance(1);
      await worker.settle();
      assert.equal(receiver.received.length, i + 2, `retry ${i + 1}`);
    }
  });

  it('platform.md §4.2.3: given up 7 days after the first attempt', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer({ status: 500 });
    const id = await platform.emit();
    const worker = world.worker();
    await worker.settle();
    const first = world.clock.now();
    const toNextAttempt = async () => {
      const { next_attempt_at } = await platform.event(id);
      if (next_attempt_at) world.clock.advance(next_attempt_at.getTime() - world.clock.now());
      await worker.settle(platform.id);
    };
    for (let retry = 1; retry <= 10; retry++) await toNextAttempt();
    // From here on every half hour; only the last two hours of the week are tested.
    const leftOut = first + 7 * DAY_MS - 2 * HOUR_MS - world.clock.now();
    await world.database.query(sql`
      update events set first_attempt_at = first_attempt_at - ${leftOut} * interval '1 millisecond'
       where id = ${id}`);
    const before = receiver.received.length;
    while ((await platform.event(id)).state === 'PENDING') await toNextAttempt();
    assert.equal((await platform.event(id)).state, 'EXHAUSTED');
    assert.equal(receiver.received.length, before + 4, 'the last attempt is at seven days exactly');
    world.clock.advance(DAY_MS);
    await worker.settle(platform.id);
    assert.equal(receiver.received.length, before + 4);
  });

  it('platform.md §4.2.3: a TEST event is never retried', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer({ status: 500 });
    const id = uuidOf(await platform.write(async (tx) => emitTest(tx)));
    const worker = world.worker();
    await worker.settle();
    world.clock.advance(DAY_MS);
    await worker.settle();
    assert.equal(receiver.received.length, 1);
    assert.deepEqual(receiver.received[0]?.body.data, {});
    assert.equal((await platform.event(id)).state, 'EXHAUSTED');
  });
});
