import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { Deliverer } from '#edge/webhooks/deliverer.ts';
import { claimWebhooks } from '#edge/webhooks/queue-store.ts';
import type { Database } from '#foundation/database/database.ts';
import { compile, type Sql } from '#foundation/database/sql.ts';
import { emit } from '#foundation/events/emit.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { type OutboxPlatform, outboxWorld } from '#tests/harness/outbox-world.ts';
import type { Receiver } from '#tests/harness/receiver.ts';

describe('order of webhooks', () => {
  const world = outboxWorld();

  it('platform.md §4.2.4: first attempts for one data.id go out in event order', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    await emitMany(platform, 40, 3);
    await world.worker().settle();
    assertInOrder(receiver, 40, 3);
  });

  it('platform.md §4.2.4: the order holds across claims, and with several workers side by side', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    for (let round = 0; round < 3; round++) await emitMany(platform, 200, 7, round * 200);
    const workers = [world.worker(), world.worker(), world.worker()];
    await Promise.all(workers.map((worker) => worker.settle(platform.id)));
    assertInOrder(receiver, 600, 7);
  });

  it('platform.md §4.2.4: a claim leases a resource that two platforms share once for each', async () => {
    const receiver = await world.receiver();
    const platforms = [
      await world.platform({ endpoint: receiver.url }),
      await world.platform({ endpoint: receiver.url }),
    ];
    for (const platform of platforms)
      await platform.emit('CARD.STATUS_CHANGE', 'Card:0', { id: 'Card:0', n: 0 });
    const now = new Date(world.clock.now());
    const events = await claimWebhooks(world.database.query, {
      now,
      until: new Date(now.getTime() + 5_000),
      owner: randomUUID(),
      capacity: new Map(platforms.map(({ id }) => [id, { resources: 1, blocked: 1, questions: 1 }])),
      rowsMax: 10,
      questionMs: 1_000,
      held: [],
    });
    const leased = events.map(({ platform_id, lease }) => [
      platform_id,
      lease.platform_id,
      lease.events.size,
    ]);
    assert.deepEqual(
      leased,
      platforms.map(({ id }) => [id, id, 1]),
    );
  });

  it('platform.md §4.2.4: a failing event does not hold back later ones', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer(({ body }) => ({ status: body.data.n === 0 ? 500 : 200 }));
    await emitMany(platform, 3, 1);
    await world.worker().settle();
    assertInOrder(receiver, 3, 1);
    const states = (await platform.events()).map(({ state }) => state);
    assert.deepEqual(states, ['PENDING', 'DELIVERED', 'DELIVERED']);
  });

  it('platform.md §4.2.4: an event that hangs does not hold back later ones for long', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const second = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    receiver.answer(async ({ body }) => {
      if (body.data.n === 0) await end.promise;
      else second.resolve();
      return { status: 200 };
    });
    await emitMany(platform, 2, 1);
    const settled = world.worker({ slowAfterMs: 20 }).settle(platform.id);
    await second.promise;
    end.resolve();
    await settled;
    assertInOrder(receiver, 2, 1);
  });

  it('platform.md §4.2.4: while one process has leased a resource’s events, another sends none of them', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const arrived = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    receiver.answer(async ({ body }) => {
      if (body.data.n === 0) {
        arrived.resolve();
        await end.promise;
      }
      return { status: 200 };
    });
    await platform.emit('CARD.STATUS_CHANGE', 'Card:0', { id: 'Card:0', n: 0 });
    const first = world.worker();
    const settled = first.settle(platform.id);
    await arrived.promise;
    await platform.emit('CARD.STATUS_CHANGE', 'Card:0', { id: 'Card:0', n: 1 });
    await platform.emit('CARD.STATUS_CHANGE', 'Card:9', { id: 'Card:9', n: 9 });
    await world.worker().deliverer.step(platform.id, 5_000);
    assert.deepEqual(
      receiver.received.map(({ body }) => body.data.n),
      [0, 9],
    );
    end.resolve();
    await settled;
    assert.deepEqual(
      receiver.received.map(({ body }) => body.data.n),
      [0, 9, 1],
    );
  });

  it('platform.md §4.2.4: events leased by a claim whose answer was lost are not overtaken, and are sent when the lease expires', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    let isLost = false;
    const deliverer = delivererOn({
      query: async (piece) => {
        const rows = await world.database.query<never>(piece);
        if (isClaim(piece) && !isLost) {
          isLost = true;
          throw new Error('the connection was lost');
        }
        return rows;
      },
    });
    const numbers = () => receiver.received.map(({ body }) => body.data.n);
    await platform.emit('CARD.STATUS_CHANGE', 'Card:0', { id: 'Card:0', n: 0 });
    await assert.rejects(deliverer.step(platform.id, 5_000), /was lost/);
    await platform.emit('CARD.STATUS_CHANGE', 'Card:0', { id: 'Card:0', n: 1 });
    await platform.emit('CARD.STATUS_CHANGE', 'Card:9', { id: 'Card:9', n: 9 });
    await deliverer.step(platform.id, 5_000);
    assert.deepEqual(numbers(), [9]);
    // Within ten seconds, together with the events that follow it.
    world.clock.advance(10_000);
    await deliverer.step(platform.id, 5_000);
    assert.deepEqual(numbers(), [9, 0, 1]);
    await deliverer.drain(1_000);
  });

  it('platform.md §4.2.4: an event whose receiver cannot be looked up holds back the events that follow it', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    let isLost = false;
    const deliverer = delivererOn({
      query: async (piece) => {
        const rows = await world.database.query<never>(piece);
        // The receiver that the claim read is too old by then.
        if (isClaim(piece) && !isLost) world.clock.advance(200);
        return rows;
      },
      lookUp: async (piece) => {
        if (isLost) return world.database.lookUp<never>(piece);
        isLost = true;
        throw new Error('the connection was lost');
      },
    });
    await emitMany(platform, 3, 1);
    await deliverer.step(platform.id, 5_000);
    await deliverer.step(platform.id, 5_000);
    assert.match(String(world.errors.splice(0)), /was lost/);
    assertInOrder(receiver, 3, 1);
    await deliverer.drain(1_000);
  });

  /** A deliverer whose database answers as the test wants. */
  function delivererOn(answers: Partial<Pick<Database, 'query' | 'lookUp'>>): Deliverer {
    const runtime = { ...world.runtime, database: { ...world.database, ...answers } };
    const onError = (error: unknown) => void world.errors.push(error);
    return new Deliverer(runtime, { names: wireNames('Svc'), onError });
  }

  function isClaim(piece: Sql): boolean {
    return compile(piece).text.includes('claim_webhooks(');
  }

  /** `count` events, distributed in turn over this many resources; `n` counts up in event order. */
  function emitMany(platform: OutboxPlatform, count: number, resources: number, from = 0): Promise<void> {
    return platform.write(async (tx) => {
      for (let n = from; n < from + count; n++) {
        const resourceId = `Card:${n % resources}`;
        emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId, data: { id: resourceId, n } });
      }
    });
  }

  /** Asserts that everything arrived once, and each resource's events in order. */
  function assertInOrder(receiver: Receiver, count: number, resources: number): void {
    const numbers = receiver.received.map(({ body }) => Number(body.data.n));
    assert.equal(new Set(numbers).size, numbers.length, 'an attempt was sent twice');
    assert.equal(numbers.length, count);
    for (let resource = 0; resource < resources; resource++) {
      const own = numbers.filter((n) => n % resources === resource);
      assert.deepEqual(
        own,
        own.toSorted((a, b) => a - b),
      );
    }
  }
});
