// lane: whole — many cases, each with a payment of its own

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resumeConnector } from '#capabilities/connectors/registry.ts';
import { findConnector } from '#capabilities/connectors/registry-store.ts';
import { createConnectorClient } from '#edge/providers/connectors/client.ts';
import { ConnectorWorker } from '#edge/providers/connectors/worker.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { payoutsByConnector } from '#tests/given/connected-payouts.ts';
import type { Fault } from '#tests/given/connectors.ts';
import { postedKinds } from '#tests/given/payments.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('payouts through a connector', () => {
  const world = testWorld();
  const at = payoutsByConnector(world);
  const { givenConnector, change, ordered, statusOf, later, rounds, breaks } = at;

  it('connectors.md §4.1, §4.6: an order is sent once, and its end comes as an event', async () => {
    const { id, reference } = await ordered();
    await rounds();
    const [put, ...more] = at.bank.askedOrders('PUT');
    assert.deepEqual(more, []);
    const body = JSON.parse(put?.body ?? '{}');
    assert.deepEqual(
      [put?.path, body.kind, body.currency, body.settlementAccount, body.platform, body.originator.type],
      [`/orders/${reference}`, 'PAYOUT', 'EUR', 'main', at.live.id.replace(/^/, 'Platform:'), 'PLATFORM'],
    );
    assert.equal(body.beneficiary.fields.iban, 'DE35370400440532013002');
    at.bank.play(reference, 'SENT');
    at.bank.play(reference, 'SETTLED', { transactionHash: '0xabc' });
    await later(6);
    assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, undefined]);
    const accounts = await world.database.query<{ account: string }>(sql`
      select distinct account from ledger_rollups where account like ${`RAIL:%:${at.name}.main:EUR`}
      union select distinct unnest(accounts) from ledger_entries where ${`%${at.name}.main%`} <> ''
        and exists (select from unnest(accounts) a where a like ${`RAIL:%:${at.name}.main:EUR`})`);
    assert.ok(accounts.some(({ account }) => account.endsWith(`:${at.name}.main:EUR`)));
    assert.deepEqual(await breaks(), []);
  });

  it('connectors.md §4.6, §4.11: a payout that the bank returns is refunded', async () => {
    const { id, reference } = await ordered();
    await rounds();
    at.bank.play(reference, 'SETTLED');
    at.bank.play(reference, 'RETURNED');
    await later(6);
    await later(6);
    assert.deepEqual((await statusOf(id)).slice(0, 2), ['FAILED', 'PAYOUT_RETURNED']);
    await world.app.worker.settle(at.live.id);
    assert.deepEqual(await statusOf(id), ['FAILED', 'PAYOUT_RETURNED', 'COMPLETED']);
  });

  for (const [reason, shown] of [
    ['ACCOUNT_INVALID', 'ACCOUNT_INVALID'],
    ['the moon is full', 'QUOTE_EXECUTION_FAILED'],
  ] as const) {
    it(`connectors.md §4.11: the reason "${reason}" of a failed payout is ${shown}`, async () => {
      const { id, reference } = await ordered();
      await rounds();
      at.bank.play(reference, 'FAILED', { reason });
      await later(6);
      assert.deepEqual((await statusOf(id)).slice(0, 2), ['FAILED', shown]);
    });
  }

  /** Every answer of connectors.md §5.1 that is silence, to the first PUT: the order may have been carried out or not. */
  const SILENCES: readonly [string, Fault][] = [
    ['no answer', 'cut'],
    ['a proxy’s 404', { unsigned: 404 }],
    ['a proxy’s 409', { unsigned: 409 }],
    ['a proxy’s 200', { unsigned: 200 }],
    ['a proxy’s 400', { unsigned: 400 }],
    ['a signed 500', { signed: 500 }],
    ['a signed 200 without a state', { signed: 200, body: { reference: 'x' } }],
    ['a signed 200 with an unknown state', { signed: 200, body: { state: 'LOST' } }],
    ['a signed 404', { signed: 404 }],
  ];
  for (const [what, fault] of SILENCES) {
    for (const isCarriedOut of [true, false]) {
      const how = isCarriedOut ? 'after it was recorded' : 'before it was recorded';
      it(`connectors.md §5.1, §5.2: ${what} to a PUT, ${how}, is silence: it is asked for, and paid once`, async () => {
        let puts = 0;
        at.bank.fault = ({ method }) =>
          method === 'PUT' && ++puts === 1 ? { fault, after: isCarriedOut } : undefined;
        const { id, reference } = await ordered();
        await rounds();
        assert.deepEqual(await statusOf(id), ['PROCESSING', undefined, undefined]);
        assert.equal(at.bank.askedOrders('GET').length, 0);
        await later(5);
        await rounds();
        assert.equal(at.bank.askedOrders('GET').length, 1);
        assert.equal(at.bank.askedOrders('PUT').length, isCarriedOut ? 1 : 2);
        at.bank.play(reference, 'SETTLED');
        await later(6);
        assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, undefined]);
        const bodies = new Set(at.bank.askedOrders('PUT').map(({ body }) => body));
        assert.equal(bodies.size, 1, 'every repetition sends the same bytes');
      });
    }
  }

  it('connectors.md §5.2: silence is asked about after 5, 10, 20 … 900 seconds, without end, and nothing fails', async () => {
    at.bank.fault = ({ path }) => (path.startsWith('/orders/') ? { fault: 'cut' } : undefined);
    const { id } = await ordered();
    await rounds();
    for (const seconds of [5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900]) {
      const before = at.bank.askedOrders('GET').length;
      await later(seconds - 1);
      assert.equal(at.bank.askedOrders('GET').length, before, `asked before ${seconds} s`);
      await later(1);
      assert.equal(at.bank.askedOrders('GET').length, before + 1, `not asked after ${seconds} s`);
    }
    assert.deepEqual(await statusOf(id), ['PROCESSING', undefined, undefined]);
    assert.equal(at.bank.askedOrders('PUT').length, 1);
  });

  it('connectors.md §5.1: a signed 409 fails nothing and sends nothing again; it is a break', async () => {
    at.bank.fault = ({ method }) => (method === 'PUT' ? { fault: { signed: 409 } } : undefined);
    const { id, reference } = await ordered();
    await rounds();
    await later(1_000);
    assert.deepEqual(await statusOf(id), ['PROCESSING', undefined, undefined]);
    assert.equal(at.bank.askedOrders('PUT').length, 1);
    assert.deepEqual(await breaks(), ['CONTRADICTION']);
    await at.settle(reference, 'settle', true);
    const [order] = await world.database.query<{ status: string }>(
      sql`select status from connector_orders where reference = ${reference}`,
    );
    assert.equal(order?.status, 'ENDED', 'a person has settled it, and nothing else ends it');
  });

  it('connectors.md §5.1: 429 and 503 are sent again after Retry-After', async () => {
    let puts = 0;
    at.bank.fault = ({ method }) =>
      method === 'PUT' && ++puts <= 2 ? { fault: { signed: puts === 1 ? 429 : 503 } } : undefined;
    const { reference } = await ordered();
    await rounds();
    await later(29);
    assert.equal(puts, 1);
    await later(1);
    assert.equal(puts, 2);
    await later(30);
    assert.deepEqual([puts, at.bank.orders.get(reference)?.state], [3, 'RECEIVED']);
  });

  it('connectors.md §5.4: after a signed 400 the order is cancelled, and then takes the other route', async () => {
    const other = await givenConnector(20);
    at.bank.fault = ({ method }) => (method === 'PUT' ? { fault: { signed: 400 } } : undefined);
    const { id, reference } = await ordered();
    await rounds(6);
    assert.equal(at.bank.orders.get(reference)?.state, 'CANCELLED');
    assert.equal(other.orders.get(reference)?.state, 'RECEIVED');
    const { amount } = other.orders.get(reference)?.body ?? {};
    at.bank.play(reference, 'SETTLED', { amount, currency: 'EUR' });
    other.play(reference, 'SETTLED');
    await later(6);
    assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, undefined]);
    assert.deepEqual(await breaks(), ['CONTRADICTION'], 'the first connector reports what is not its own');
  });

  it('connectors.md §5.4: after a signed 400 without another route the payment fails, once it is cancelled', async () => {
    let isAnswering = false;
    at.bank.fault = ({ method }) => {
      if (method === 'PUT') return { fault: { signed: 400 } };
      return method === 'POST' && !isAnswering ? { fault: 'cut', after: true } : undefined;
    };
    const { id } = await ordered();
    await rounds(4);
    assert.deepEqual(
      await statusOf(id),
      ['PROCESSING', undefined, undefined],
      'it is not known to be cancelled',
    );
    isAnswering = true;
    await later(6);
    await rounds(3);
    assert.deepEqual((await statusOf(id)).slice(0, 2), ['FAILED', 'QUOTE_EXECUTION_FAILED']);
  });

  it('connectors.md §5.4: ten minutes of 503 move the order to another route; without one it keeps waiting', async () => {
    at.bank.fault = ({ method }) => (method === 'PUT' ? { fault: { signed: 503 } } : undefined);
    const { reference } = await ordered();
    for (let minute = 0; minute < 12; minute++) await later(60);
    assert.equal(at.bank.orders.has(reference), false, 'nothing is cancelled without another route');
    const other = await givenConnector(20);
    await later(60);
    await rounds(5);
    assert.deepEqual(
      [at.bank.orders.get(reference)?.state, other.orders.get(reference)?.state],
      ['CANCELLED', 'RECEIVED'],
    );
  });

  it('connectors.md §2.8: another store pauses the connector; what it answers counts for nothing until it resumes', async () => {
    const { id, reference } = await ordered();
    await rounds();
    at.bank.play(reference, 'SETTLED');
    at.bank.store = 'store-2';
    await later(6);
    const paused = await findConnector(world.database.query, at.name);
    assert.equal(paused?.paused_because, 'STORE');
    assert.deepEqual(await statusOf(id), ['PROCESSING', undefined, undefined]);
    await assert.rejects(
      change((tx) => resumeConnector(tx, { name: at.name, reason: 'test' })),
      /another store/,
    );
    await change((tx) => resumeConnector(tx, { name: at.name, reason: 'test', newStore: true }));
    await later(20);
    await later(20);
    assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, undefined]);
  });

  it('connectors.md §5.1, §5.3: an acknowledged order that the connector forgot is never sent again', async () => {
    const { reference } = await ordered();
    await rounds();
    at.bank.orders.delete(reference);
    await world.database.query(sql`
      update connector_orders set call = 'GET', call_at = '2026-01-01Z' where reference = ${reference}`);
    await rounds();
    assert.equal((await findConnector(world.database.query, at.name))?.paused_because, 'STORE');
    assert.equal(at.bank.askedOrders('PUT').length, 1);
  });

  it('connectors.md §4.8, §4.12: another amount is a break, and nothing is applied', async () => {
    const { id, reference } = await ordered();
    await rounds();
    at.bank.play(reference, 'SETTLED', { amount: '1' });
    await later(6);
    assert.deepEqual(await statusOf(id), ['PROCESSING', undefined, undefined]);
    assert.deepEqual(await breaks(), ['AMOUNT_DIFFERS']);
  });

  it('connectors.md §6.5: an event after an end, and one about an unknown order, post nothing and are breaks', async () => {
    const { id, reference } = await ordered();
    await rounds();
    at.bank.play(reference, 'FAILED');
    at.bank.play(reference, 'SETTLED');
    const time = new Date(world.clock.now()).toISOString();
    at.bank.list({
      id: 'e-1',
      type: 'ORDER',
      at: time,
      reference: newUuid(),
      state: 'SETTLED',
      amount: '5',
      currency: 'EUR',
    });
    await later(6);
    await later(6);
    assert.equal((await statusOf(id))[0], 'FAILED');
    assert.deepEqual(await breaks(), ['CONTRADICTION', 'CONTRADICTION']);
  });

  it('connectors.md §6.3: an event that is listed twice counts once; with other content it is a break', async () => {
    const { reference } = await ordered();
    await rounds();
    const { amount } = at.bank.orders.get(reference)?.body ?? {};
    const time = new Date(world.clock.now()).toISOString();
    const event = { id: 'e-2', type: 'ORDER', at: time, reference, state: 'SENT', amount, currency: 'EUR' };
    at.bank.list(event);
    at.bank.list({ ...event });
    await later(6);
    assert.deepEqual(await breaks(), []);
    at.bank.list({ ...event, state: 'SETTLED' });
    await later(6);
    assert.deepEqual(await breaks(), ['DUPLICATE']);
  });

  it('connectors.md §8.2, §8.3: the lowest route that is up wins; where all that fit are down the order waits', async () => {
    const other = await givenConnector(20);
    await world.database.query(sql`update connectors set down_since = now() where name = ${at.name}`);
    const first = await ordered();
    await rounds();
    assert.deepEqual([at.bank.orders.size, other.orders.size], [0, 1]);
    await world.database.query(
      sql`update connectors set paused_because = 'OPERATOR', paused_at = now() where removed_at is null`,
    );
    const second = await ordered();
    await rounds();
    assert.deepEqual([at.bank.orders.size, other.orders.size], [0, 1], 'neither was asked');
    await world.database.query(
      sql`update connectors set paused_because = null, paused_at = null, down_since = null`,
    );
    await later(10);
    await rounds();
    assert.deepEqual(
      [at.bank.orders.has(second.reference), at.bank.orders.has(first.reference)],
      [true, false],
    );
  });

  it('connectors.md §8.3: where no connector fits, the payment is by hand', async () => {
    await world.database.query(sql`update connector_routes set currency = 'GBP'`);
    const { id, reference } = await ordered();
    await rounds();
    assert.equal(at.bank.askedOrders('PUT').length, 0);
    const [order] = await world.database.query<{ status: string }>(sql`
      select status from connector_orders where reference = ${reference}`);
    assert.deepEqual([order?.status, (await statusOf(id))[0]], ['BY_HAND', 'PROCESSING']);
  });

  it('connectors.md §7.7: after five silences the connector is down, and gets one call every ten seconds', async () => {
    at.bank.fault = () => ({ fault: 'cut' });
    for (let i = 0; i < 6; i++) await later(10);
    const row = await findConnector(world.database.query, at.name);
    assert.ok(row?.down_since);
    at.bank.fault = undefined;
    await later(10);
    await later(10);
    assert.equal((await findConnector(world.database.query, at.name))?.down_since, null);
  });

  it('connectors.md §5.5, §5.6: the platform cancels what was not sent to the bank', async () => {
    const { id, reference } = await ordered();
    await rounds();
    const reply = await at.live.call('cancelTransaction', { params: { transactionId: id }, body: {} });
    assert.equal(reply.status, 200, reply.raw);
    assert.equal(at.bank.orders.get(reference)?.state, 'CANCELLED');
    await world.app.worker.settle(at.live.id);
    assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, 'COMPLETED']);
  });

  it('connectors.md §5.5: the platform cannot cancel what the bank has', async () => {
    const { id, reference } = await ordered();
    await rounds();
    at.bank.play(reference, 'SENT');
    const reply = await at.live.send('cancelTransaction', { params: { transactionId: id }, body: {} });
    assert.deepEqual([reply.status, reply.body.code], [409, 'TRANSACTION_NOT_CANCELLABLE']);
    assert.deepEqual(await statusOf(id), ['PROCESSING', undefined, undefined]);
  });

  it('connectors.md §5.5: a settlement in the answer to a cancellation reaches the payment', async () => {
    const { id, reference } = await ordered();
    await rounds();
    at.bank.play(reference, 'SETTLED');
    const reply = await at.live.send('cancelTransaction', { params: { transactionId: id }, body: {} });
    assert.equal(reply.status, 409, reply.raw);
    assert.equal((await statusOf(id))[0], 'COMPLETED');
  });

  it('connectors.md §5.6: silence to a cancel is 503; the worker goes on asking, and a CANCELLED that comes counts', async () => {
    const { id } = await ordered();
    await rounds();
    at.bank.fault = ({ method }) => (method === 'POST' ? { fault: 'cut' } : undefined);
    const reply = await at.live.send('cancelTransaction', { params: { transactionId: id }, body: {} });
    assert.deepEqual([reply.status, reply.body.code], [503, 'SERVICE_UNAVAILABLE']);
    at.bank.fault = undefined;
    await later(16);
    await later(16);
    await world.app.worker.settle(at.live.id);
    assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, 'COMPLETED']);
  });

  it('connectors.md §5.5: an order that no connector has heard of is cancelled without asking', async () => {
    const { id, reference } = await ordered();
    const reply = await at.live.call('cancelTransaction', { params: { transactionId: id }, body: {} });
    assert.equal(reply.status, 200, reply.raw);
    await rounds();
    assert.equal(at.bank.orders.has(reference), false);
    assert.ok((await postedKinds(at.live, id)).includes('L10'));
  });

  it('connectors.md §5.7: what is open at a connector is not settled by hand, unless the operator insists', async () => {
    const { id, reference } = await ordered();
    await rounds();
    await assert.rejects(at.settle(reference, 'settle', false), /open at a connector/);
    await at.settle(reference, 'settle', true);
    assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, undefined]);
    at.bank.play(reference, 'FAILED');
    await later(6);
    assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, undefined]);
    assert.deepEqual(await breaks(), ['CONTRADICTION'], 'the connector says otherwise');
  });

  it('connectors.md §4.1, §7.7: two workers at once send each order once, within the limits', async () => {
    await world.database.query(sql`
      update connectors set capabilities = capabilities || '{"inFlightMax":2,"ordersPerSecond":3}' where name = ${at.name}`);
    const { runtime } = world.app;
    const second = new ConnectorWorker({
      ...{ runtime, client: createConnectorClient(runtime) },
      onFailure: (error) => at.failures.push(error),
    });
    let inFlight = 0;
    let most = 0;
    at.bank.fault = ({ method }) => {
      if (method !== 'PUT') return undefined;
      inFlight++;
      most = Math.max(most, inFlight);
      setImmediate(() => inFlight--);
      return undefined;
    };
    const made = [];
    for (let i = 0; i < 8; i++) made.push(await ordered());
    let sent = 0;
    for (let second1 = 0; second1 < 12; second1++) {
      world.clock.advance(1_000);
      await Promise.all([at.worker.round(), second.round()]);
      const now = at.bank.askedOrders('PUT').length;
      assert.ok(now - sent <= 3, `${now - sent} orders in one second`);
      sent = now;
    }
    assert.ok(most <= 2, `${most} calls at once`);
    const paths = at.bank.askedOrders('PUT').map(({ path }) => path);
    assert.deepEqual(paths.toSorted(), made.map(({ reference }) => `/orders/${reference}`).toSorted());
  });

  it('connectors.md §4.1: an order whose worker died after it was claimed is asked about, and sent once', async () => {
    for (const isCarriedOut of [true, false]) {
      const { id, reference } = await ordered();
      // The worker claims the call; then its process dies, before or after the bytes have left.
      at.bank.fault = ({ method }) => (method === 'PUT' ? { fault: 'cut', after: isCarriedOut } : undefined);
      await rounds(1);
      await world.database.query(sql`
        update connector_orders set silences = 0, call_at = created_at, caller = gen_random_uuid(),
               caller_until = ${new Date(world.clock.now() + 60_000)} where reference = ${reference}`);
      at.bank.fault = undefined;
      await later(59);
      assert.equal(at.bank.orders.has(reference), isCarriedOut, 'its lease still stands');
      await later(2);
      await rounds();
      assert.equal(at.bank.orders.get(reference)?.state, 'RECEIVED');
      at.bank.play(reference, 'SETTLED');
      await later(6);
      assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, undefined]);
    }
  });
});
