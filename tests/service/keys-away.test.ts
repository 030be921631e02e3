// lane: whole — waits for a database that does not answer

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { HELD_MS } from '#foundation/person-keys/spare-people.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { quoteBody } from '#tests/given/quotes.ts';
import type { DatabaseProxy } from '#tests/harness/database-proxy.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { givenProxiedKeys, type ProxiedKeysOptions, SHARED_VAULT } from '#tests/harness/person-keys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { tableContents } from '#tests/harness/table-contents.ts';

describe('customers.md §2.4.26f: while the database of keys is away', () => {
  const world = testWorld();

  /** The platform, served by a process that holds no key yet. */
  async function givenColdProcess(
    context: TestContext,
    platform: TestPlatform,
    limits: ProxiedKeysOptions = {},
  ) {
    const people = await givenProxiedKeys(world.database, SHARED_VAULT, world.clock, limits);
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
      const { cold, proxy } = await givenColdProcess(context, platform, { silenceMaxMs: 1_000 });
      disturb(proxy);
      const before = await tableContents(world.database, []);
      const refused = await refusedCalls(cold, payer.id);
      assert.deepEqual(
        refused,
        refused.map(() => [503, 'SERVICE_UNAVAILABLE']),
      );
      assert.deepEqual(await tableContents(world.database, []), before);
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

  /** More calls than there are connections, each of which waits for a key that the process lacks. */
  async function startWaiting(cold: TestPlatform, proxy: DatabaseProxy, customerIds: readonly string[]) {
    let ended = 0;
    const asked = proxy.untilAsked();
    const calls = customerIds.map(async (customerId) => {
      const reply = await cold.call('getCustomerById', { params: { customerId } });
      ended += 1;
      return reply;
    });
    await asked;
    return { calls: Promise.all(calls), ended: () => ended };
  }

  it('and slow: only calls that need a key of it wait, they hold nothing, and they succeed once it answers', async (context) => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform, 10_000);
    const known = await givenCustomer(platform);
    const to = (await platform.call('listCustomerInternalAccounts', { query: { customerId: known.id } })).body
      .data[0]?.id;
    const strangers: string[] = [];
    for (let i = 0; i < 6; i++) strangers.push((await givenCustomer(platform)).id);
    const body = quoteBody({ from: payer.account('USD').id, to: String(to), send: 100 });
    const quote = await platform.call('createQuote', { body });
    assert.equal(quote.status, 201, quote.raw);
    await world.app.worker.settle(platform.id);
    const { cold, proxy } = await givenColdProcess(context, platform);
    const read = (customerId: string) => cold.call('getCustomerById', { params: { customerId } });
    assert.equal((await read(known.id)).status, 200);
    proxy.hold();
    const waiting = await startWaiting(cold, proxy, strangers);
    // Calls that need no personal value go on, and so do calls that need only a key that the process holds.
    assert.equal((await cold.call('getPlatformConfig')).status, 200);
    assert.equal((await cold.call('listPlatformInternalAccounts')).status, 200);
    assert.equal((await read(known.id)).body.fullName, PERSON.fullName);
    const executed = await cold.call('executeQuote', { params: { quoteId: quote.body.id } });
    assert.equal(executed.status, 200, executed.raw);
    await requireNoLocks(platform);
    assert.equal(waiting.ended(), 0);
    proxy.release();
    const replies = await waiting.calls;
    assert.deepEqual(
      replies.map(({ status }) => status),
      strangers.map(() => 200),
    );
  });

  it('and so slow that nobody should wait: the calls are 503 after a bounded time, and the next ones work', async (context) => {
    const platform = await givenPlatform(world);
    const strangers: string[] = [];
    for (let i = 0; i < 6; i++) strangers.push((await givenCustomer(platform)).id);
    // The database counts as alive all the time: only the limit for one caller ends the wait.
    const { cold, proxy } = await givenColdProcess(context, platform, { answerMaxMs: 500 });
    proxy.hold();
    const waiting = await startWaiting(cold, proxy, strangers);
    const created = await cold.call('createCustomer', { body: { ...PERSON } });
    assert.deepEqual(
      [...(await waiting.calls), created].map(({ status, body }) => [
        status,
        (body as { code?: string }).code,
      ]),
      [...strangers, 'created'].map(() => [503, 'SERVICE_UNAVAILABLE']),
    );
    assert.equal((await cold.call('getPlatformConfig')).status, 200);
    proxy.release();
    const read = () => cold.call('getCustomerById', { params: { customerId: strangers[0] ?? '' } });
    let shown = await read();
    while (shown.status === 503) shown = await read();
    assert.equal(shown.status, 200, shown.raw);
  });

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

  interface Given {
    readonly platform: TestPlatform;
    /** A process that holds no keys. */
    readonly cold: TestPlatform;
    readonly customer: Awaited<ReturnType<typeof givenCustomer>>;
    readonly inviter: Awaited<ReturnType<typeof givenCustomer>>;
  }

  const inTransaction = async ({ cold }: Given, steps: (tx: Tx) => Promise<unknown>) =>
    (await cold.work()).write(steps);

  /** Each arranges what it needs, and returns the change, which locks rows before it needs a key. */
  const CHANGES: Record<string, (given: Given) => Promise<() => Promise<unknown>>> = {
    'a customer is changed':
      async ({ cold, customer }) =>
      () =>
        cold.call('updateCustomerById', {
          params: { customerId: customer.id },
          body: { customerType: 'INDIVIDUAL', fullName: 'Another Name' },
        }),
    'a customer is deleted':
      async ({ cold, customer }) =>
      () =>
        cold.call('deleteCustomerById', { params: { customerId: customer.id } }),
    'an invitation is accepted': async ({ platform, cold, customer, inviter }) => {
      const made = await platform.call('createInvitation', { body: { inviterUma: inviter.umaAddress } });
      assert.equal(made.status, 201, made.raw);
      const body = { inviteeUma: customer.umaAddress };
      return () => cold.call('claimInvitation', { params: { invitationCode: made.body.code }, body });
    },
    'a customer is erased': async (given) => {
      const { platform, customer } = given;
      const gone = await platform.call('deleteCustomerById', { params: { customerId: customer.id } });
      assert.equal(gone.status, 200, gone.raw);
      return () => inTransaction(given, (tx) => eraseCustomer(tx, uuidOf<'Customer'>(customer.id)));
    },
    'several customers are opened in one transaction': async (given) => () =>
      inTransaction(given, async (tx) => {
        const rows = await tx.sql<{ person: Buffer }>`
          select person from customers where platform_id = ${tx.platformId} for no key update`;
        await tx.runtime.personKeys.loadFor(rows.map(({ person }) => person));
      }),
    'keys are made sure of in a transaction': async (given) => () =>
      inTransaction(given, async (tx) => {
        await tx.sql`select from customers where platform_id = ${tx.platformId} for no key update`;
        await tx.runtime.personKeys.ensure(tx.platformId, [uuidOf(given.customer.id)]);
      }),
  };

  /** Fails if any row of these tables is locked at the moment. */
  async function requireNoLocks(platform: TestPlatform): Promise<void> {
    for (const table of ['customers', 'invitations', 'internal_accounts']) {
      await world.database.query(sql`
        select from ${rawSql(table)} where platform_id = ${platform.id} for update nowait`);
    }
  }

  for (const [what, arrange] of Object.entries(CHANGES)) {
    it(`decision 0039: ${what}: no transaction waits for the keys, and no row stays locked`, async (context) => {
      const platform = await givenPlatform(world);
      const [customer, inviter] = [await givenCustomer(platform), await givenCustomer(platform)];
      await world.app.worker.settle(platform.id);
      const { cold, proxy } = await givenColdProcess(context, platform);
      const change = await arrange({ platform, cold, customer, inviter });
      proxy.fallSilent();
      const asked = proxy.untilAsked().then(() => 'asked');
      const ended = change().then(
        () => 'ended',
        () => 'ended',
      );
      assert.equal(await Promise.race([asked, ended]), 'asked');
      await requireNoLocks(platform);
      proxy.refuse();
      await ended;
      proxy.recover();
    });
  }
});
