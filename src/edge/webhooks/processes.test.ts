// lane: whole — several processes contend

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { emit } from '#foundation/events/emit.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { type OutboxChild, startOutboxChild } from '#tests/given/outbox-child.ts';
import { outboxWorld } from '#tests/harness/outbox-world.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('workers in several processes', () => {
  const world = outboxWorld();
  const children: OutboxChild[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) await child.end();
  });

  it('platform.md §4.2.1: events that a killed worker had leased are sent within ten seconds, in order, and by no other process before', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const arrived = Promise.withResolvers<void>();
    receiver.answer(() => {
      arrived.resolve();
      return new Promise(() => undefined);
    });
    const emitted: string[] = [];
    for (let n = 0; n < 3; n++) emitted.push(await platform.emit('CARD.STATUS_CHANGE', 'Card:1', { n }));
    const child = await start();
    await arrived.promise;
    await child.end();
    receiver.answer({ status: 200 });
    const worker = world.worker();
    const meanwhile = await worker.deliverer.step(platform.id, 5_000);
    assert.deepEqual(meanwhile, { done: 0, isDue: true, hadFailure: false });
    assert.equal(receiver.received.length, 1);
    world.clock.advance(10_000);
    await worker.settle(platform.id);
    for (const { state, attempts } of await platform.events()) {
      assert.deepEqual({ state, attempts }, { state: 'DELIVERED', attempts: 1 });
    }
    const ids = receiver.received.map(({ body }) => uuidOf(body.id));
    assert.deepEqual(ids, [emitted[0], ...emitted]);
  });

  it('scheduled work of a killed process is done once, by another', async () => {
    const platform = await world.platform();
    await platform.write(async (tx) => schedule(tx, { kind: 'mark', afterMs: 0 }));
    const child = await start();
    await child.said('marked');
    await child.end();
    const worker = world.worker({
      jobs: {
        mark: {
          run: async (tx) =>
            void (await tx.sql`update platforms set name = name || '?' where id = ${tx.platformId}`),
        },
      },
    });
    await worker.settle(platform.id);
    await worker.settle(platform.id);
    const [row] = await world.database.query<{ name: string }>(
      sql`select name from platforms where id = ${platform.id}`,
    );
    assert.equal(row?.name, 'Test?');
  });

  it('platform.md §4.2.1: workers side by side send every event, none of them twice', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const total = 1_500;
    const all = Promise.withResolvers<void>();
    receiver.answer(() => {
      if (receiver.received.length === total) all.resolve();
      return { status: 200 };
    });
    await Promise.all([start(), start()]);
    for (let n = 0; n < total; n += 300) {
      await platform.write(async (tx) => {
        for (let i = n; i < n + 300; i++) {
          emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: `Card:${i % 50}`, data: { i } });
        }
      });
    }
    await all.promise;
    await world.worker().settle(platform.id);
    assert.equal(receiver.received.length, total);
    assert.equal(new Set(receiver.received.map(({ body }) => body.id)).size, total);
    assert.ok(
      (await platform.events()).every(({ state, attempts }) => state === 'DELIVERED' && attempts === 1),
    );
    for (let card = 0; card < 50; card++) {
      const own = receiver.received.map(({ body }) => Number(body.data.i)).filter((i) => i % 50 === card);
      assert.deepEqual(
        own,
        own.toSorted((a, b) => a - b),
        'platform.md §4.2.4: in event order',
      );
    }
  });

  async function start() {
    const child = await startOutboxChild(world);
    children.push(child);
    return child;
  }
});
