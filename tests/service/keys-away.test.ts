// lane: whole — waits for a database that does not answer

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { HELD_MS } from '#foundation/person-keys/spare-people.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { quoteBody } from '#tests/given/quotes.ts';
import type { DatabaseProxy } from '#tests/harness/database-proxy.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { givenProxiedKeys, SHARED_VAULT } from '#tests/harness/person-keys.ts';
import { tableContents } from '#tests/harness/table-contents.ts';

describe('customers.md §2.4.26f: while the database of keys is away', () => {
  const world = testWorld();

  /** The platform, served by a process that holds no key yet. */
  async function givenColdProcess(context: TestContext, platform: TestPlatform, silenceMaxMs = 60_000) {
    const people = await givenProxiedKeys(world.database, SHARED_VAULT, world.clock, { silenceMaxMs });
    context.after(() => people.close());
    return { cold: await world.elsewhere(platform, people), proxy: people.proxy };
  }

  async function refusedCalls(platform: TestPlatform, customerId: string) {
    const params = { customerId };
    return [
      await platform.call('getCustomerById', { params }),
      await platform.call('listCustomers'),
      await platform.call('updateCustomerById', { params, body: { fullName: 'Another Name' } }),
      await platform.call('createCustomer', { body: { ...PERSON } }),
    ].map(({ status, body }) => [status, (body as { code?: string }).code]);
  }

  const AWAY: Record<string, (proxy: DatabaseProxy) => void> = {
    'and refuses connections': (proxy) => proxy.refuse(),
    'and does not answer': (proxy) => proxy.fallSilent(),
  };
  for (const [how, disturb] of Object.entries(AWAY)) {
    it(`${how}: calls without a personal value work, the others are 503 and leave nothing half done`, async (context) => {
      const platform = await givenPlatform(world);
      const [payer, payee] = [await givenPayer(platform, 10_000), await givenCustomer(platform)];
      const to = (await platform.call('listCustomerInternalAccounts', { query: { customerId: payee.id } }))
        .body.data[0]?.id;
      const body = quoteBody({ from: payer.account('USD').id, to: String(to), send: 100 });
      const quote = await platform.call('createQuote', { body });
      assert.equal(quote.status, 201, quote.raw);
      await world.app.worker.settle(platform.id);
      const { cold, proxy } = await givenColdProcess(context, platform, 1_000);
      disturb(proxy);
      // Another process may record the key of the month meanwhile.
      const besides = ['keyed_people'];
      const before = await tableContents(world.database, besides);
      const refused = await refusedCalls(cold, payer.id);
      assert.deepEqual(
        refused,
        refused.map(() => [503, 'SERVICE_UNAVAILABLE']),
      );
      assert.deepEqual(await tableContents(world.database, besides), before);
      assert.equal((await cold.call('getPlatformConfig')).status, 200);
      assert.equal((await cold.call('listPlatformInternalAccounts')).status, 200);
      const executed = await cold.call('executeQuote', { params: { quoteId: quote.body.id } });
      assert.equal(executed.status, 200, executed.raw);
      proxy.recover();
      // A server that was silent is asked again a moment later.
      const read = () => cold.call('getCustomerById', { params: { customerId: payer.id } });
      let shown = await read();
      while (shown.status === 503) shown = await read();
      assert.equal(shown.status, 200, shown.raw);
    });
  }

  it('calls about customers whose keys the process holds work for five minutes', async (context) => {
    const platform = await givenPlatform(world);
    const { id: customerId } = await givenCustomer(platform);
    const { cold, proxy } = await givenColdProcess(context, platform);
    const read = () => cold.call('getCustomerById', { params: { customerId } });
    assert.equal((await read()).status, 200);
    proxy.refuse();
    assert.equal((await read()).body.fullName, PERSON.fullName);
    world.clock.advance(HELD_MS);
    assert.equal((await read()).status, 503);
    proxy.recover();
    assert.equal((await read()).status, 200);
  });
});
