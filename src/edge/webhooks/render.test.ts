import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseUnavailable } from '#foundation/database/failures.ts';
import { sql } from '#foundation/database/sql.ts';
import type { FactsEvent } from '#foundation/events/handlers.ts';
import { type OutboxPlatform, outboxWorld } from '#tests/harness/outbox-world.ts';

describe('events made by SQL functions', () => {
  const world = outboxWorld();

  it('decision 0004: the facts are rendered at the first attempt, and then stored encrypted', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer({ status: 500 });
    const id = await insertFacts(platform, 'OUTGOING_PAYMENT.COMPLETED', { amount: 5 });
    const rendered: FactsEvent[] = [];
    let version = 1;
    const worker = world.worker({
      renderers: {
        OUTGOING_PAYMENT: async (_tx, events) => {
          rendered.push(...events);
          return events.map((event) => ({ id: event.resourceId, version: version++, facts: event.facts }));
        },
      },
    });
    await worker.settle();
    const { payload, facts } = await platform.event(id);
    assert.equal(facts, null);
    assert.ok(payload && !payload.includes('version'));
    world.clock.advance(5_000);
    await worker.settle();
    const expected = { id: 'Transaction:1', version: 1, facts: { amount: 5 } };
    assert.deepEqual(
      receiver.received.map(({ body }) => body.data),
      [expected, expected],
    );
    assert.deepEqual(rendered, [
      {
        id,
        type: 'OUTGOING_PAYMENT.COMPLETED',
        resourceId: 'Transaction:1',
        createdAt: rendered[0]?.createdAt,
        facts: { amount: 5 },
      },
    ]);
  });

  it('a renderer may read, and gets the events of one platform together', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    for (let n = 0; n < 10; n++) await insertFacts(platform, 'CARD.STATUS_CHANGE', { n });
    const sizes: number[] = [];
    const worker = world.worker({
      renderers: {
        CARD: async (tx, events) => {
          sizes.push(events.length);
          const [row] = await tx.sql<{
            name: string;
          }>`select name from platforms where id = ${tx.platformId}`;
          return events.map((event) => ({ ...(event.facts as object), name: row?.name }));
        },
      },
    });
    await worker.settle();
    assert.deepEqual(
      new Set(receiver.received.map(({ body }) => `${body.data.n} ${body.data.name}`)),
      new Set(Array.from({ length: 10 }, (_, n) => `${n} Test`)),
    );
    assert.deepEqual(sizes, [10]);
  });

  it('an event that cannot be rendered is logged and retried, and delays no other', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const id = await insertFacts(platform, 'VERIFICATION.APPROVED', {});
    await platform.emit();
    await world.worker().settle();
    assert.equal(receiver.received.length, 1);
    assert.match((await platform.attempts(id))[0]?.error ?? '', /could not be rendered/);
    assert.equal((await platform.event(id)).state, 'PENDING');
    assert.match(String(world.errors.splice(0)), /no renderer for events of type VERIFICATION.APPROVED/);
  });

  it('platform.md §4.2.4: an event that cannot be rendered because the database is away makes no attempt, and keeps its place', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const ids = [
      await insertFacts(platform, 'CARD.STATUS_CHANGE', { n: 1 }),
      await insertFacts(platform, 'CARD.STATUS_CHANGE', { n: 2 }),
    ];
    let isAway = true;
    const worker = world.worker({
      renderers: {
        CARD: async (_tx, events) => {
          if (isAway) {
            isAway = false;
            throw new DatabaseUnavailable(new Error('the connection was lost'));
          }
          return events.map(({ facts }) => facts);
        },
      },
    });
    await worker.settle();
    assert.deepEqual(
      receiver.received.map(({ body }) => body.data.n),
      [1, 2],
    );
    for (const id of ids) assert.equal((await platform.attempts(id)).length, 1);
  });

  it('platform.md §1.2.1: ids made in the database are time-ordered, version 7', async () => {
    const platform = await world.platform();
    const ids: string[] = [];
    for (let n = 0; n < 50; n++) ids.push(await insertFacts(platform, 'TEST', {}));
    const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    for (const id of ids) assert.match(id, pattern);
    const times = ids.map((id) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    assert.ok(Math.abs(Date.now() - (times.at(-1) ?? 0)) < 60_000);
  });

  /** Emits an event as a capability's SQL function would. */
  async function insertFacts(platform: OutboxPlatform, type: string, facts: object): Promise<string> {
    const [row] = await world.database.query<{ id: string }>(sql`
      insert into events (platform_id, type, resource_id, facts, created_at)
      values (${platform.id}, ${type}, 'Transaction:1', ${JSON.stringify(facts)}, ${new Date(world.clock.now())})
      returning id`);
    assert.ok(row);
    return row.id;
  }
});
