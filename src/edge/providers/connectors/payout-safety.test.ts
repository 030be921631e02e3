// lane: whole — many cases, each with a payment of its own

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { claimCalls } from '#capabilities/connectors/call-store.ts';
import { claimReader, purgeEvents, storePage } from '#capabilities/connectors/event-store.ts';
import { listOrders } from '#capabilities/connectors/order-store.ts';
import { recordAnswer } from '#capabilities/connectors/record-answer.ts';
import { removeOne, resumeConnector, rewindEvents } from '#capabilities/connectors/registry.ts';
import { findConnector } from '#capabilities/connectors/registry-store.ts';
import { routeWaiting } from '#capabilities/connectors/route-order.ts';
import type { ConnectorRow, OrderRow } from '#capabilities/connectors/row.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { payoutsByConnector } from '#tests/given/connected-payouts.ts';
import { EUR_ACCOUNTS } from '#tests/given/connectors.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('payouts through a connector, when several things happen at once', () => {
  const world = testWorld();
  const at = payoutsByConnector(world);
  const { ordered, statusOf, later, rounds, breaks, change } = at;

  const orderOf = async (reference: TransactionId): Promise<OrderRow> => {
    const work = await at.live.work();
    const orders = await work.read((tx) => listOrders(tx, reference));
    return orders.at(-1) as OrderRow;
  };
  const connector = async (): Promise<ConnectorRow> =>
    (await findConnector(world.database.query, at.name)) as ConnectorRow;
  const cancel = (id: string) =>
    at.live.send('cancelTransaction', { params: { transactionId: id }, body: {} });
  /** What the platform gets back, once its refund is paid. */
  const isCancelled = async (id: string) => {
    await world.app.worker.settle(at.live.id);
    assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, 'COMPLETED']);
  };

  describe('settled or failed by hand', () => {
    it('connectors.md §5.7: an order without a route is never sent after that', async () => {
      const { reference } = await ordered();
      await at.settle(reference, 'settle', false);
      assert.equal((await orderOf(reference)).status, 'ENDED');
      await rounds();
      assert.equal(at.bank.askedOrders('PUT').length, 0);
    });

    it('connectors.md §5.7: an order that has a route, but was not sent, is never sent after that', async () => {
      const { reference } = await ordered();
      await routeWaiting(await at.live.work(), (await orderOf(reference)).id);
      await assert.rejects(at.settle(reference, 'settle', false), /open at a connector/);
      await at.settle(reference, 'settle', true);
      await rounds();
      assert.equal(at.bank.askedOrders('PUT').length, 0);
    });

    for (const [what, fault] of [
      ['a signed 503', { signed: 503 }],
      ['silence', 'cut'],
    ] as const) {
      it(`connectors.md §5.7: an order whose sending ended in ${what} is cancelled, not sent again`, async () => {
        at.bank.fault = ({ method }) => (method === 'PUT' ? { fault } : undefined);
        const { id, reference } = await ordered();
        await rounds();
        await at.settle(reference, 'fail', true);
        await rounds();
        for (let i = 0; i < 5; i++) await later(60);
        assert.equal(at.bank.askedOrders('PUT').length, 1);
        assert.equal(at.bank.orders.get(reference)?.state, 'CANCELLED');
        assert.equal((await statusOf(id))[0], 'FAILED');
        assert.deepEqual(await breaks(), [], 'both say that no money moved');
      });
    }

    it('connectors.md §5.7, §6.5: a cancelled order of a payment that was settled by hand is a break', async () => {
      const { id, reference } = await ordered();
      await rounds();
      await at.settle(reference, 'settle', true);
      await rounds();
      assert.equal(at.bank.orders.get(reference)?.state, 'CANCELLED');
      assert.equal((await statusOf(id))[0], 'COMPLETED');
      assert.deepEqual(await breaks(), ['CONTRADICTION']);
    });
  });

  it('connectors.md §5.4, §5.5: an order that the platform cancels takes no other route', async () => {
    const other = await at.givenConnector(20);
    at.bank.fault = ({ method }) => (method === 'PUT' ? { fault: { signed: 400 } } : { fault: 'cut' });
    const { id, reference } = await ordered();
    await rounds();
    assert.ok((await orderOf(reference)).leaves);
    assert.equal((await cancel(id)).status, 503);
    at.bank.fault = undefined;
    for (let i = 0; i < 4; i++) await later(20);
    assert.equal(other.askedOrders('PUT').length, 0);
    await isCancelled(id);
  });

  describe('another store', () => {
    const pausedBecause = async () => (await connector()).paused_because;

    it('connectors.md §2.8: after it is accepted, what it lacks is neither sent again nor taken for cancelled', async () => {
      const taken = await ordered();
      await rounds();
      at.bank.fault = ({ method }) => (method === 'PUT' ? { fault: 'cut' } : undefined);
      const unknown = await ordered();
      await rounds();
      at.bank.fault = undefined;
      at.bank.store = 'store-2';
      at.bank.orders.clear();
      await later(6);
      assert.equal(await pausedBecause(), 'STORE');
      await change((tx) => resumeConnector(tx, { name: at.name, reason: 'test', newStore: true }));
      await later(20);
      await rounds();
      assert.equal(await pausedBecause(), 'STORE', 'it lost what it had');
      assert.equal(at.bank.askedOrders('PUT').length, 2);
      assert.deepEqual(await breaks(), ['LOST', 'LOST']);
      // A cancellation leaves a mark in the new store, which says nothing about the old one.
      for (const { id } of [taken, unknown]) assert.equal((await cancel(id)).status, 503);
      for (const { id, reference } of [taken, unknown]) {
        assert.equal((await statusOf(id))[0], 'PROCESSING');
        await at.settle(reference, 'fail', true);
      }
      await change((tx) => resumeConnector(tx, { name: at.name, reason: 'test', newStore: true }));
      for (let i = 0; i < 4; i++) await later(20);
      assert.equal(await pausedBecause(), null, 'a person has said how both end');
      assert.equal((await orderOf(taken.reference)).status, 'ENDED');
    });

    it('connectors.md §2.8, §6.3: its events are read from the beginning, whatever ids they have', async () => {
      const { id, reference } = await ordered();
      await rounds();
      const { amount } = at.bank.orders.get(reference)?.body ?? {};
      const event = { id: 'event-1', type: 'ORDER', reference, amount, currency: 'EUR' };
      const time = () => new Date(world.clock.now()).toISOString();
      at.bank.list({ ...event, at: time(), state: 'SENT' });
      await later(6);
      at.bank.store = 'store-2';
      await later(6);
      at.bank.forgetEvents();
      at.bank.list({ ...event, at: time(), state: 'SETTLED' });
      await change((tx) => resumeConnector(tx, { name: at.name, reason: 'test', newStore: true }));
      for (let i = 0; i < 3; i++) await later(20);
      assert.equal((await statusOf(id))[0], 'COMPLETED');
      assert.deepEqual(await breaks(), []);
    });
  });

  it('connectors.md §5.2: an order that the connector has is asked about once a day', async () => {
    const { id, reference } = await ordered();
    await rounds();
    const order = at.bank.orders.get(reference);
    assert.ok(order);
    // The event is lost.
    order.state = 'SETTLED';
    await later(86_300);
    assert.equal((await statusOf(id))[0], 'PROCESSING');
    await later(100);
    assert.equal((await statusOf(id))[0], 'COMPLETED');
  });

  describe('many orders', () => {
    /** Orders of payments that do not exist: routing each of them fails. */
    const givenFailing = (platformId: string, count: number) =>
      world.database.query(sql`
        insert into connector_orders
          (platform_id, id, reference, transaction_id, kind, status, amount, currency, call_at, created_at)
        select ${platformId}, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'PAYOUT', 'WAITING', 1, 'EUR',
               ${new Date(world.clock.now() - 60_000)}, ${new Date(world.clock.now())}
          from generate_series(1, ${count})`);

    it('connectors.md §8.3: orders that cannot be routed hold up neither those of their platform nor others', async () => {
      const other = await givenPlatform(world, { environment: 'PRODUCTION' });
      await givenFailing(other.id, 150);
      const first = await ordered();
      await at.worker.round();
      assert.ok(at.bank.orders.has(first.reference), 'another platform waits for nobody');
      await givenFailing(at.live.id, 150);
      const second = await ordered();
      await rounds(4);
      assert.ok(at.bank.orders.has(second.reference));
      assert.ok(at.failures.splice(0).length >= 300);
      await world.database.query(sql`delete from connector_orders where status = 'WAITING'`);
    });

    it('connectors.md §7.7: platforms take turns at a connector', async () => {
      const other = await givenPlatform(world, { environment: 'PRODUCTION' });
      const { id } = await connector();
      const now = new Date(world.clock.now());
      for (const [platformId, count, age] of [
        [at.live.id, 30, 2],
        [other.id, 1, 1],
      ] as const) {
        await world.database.query(sql`
          insert into connector_orders
            (platform_id, id, reference, transaction_id, kind, status, amount, currency, connector_id,
             settlement_account, rail, call, call_at, created_at)
          select ${platformId}, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'PAYOUT', 'ROUTED', 1, 'EUR',
                 ${id}, 'main', 'SEPA', 'PUT', ${new Date(now.getTime() - age * 60_000)}, ${now}
            from generate_series(1, ${count})`);
      }
      const wish = {
        caller: newUuid() as string,
        now,
        until: new Date(now.getTime() + 60_000),
        store: 'store-1',
      };
      const claimed = await claimCalls(world.database.query, id, { ...wish, limit: 4, sendsMax: 2 });
      assert.deepEqual(
        new Set(claimed.map(({ order }) => order.platform_id)),
        new Set([at.live.id, other.id]),
      );
      assert.equal(claimed.length, 2);
      await world.database.query(sql`delete from connector_orders where connector_id = ${id}`);
    });
  });

  it('connectors.md §9.1: an order that gets its route while the connector is removed takes another one', async () => {
    const other = await at.givenConnector(20);
    const { reference } = await ordered();
    await routeWaiting(await at.live.work(), (await orderOf(reference)).id);
    await assert.rejects(
      change((tx) => removeOne(tx, { name: at.name, reason: 'test' })),
      /open orders: 1/,
    );
    await world.database.query(sql`update connectors set removed_at = now() where name = ${at.name}`);
    await rounds();
    assert.deepEqual([at.bank.orders.has(reference), other.orders.has(reference)], [false, true]);
  });

  describe('reports that contradict each other', () => {
    for (const end of ['FAILED', 'CANCELLED'] as const) {
      for (const next of ['SENT', 'HELD', 'RECEIVED', 'SETTLED'] as const) {
        it(`connectors.md §6.5: ${next} after ${end} is a break`, async () => {
          const { id, reference } = await ordered();
          await rounds();
          at.bank.play(reference, end);
          await later(6);
          at.bank.play(reference, next);
          await later(6);
          assert.equal((await statusOf(id))[0], 'FAILED');
          assert.deepEqual(await breaks(), ['CONTRADICTION']);
        });
      }
    }

    it('connectors.md §6.5: a state that the order had before its end may be reported late', async () => {
      const { reference } = await ordered();
      await rounds();
      const before = new Date(world.clock.now()).toISOString();
      await later(6);
      at.bank.play(reference, 'FAILED');
      at.bank.play(reference, 'SENT', { at: before });
      await later(6);
      assert.deepEqual(await breaks(), []);
    });
  });

  it('connectors.md §6.4: an event that cannot be read holds up no other one', async () => {
    const { id, reference } = await ordered();
    await rounds();
    at.bank.list({ id: 'no-time', type: 'ORDER', at: 'yesterday', reference });
    at.bank.list({ type: 'ORDER' });
    at.bank.list({ id: 'no-state', type: 'ORDER', at: '2026-01-01T00:00:00Z', reference });
    at.bank.play(reference, 'SETTLED');
    await later(6);
    await later(6);
    assert.equal((await statusOf(id))[0], 'COMPLETED');
    assert.deepEqual(await breaks(), ['MALFORMED', 'MALFORMED', 'MALFORMED']);
  });

  it('connectors.md §6.4: where an event about an order cannot be read, the connector is asked about the order', async () => {
    const { id, reference } = await ordered();
    await rounds();
    const order = at.bank.orders.get(reference);
    assert.ok(order);
    order.state = 'SETTLED';
    at.bank.list({ id: 'no-state', type: 'ORDER', at: '2026-01-01T00:00:00Z', reference });
    await later(6);
    await rounds();
    assert.equal((await statusOf(id))[0], 'COMPLETED');
  });

  it('connectors.md §6.7: applied events are deleted after 180 days; one that nobody understands stays', async () => {
    const { reference } = await ordered();
    await rounds();
    at.bank.list({ id: 'weather', type: 'WEATHER', at: '2026-01-01T00:00:00Z' });
    at.bank.play(reference, 'SETTLED');
    await later(6);
    const { id } = await connector();
    const kept = async () => {
      const rows = await world.database.query<{ type: string }>(sql`
        select distinct type from connector_events where connector_id = ${id} order by type`);
      return rows.map(({ type }) => type);
    };
    const purge = async (days: number) => {
      const work = await at.live.work();
      const before = new Date(world.clock.now() + days * 86_400_000);
      await work.write((tx) => purgeEvents(tx.query.bind(tx), before, 1_000));
    };
    await purge(-1);
    assert.deepEqual(await kept(), ['ORDER', 'WEATHER']);
    await purge(1);
    assert.deepEqual(await kept(), ['WEATHER']);
  });

  it('connectors.md §6.6: a page that is read while the events are rewound is not stored', async () => {
    const { id, store } = await connector();
    const now = new Date(world.clock.now() + 10_000);
    const until = new Date(now.getTime() + 60_000);
    const reader = newUuid() as string;
    assert.ok(await claimReader(world.database.query, id, { reader, now, until }));
    await change((tx) => rewindEvents(tx, { name: at.name, reason: 'test' }));
    const page = { reader, store: store ?? '', events: [], next: '17', now, until };
    assert.equal(await storePage(world.database, id, page), undefined);
    assert.equal((await connector()).cursor, null);
  });

  it('connectors.md §5.1: after its end, only what the connector says about an order counts', async () => {
    const { reference } = await ordered();
    await rounds();
    at.bank.play(reference, 'SETTLED');
    await later(6);
    const order = await orderOf(reference);
    const work = await at.live.work();
    const row = await connector();
    for (const [call, outcome] of [
      ['GET', { kind: 'silence' }],
      ['GET', { kind: 'unknown', store: 'store-1' }],
      ['PUT', { kind: 'refused' }],
      ['PUT', { kind: 'later', afterSeconds: 5 }],
      ['PUT', { kind: 'conflict' }],
    ] as const) {
      const after = await work.write((tx) => recordAnswer(tx, row, { order, call }, outcome));
      assert.deepEqual([after?.status, after?.call], ['ENDED', null], outcome.kind);
    }
    assert.equal((await connector()).paused_because, null);
  });

  it('connectors.md §8.3: an order waits for a connector that has not said yet what it can do', async () => {
    await world.database.query(sql`
      update connectors set capabilities = null, capabilities_due_at = ${new Date(world.clock.now() + 60_000)}
       where name = ${at.name}`);
    const { reference } = await ordered();
    await rounds();
    assert.equal((await orderOf(reference)).status, 'WAITING');
    await later(60);
    await later(20);
    assert.ok(at.bank.orders.has(reference));
  });

  it('connectors.md §8.2: a connector of production gets orders', async () => {
    const real = await at.givenConnector(5, { ...EUR_ACCOUNTS, test: false });
    const { reference } = await ordered();
    await rounds();
    assert.deepEqual([real.orders.has(reference), at.bank.orders.has(reference)], [true, false]);
  });
});
