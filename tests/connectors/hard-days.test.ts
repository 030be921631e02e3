// lane: whole — thousands of events, and a connector in a process of its own

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { removeRoute, setRoute } from '#capabilities/connectors/operator/set-route.ts';
import { addConnector } from '#capabilities/connectors/registry.ts';
import { findConnector } from '#capabilities/connectors/registry-store.ts';
import { sql } from '#foundation/database/sql.ts';
import { FaultyConnector } from '#tests/connectors/faulty.ts';
import { ANY_ORDER, payoutsByConnector } from '#tests/given/connected-payouts.ts';
import type { Replaced } from '#tests/given/connectors.ts';
import { testWorld } from '#tests/harness/harness.ts';

const EVENTS = Number(process.env.CONNECTOR_EVENTS ?? 2_500);
const PAGE = 500;
/** The other connector's payment is made while this page is on its way. */
const HELD_PAGE = 3;

describe('connectors on hard days', () => {
  const world = testWorld();
  const at = payoutsByConnector(world);
  const { ordered, statusOf, later, rounds, breaks } = at;

  const isReady = async () =>
    (await world.app.http.inject({ method: 'GET', url: '/health/ready' })).statusCode === 200;
  /** Does the work that is due until the condition holds. Calls that hang do not hold it up. */
  const until = async (holds: () => Promise<boolean> | boolean) => {
    while (!(await holds())) {
      await at.worker.pump();
      await turn();
    }
  };
  const nameOf = async (url: string) => {
    const [row] = await world.database.query<{ name: string }>(
      sql`select name from connectors where url = ${url}`,
    );
    return row?.name ?? '';
  };

  it(`connectors.md §6.3, §7.6: ${EVENTS} events of one connector are stored once each, and nobody waits for them`, async (t) => {
    const flood = await at.givenConnector(900);
    const name = await nameOf(flood.url);
    const held = Promise.withResolvers<undefined>();
    let isHeld = false;
    flood.fault = async ({ path }): Promise<Replaced | undefined> => {
      if (!path.startsWith('/events')) return undefined;
      const from = Number(new URL(path, 'http://c').searchParams.get('after') ?? '0');
      isHeld ||= from === HELD_PAGE * PAGE;
      if (from === HELD_PAGE * PAGE) await held.promise;
      const count = Math.min(PAGE, EVENTS - from);
      const events = Array.from({ length: count }, (_each, index) => ({
        ...{ id: `event-${from + index}`, type: 'BALANCE', at: '2026-03-02T10:00:00Z' },
        note: 'A type of event that this version does not know.',
      }));
      return {
        fault: { signed: 200, body: { events, next: String(from + count), more: from + count < EVENTS } },
      };
    };
    world.clock.advance(6_000);
    const began = performance.now();
    await until(() => isHeld);
    const { id, reference } = await ordered();
    await until(() => at.bank.orders.has(reference));
    at.bank.play(reference, 'SETTLED');
    world.clock.advance(6_000);
    await until(async () => (await statusOf(id))[0] === 'COMPLETED');
    assert.ok(await isReady());
    held.resolve(undefined);
    const { id: connectorId } = (await findConnector(world.database.query, name)) ?? { id: '' };
    const counted = async () => {
      const [row] = await world.database.query<{ stored: bigint; applied: bigint; ids: bigint }>(sql`
        select count(*) as stored, count(applied_at) as applied, count(distinct event_id) as ids
          from connector_events where connector_id = ${connectorId}`);
      return [row?.stored, row?.applied, row?.ids].map(Number);
    };
    const isThere = async () => {
      await at.worker.round();
      return (await findConnector(world.database.query, name))?.cursor === String(EVENTS);
    };
    while (!(await isThere())) await turn();
    await rounds();
    assert.deepEqual(await counted(), [EVENTS, EVENTS, EVENTS]);
    assert.deepEqual(await breaks(), []);
    t.diagnostic(`${EVENTS} events in ${Math.round(performance.now() - began)} ms`);
  });

  it('connectors.md §7.7, §5.2: one that is slow for an hour holds up only its own orders, and pays each once', async () => {
    const slow = await at.givenConnector(5);
    const end = Promise.withResolvers<undefined>();
    let isSlow = true;
    slow.fault = async (): Promise<Replaced | undefined> => {
      if (!isSlow) return undefined;
      await end.promise;
      return { fault: 'cut', after: true };
    };
    const first = await ordered();
    await until(() => slow.askedOrders('PUT').length === 1);
    await at.change((tx) => removeRoute(tx, { number: 5, reason: 'test' }));
    for (let minutes = 0; minutes < 60; minutes += 10) {
      const { id, reference } = await ordered();
      await until(() => at.bank.orders.has(reference));
      at.bank.play(reference, 'SETTLED');
      world.clock.advance(600_000);
      await until(async () => (await statusOf(id))[0] === 'COMPLETED');
      assert.ok(await isReady());
      assert.equal((await statusOf(first.id))[0], 'PROCESSING');
    }
    isSlow = false;
    end.resolve(undefined);
    for (let i = 0; i < 4; i++) await later(900);
    slow.play(first.reference, 'SETTLED');
    for (let i = 0; i < 2; i++) await later(10);
    assert.equal((await statusOf(first.id))[0], 'COMPLETED');
    assert.deepEqual([slow.orders.size, slow.askedOrders('PUT').length], [1, 1]);
    assert.deepEqual(await breaks(), []);
  });

  /** A proxy answers in the place of a connector that has the order, to whatever it is asked about it. */
  for (const status of [404, 409, 200]) {
    it(`connectors.md §5.1: a proxy’s ${status} to a question or a cancellation says nothing about the order`, async () => {
      const { id, reference } = await ordered();
      await rounds();
      at.bank.fault = ({ path }) =>
        path.startsWith('/orders/') ? { fault: { unsigned: status } } : undefined;
      await later(86_400);
      const cancelled = await at.live.send('cancelTransaction', { params: { transactionId: id }, body: {} });
      assert.equal(cancelled.status, 503, cancelled.raw);
      await later(60);
      assert.equal((await statusOf(id))[0], 'PROCESSING');
      at.bank.fault = undefined;
      at.bank.play(reference, 'SETTLED');
      for (let i = 0; i < 3; i++) await later(900);
      assert.equal((await statusOf(id))[0], 'COMPLETED');
      assert.equal(at.bank.askedOrders('PUT').length, 1);
      assert.deepEqual(await breaks(), []);
    });
  }

  describe('a connector restored from yesterday’s backup', () => {
    let bank: FaultyConnector;
    after(() => bank.stop());

    it('connectors.md §2.8, §5.3: orders that it forgot are not sent again, it is paused, and a person decides', async () => {
      bank = await FaultyConnector.start('node', { seed: 1, clock: world.clock });
      bank.isFaulty = false;
      const about = { name: 'restored', reason: 'test' };
      const made = await at.change((tx) => addConnector(tx, { ...about, url: bank.url }));
      await bank.learn({ id: made.keyId, secret: Buffer.from(made.secret, 'base64') });
      await at.change((tx) => setRoute(tx, { ...about, number: 1, ...ANY_ORDER }));
      await rounds();
      const yesterday = await ordered();
      await rounds();
      await bank.backUp();
      const today = await ordered();
      await rounds();
      for (const { reference } of [yesterday, today]) {
        assert.equal((await bank.find(reference))?.state, 'RECEIVED');
        assert.equal(await stateOf(reference), 'RECEIVED');
      }
      await bank.restore();
      assert.equal(await bank.find(today.reference), undefined);
      for (let i = 0; i < 3; i++) await later(86_400);
      const connector = await findConnector(world.database.query, 'restored');
      assert.ok(['STORE', 'CURSOR'].includes(connector?.paused_because ?? ''), 'nobody trusts its records');
      assert.equal(await bank.find(today.reference), undefined);
      for (const { id } of [yesterday, today]) assert.equal((await statusOf(id))[0], 'PROCESSING');
      const found = await world.database.query<{ about: string }>(sql`
        select b.about from connector_breaks b join connectors c on c.id = b.connector_id
         where c.name = 'restored' and b.kind = 'LOST'`);
      assert.deepEqual(
        found.map((row) => row.about),
        [today.reference],
      );
      await at.settle(today.reference, 'fail', true);
      assert.equal((await statusOf(today.id))[0], 'FAILED');
    });

    const stateOf = async (reference: string) => {
      const [row] = await world.database.query<{ state: string }>(
        sql`select state from connector_orders where reference = ${reference}`,
      );
      return row?.state;
    };
  });
});
