// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { searchCustomers } from '#capabilities/customers/lifecycle/list-store.ts';
import type { CustomerQuery } from '#capabilities/customers/schemas.ts';
import { pageStatement } from '#foundation/http/paging.ts';
import { BUSINESS, EUROPEAN, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('getting and listing customers', () => {
  const world = testWorld();

  async function listIds(
    platform: TestPlatform,
    query: Record<string, string | boolean> = {},
  ): Promise<string[]> {
    const reply = await platform.call('listCustomers', { query });
    assert.equal(reply.status, 200, reply.raw);
    assert.equal(reply.body.totalCount, reply.body.data.length);
    return reply.body.data.map((customer: { id: string }) => customer.id);
  }

  it('customers.md §2.2.18: a customer is found by its id, full or bare, deleted or not', async () => {
    const platform = await world.platform();
    const { id, ...rest } = await givenCustomer(platform);
    const uuid = uuidOf(id);
    for (const customerId of [id, uuid]) {
      const got = await platform.call('getCustomerById', { params: { customerId } });
      assert.deepEqual(got.body, { id, ...rest });
    }
    assert.equal((await platform.call('deleteCustomerById', { params: { customerId: id } })).status, 200);
    const gone = await platform.call('getCustomerById', { params: { customerId: id } });
    assert.equal(gone.status, 200);
    assert.equal(gone.body.isDeleted, true);
  });

  it("customers.md §1.1: unknown, malformed, another platform's and the other environment's ids are the same 404", async () => {
    const platform = await world.platform();
    const foreign = await givenCustomer(await world.platform());
    const live = await givenCustomer(await world.platform({ environment: 'PRODUCTION' }));
    const own = await givenCustomer(platform);
    const ids = [foreign.id, live.id, 'nonsense', own.platformCustomerId];
    const replies = await Promise.all(
      ids.map((customerId) => platform.call('getCustomerById', { params: { customerId } })),
    );
    for (const reply of replies) {
      assert.equal(reply.status, 404);
      assert.equal(reply.raw, replies[0]?.raw);
      assert.equal(reply.body.code, 'CUSTOMER_NOT_FOUND');
    }
  });

  it('customers.md §2.2.19: filters work alone and together', async () => {
    const platform = await world.platform();
    const person = await givenCustomer(platform, { ...PERSON, platformCustomerId: 'a', currencies: ['USD'] });
    world.clock.advance(1000);
    const business = await givenCustomer(platform, { ...BUSINESS, umaAddress: '$shop@uma.corridor.test' });
    world.clock.advance(1000);
    const european = await givenCustomer(platform, { ...EUROPEAN, currencies: ['USDC'] });
    const [p, b, e] = [person.id, business.id, european.id];
    assert.deepEqual(await listIds(platform), [e, b, p]);
    assert.deepEqual(await listIds(platform, { platformCustomerId: 'a' }), [p]);
    assert.deepEqual(await listIds(platform, { platformCustomerId: 'A' }), []);
    assert.deepEqual(await listIds(platform, { customerType: 'INDIVIDUAL' }), [e, p]);
    assert.deepEqual(await listIds(platform, { region: 'DE' }), [e]);
    assert.deepEqual(await listIds(platform, { currency: 'USD' }), [b, p]);
    assert.deepEqual(await listIds(platform, { currency: 'USDC' }), [e, b]);
    assert.deepEqual(await listIds(platform, { umaAddress: '$SHOP@uma.corridor.test' }), [b]);
    assert.deepEqual(await listIds(platform, { customerType: 'INDIVIDUAL', currency: 'USD', region: 'US' }), [
      p,
    ]);
    assert.deepEqual(await listIds(platform, { customerType: 'BUSINESS', region: 'DE' }), []);
  });

  it('customers.md §2.2.19: a whole e-mail address in any case finds its customers, with the other filters too', async () => {
    const platform = await world.platform();
    const email = 'Ada.Listed@example.com';
    const older = await givenCustomer(platform, { ...PERSON, platformCustomerId: 'b', email });
    world.clock.advance(1000);
    const newer = await givenCustomer(platform, { ...PERSON, email: email.toLowerCase() });
    assert.deepEqual(await listIds(platform, { email: email.toUpperCase() }), [newer.id, older.id]);
    assert.deepEqual(await listIds(platform, { email, platformCustomerId: 'b', currency: 'USD' }), [
      older.id,
    ]);
    assert.deepEqual(await listIds(platform, { email: 'ada.listed' }), []);
    assert.deepEqual(await listIds(await world.platform(), { email }), []);
  });

  it('customers.md §2.2.19: the four time bounds are inclusive', async () => {
    const platform = await world.platform();
    const first = await givenCustomer(platform);
    world.clock.advance(60_000);
    const second = await givenCustomer(platform, BUSINESS);
    world.clock.advance(60_000);
    const body = { customerType: 'INDIVIDUAL', fullName: 'Ada King' };
    const changed = await platform.call('updateCustomerById', { params: { customerId: first.id }, body });
    const [a, b] = [first.id, second.id];
    assert.deepEqual(await listIds(platform, { createdAfter: second.createdAt }), [b]);
    assert.deepEqual(await listIds(platform, { createdBefore: first.createdAt }), [a]);
    assert.deepEqual(await listIds(platform, { updatedAfter: changed.body.updatedAt }), [a]);
    assert.deepEqual(await listIds(platform, { updatedBefore: second.updatedAt }), [b]);
    const later = new Date(Date.parse(second.createdAt) + 1).toISOString();
    assert.deepEqual(await listIds(platform, { createdAfter: later }), []);
    const offset = second.createdAt.replace('Z', '+00:00');
    assert.deepEqual(await listIds(platform, { createdAfter: offset, createdBefore: offset }), [b]);
  });

  it('customers.md §2.2.19: deleted customers are listed only on request, with every filter', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform, { ...PERSON, platformCustomerId: 'x' });
    await platform.call('deleteCustomerById', { params: { customerId: id } });
    const again = await givenCustomer(platform, { ...PERSON, platformCustomerId: 'x' });
    assert.deepEqual(await listIds(platform), [again.id]);
    assert.deepEqual(await listIds(platform, { isIncludingDeleted: false }), [again.id]);
    for (const filter of [{}, { platformCustomerId: 'x' }, { currency: 'USD' }, { region: 'US' }]) {
      assert.deepEqual(await listIds(platform, { ...filter, isIncludingDeleted: true }), [again.id, id]);
      assert.deepEqual(await listIds(platform, filter), [again.id]);
    }
  });

  it('customers.md §2.2.19: an invalid timestamp, enum, boolean, limit or cursor and crossed bounds are 400', async () => {
    const platform = await world.platform();
    const bad: Record<string, string>[] = [
      { createdAfter: 'yesterday' },
      { updatedBefore: '2026-13-01T00:00:00Z' },
      { customerType: 'ROBOT' },
      { isIncludingDeleted: 'maybe' },
      { limit: '0' },
      { limit: '101' },
      { cursor: 'garbage' },
      { createdAfter: '2026-02-02T00:00:00Z', createdBefore: '2026-01-01T00:00:00Z' },
    ];
    for (const query of bad) {
      const reply = await platform.call('listCustomers', { query });
      assert.equal(reply.status, 400, JSON.stringify(query));
      assert.equal(reply.body.code, 'INVALID_INPUT');
    }
    assert.equal(
      (await platform.call('listCustomers', { query: { createdAfter: '0000-01-01T00:00:00Z' } })).status,
      200,
    );
  });

  it('customers.md §1.4: pages are newest first and stable while customers are added, also with a filter', async () => {
    const platform = await world.platform();
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.unshift((await givenCustomer(platform, i % 2 ? BUSINESS : PERSON)).id);
    for (const filter of [{}, { currency: 'USD' }, { region: 'US' }]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const query = { ...filter, limit: 3, ...(cursor !== undefined && { cursor }) };
        const { body } = await platform.call('listCustomers', { query });
        assert.equal(body.hasMore, body.nextCursor !== undefined);
        seen.push(...body.data.map((customer: { id: string }) => customer.id));
        cursor = body.nextCursor;
        await givenCustomer(platform, { customerType: 'INDIVIDUAL', currencies: ['USD'] });
      } while (cursor);
      assert.deepEqual(
        seen.filter((id) => ids.includes(id)),
        ids,
      );
      assert.equal(new Set(seen).size, seen.length);
    }
  });

  it('customers.md §1.4: a cursor works only with its own filters, and each platform has its own list', async () => {
    const [platform, other] = [await world.platform(), await world.platform()];
    for (const who of [platform, other]) for (let i = 0; i < 2; i++) await givenCustomer(who);
    const { body } = await platform.call('listCustomers', { query: { limit: 1 } });
    for (const reply of [
      await platform.call('listCustomers', { query: { limit: 1, region: 'US', cursor: body.nextCursor } }),
      await other.call('listCustomers', { query: { limit: 1, cursor: body.nextCursor } }),
    ]) {
      assert.equal(reply.status, 400);
    }
    assert.equal((await listIds(other)).length, 2);
  });

  it('every single filter uses an index in the order of the list', async () => {
    const platform = await world.platform();
    const work = await platform.work();
    await work.write(async (tx) => {
      await tx.sql`
        insert into customers (platform_id, id, environment, customer_type, platform_customer_id, uma_address, status,
          region, currencies, email, created_at, updated_at)
        select ${tx.platformId}, gen_random_uuid(), 'SANDBOX', case when n % 2 = 0 then 'INDIVIDUAL' else 'BUSINESS' end,
               'p' || n, '$p' || n || '@plan.test', 'UNVERIFIED', case when n % 10 = 0 then 'DE' else 'US' end,
               '{USD}', 'p' || n || '@plan.test', ${tx.now}::timestamptz + n * interval '1 second', ${tx.now}::timestamptz
          from generate_series(1, 3000) n`;
      await tx.sql`
        insert into customer_currencies (platform_id, currency, created_at, customer_id)
        select platform_id, 'USD', created_at, id from customers where platform_id = ${tx.platformId}`;
      await tx.sql`analyze customers`;
      await tx.sql`analyze customer_currencies`;
    });
    const FAR_AHEAD = '2100-01-01T00:00:00Z';
    const filters: [CustomerQuery, RegExp][] = [
      [{}, /customers_live/],
      [{ isIncludingDeleted: true }, /customers_newest/],
      [{ customerType: 'BUSINESS' }, /customers_by_type/],
      [{ region: 'DE' }, /customers_by_region/],
      [{ currency: 'USD' }, /customer_currencies_newest/],
      [{ createdBefore: '2026-03-02T12:00:00Z' }, /customers_live/],
      [{ updatedAfter: '2000-01-01T00:00:00Z' }, /customers_live/],
      [{ updatedAfter: FAR_AHEAD }, /customers_by_update/],
      [{ platformCustomerId: 'p77' }, /customers_(by_reference|platform_customer_id)/],
      [{ email: 'P77@plan.test' }, /customers_by_email/],
      [{ umaAddress: '$p77@plan.test' }, /customers_(by_uma_address|uma_address)/],
    ];
    for (const [query, index] of filters) {
      const plan = await work.read(async (tx) => {
        const statement = pageStatement(await searchCustomers(tx, query), [], 21);
        const rows = await tx.sql<{ 'QUERY PLAN': string }>`explain (costs off) ${statement}`;
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      assert.match(plan, index, `${JSON.stringify(query)}\n${plan}`);
      const isFew =
        'platformCustomerId' in query ||
        'umaAddress' in query ||
        'email' in query ||
        query.updatedAfter === FAR_AHEAD;
      assert.doesNotMatch(plan, isFew ? /Seq Scan/ : /Sort|Seq Scan/, plan);
    }
  });
});
