import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setRoute } from '#capabilities/connectors/operator/set-route.ts';
import { createConnectorClient } from '#edge/providers/connectors/client.ts';
import { ConnectorWorker } from '#edge/providers/connectors/worker.ts';
import { sql } from '#foundation/database/sql.ts';
import { ANY_ORDER, payoutsByConnector } from '#tests/given/connected-payouts.ts';
import { EUR_ACCOUNTS, type TestConnector } from '#tests/given/connectors.ts';
import { testWorld } from '#tests/harness/harness.ts';

const [SEPA, INSTANT] = EUR_ACCOUNTS.rails;

describe('two workers, two connectors and a route for each rail', () => {
  const world = testWorld();
  const at = payoutsByConnector(world);
  const { ordered, statusOf } = at;

  const nameOf = async ({ url }: TestConnector) => {
    const [row] = await world.database.query<{ name: string }>(
      sql`select name from connectors where url = ${url}`,
    );
    return row?.name ?? '';
  };
  /** Two workers and two apps on one database, as the processes of an installation are. */
  const given = async () => {
    const { runtime } = world.app;
    const second = new ConnectorWorker({
      ...{ runtime, client: createConnectorClient(runtime) },
      onFailure: (error) => at.failures.push(error),
    });
    const both = async (seconds: number) => {
      world.clock.advance(seconds * 1_000);
      await Promise.all([at.worker.round(), second.round()]);
    };
    return { both, elsewhere: await world.elsewhere(at.live) };
  };
  /** Routes by rail: what fits neither is by hand. */
  const routed = async (...routes: [TestConnector, string | null][]) => {
    await world.database.query(sql`delete from connector_routes`);
    for (const [index, [connector, rail]] of routes.entries()) {
      const route = { name: await nameOf(connector), reason: 'test', ...ANY_ORDER, rail, number: index + 1 };
      await at.change((tx) => setRoute(tx, route));
    }
  };
  const railOf = async (reference: string) => {
    const [row] = await world.database.query<{ rail: string }>(
      sql`select rail from connector_orders where reference = ${reference} order by created_at desc limit 1`,
    );
    return row?.rail;
  };

  it('connectors.md §5.4, §8.3: with one down, what was not sent takes the other route or waits, and nothing is at both', async () => {
    const { both, elsewhere } = await given();
    const down = await at.givenConnector(900, { ...EUR_ACCOUNTS, rails: [SEPA, INSTANT] });
    const up = await at.givenConnector(901, { ...EUR_ACCOUNTS, rails: [SEPA, INSTANT] });
    await routed([down, 'SEPA'], [down, 'SEPA_INSTANT'], [up, 'SEPA'], [up, 'SEPA_INSTANT']);
    down.fault = () => ({ fault: 'cut', after: true });
    const first = await ordered();
    await both(1);
    assert.equal(down.askedOrders('PUT').length, 1);
    // Five silences: it is down, and what comes now takes the other route.
    for (let i = 0; i < 6; i++) await both(200);
    const orders = [await ordered(), await ordered(), await ordered()];
    for (let i = 0; i < 3; i++) await both(5);
    for (const { reference } of orders) assert.ok(up.orders.has(reference), String(await railOf(reference)));
    for (const { reference } of orders) up.play(reference, 'SETTLED');
    await both(6);
    for (const { id } of orders) {
      const { body } = await elsewhere.call('getTransactionById', { params: { transactionId: id } });
      assert.equal(body.status, 'COMPLETED');
    }
    assert.equal((await statusOf(first.id))[0], 'PROCESSING', 'nobody knows what became of it');
    assert.equal(up.orders.has(first.reference), false);
    // A route to the one that is down alone: it waits.
    await routed([down, 'SEPA'], [down, 'SEPA_INSTANT']);
    const waiting = await ordered();
    for (let i = 0; i < 3; i++) await both(9);
    assert.equal(down.orders.has(waiting.reference), false);
    down.fault = undefined;
    for (let i = 0; i < 4; i++) await both(900);
    for (const { reference } of [first, waiting]) down.play(reference, 'SETTLED');
    for (let i = 0; i < 2; i++) await both(6);
    for (const { id } of [first, waiting]) assert.equal((await statusOf(id))[0], 'COMPLETED');
    const atDown = [...down.orders.keys()];
    assert.deepEqual(
      atDown.filter((reference) => up.orders.has(reference)),
      [],
    );
    assert.equal(down.askedOrders('PUT').length, 2);
    assert.equal(up.askedOrders('PUT').length, 3);
  });

  it('connectors.md §8.2: each rail goes to the connector of its route', async () => {
    const { both } = await given();
    const sepa = await at.givenConnector(900, { ...EUR_ACCOUNTS, rails: [SEPA] });
    const instant = await at.givenConnector(901, { ...EUR_ACCOUNTS, rails: [INSTANT] });
    await routed([sepa, 'SEPA'], [instant, 'SEPA_INSTANT']);
    const { reference } = await ordered();
    for (let i = 0; i < 3; i++) await both(1);
    const [expected, other] = (await railOf(reference)) === 'SEPA' ? [sepa, instant] : [instant, sepa];
    assert.deepEqual([expected.orders.has(reference), other.orders.size], [true, 0]);
    expected.play(reference, 'SETTLED');
    await both(6);
  });
});
