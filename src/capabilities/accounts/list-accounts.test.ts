import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { newUuid } from '#foundation/lib/ids.ts';
import { type AccountReply, platformAccounts, supports } from '#tests/given/accounts.ts';
import { fieldsOf, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { type Call, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('listing the accounts of customers', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let customers: string[];
  let newestFirst: AccountReply[];

  before(async () => {
    platform = await world.platform();
    await supports(platform, ['USD', 'USDC', 'EUR']);
    customers = [];
    for (const currencies of [['USD', 'USDC'], ['EUR'], ['USD', 'EUR', 'USDC'], ['USD']]) {
      customers.push((await givenCustomer(platform, { ...PERSON, currencies })).id);
      world.clock.advance(1000);
    }
    newestFirst = (await list({ limit: 100 })).data;
  });

  async function list(
    query: NonNullable<Call['query']> = {},
    operation: 'listCustomerInternalAccounts' | 'listInternalAccounts' = 'listCustomerInternalAccounts',
  ) {
    const reply = await platform.call(operation, { query });
    assert.equal(reply.status, 200, reply.raw);
    return reply.body;
  }

  async function refused(query: NonNullable<Call['query']>): Promise<string[]> {
    const reply = await platform.call('listCustomerInternalAccounts', { query });
    assert.equal(reply.status, 400, reply.raw);
    assert.equal(reply.body.code, 'INVALID_INPUT');
    return fieldsOf(reply.body);
  }

  const ids = (accounts: readonly AccountReply[]) => accounts.map(({ id }) => id);
  const only = (test: (account: AccountReply) => boolean) => ids(newestFirst.filter(test));

  it('accounts.md §1.4: all accounts, newest first, ties by id, with the count of all', async () => {
    const { data, hasMore, nextCursor, totalCount } = await list();
    assert.equal(totalCount, 7);
    assert.equal(hasMore, false);
    assert.equal(nextCursor, undefined);
    const sorted = data.toSorted((a, b) => (`${a.createdAt}${a.id}` < `${b.createdAt}${b.id}` ? 1 : -1));
    assert.deepEqual(ids(data), ids(sorted));
    assert.equal(new Set(ids(data)).size, 7);
  });

  it('accounts.md §1.4: pages of any size show every account once, even if the limit changes between pages', async () => {
    for (const limits of [[1], [2], [3, 1, 100]]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      for (let turn = 0; ; turn++) {
        const limit = limits[turn % limits.length] ?? 1;
        const page = await list({ limit, ...(cursor !== undefined && { cursor }) });
        assert.ok(page.data.length <= limit);
        assert.equal(page.totalCount, 7);
        assert.equal(page.nextCursor !== undefined, page.hasMore);
        seen.push(...ids(page.data));
        if (!page.hasMore) break;
        cursor = page.nextCursor;
      }
      assert.deepEqual(seen, ids(newestFirst));
    }
  });

  it('accounts.md §1.4: accounts opened during paging neither repeat nor hide an old one', async () => {
    const other = await world.platform();
    await givenCustomer(other);
    const first = await other.call('listCustomerInternalAccounts', { query: { limit: 2 } });
    world.clock.advance(1000);
    await givenCustomer(other);
    const query = { limit: 2, cursor: first.body.nextCursor ?? '' };
    const second = await other.call('listCustomerInternalAccounts', { query });
    assert.equal(second.body.data.length, 1);
    assert.equal(new Set(ids([...first.body.data, ...second.body.data])).size, 3);
  });

  it('accounts.md §1.4: a limit outside 1..100 is refused, never clamped', async () => {
    for (const limit of [0, -1, 101, 1.5, 'many'])
      assert.deepEqual(await refused({ limit }), ['limit'], `${limit}`);
  });

  it('accounts.md §1.4: a malformed cursor, or one of other filters or another platform, is refused', async () => {
    const { nextCursor = '' } = await list({ limit: 1 });
    for (const query of [
      { cursor: 'x' },
      { cursor: `A${nextCursor}` },
      { cursor: nextCursor, currency: 'USD' },
    ]) {
      assert.deepEqual(await refused(query), ['cursor']);
    }
    const other = await world.platform();
    const reply = await other.call('listCustomerInternalAccounts', { query: { cursor: nextCursor } });
    assert.equal(reply.status, 400);
  });

  it('accounts.md §1.5: filters by exact, case-sensitive currency, by customer and by type, together with AND', async () => {
    const codeIs = (code: string) => only(({ balance }) => balance.currency.code === code);
    assert.deepEqual(ids((await list({ currency: 'USD' })).data), codeIs('USD'));
    assert.deepEqual(ids((await list({ type: 'INTERNAL_CRYPTO' })).data), codeIs('USDC'));
    const customerId = customers[2] ?? '';
    const own = await list({ customerId });
    assert.deepEqual(
      ids(own.data),
      only((account) => account.customerId === customerId),
    );
    assert.equal(own.totalCount, 3);
    const both = await list({ customerId, type: 'INTERNAL_FIAT', currency: 'EUR' });
    assert.equal(both.data.length, 1);
    assert.equal((await list({ currency: 'usd' })).totalCount, 0);
  });

  it('accounts.md §1.5: an unknown but well-formed code or customer gives an empty page', async () => {
    for (const query of [
      { currency: 'XXX' },
      { customerId: `Customer:${newUuid()}` },
      { type: 'EMBEDDED_WALLET' },
    ]) {
      assert.deepEqual(await list(query), { data: [], hasMore: false, totalCount: 0 });
    }
  });

  it('platform.md §1.2.2: customerId may be the bare UUID; a malformed one is 400', async () => {
    const customerId = (customers[0] ?? '').replace('Customer:', '');
    assert.equal((await list({ customerId })).totalCount, 2);
    for (const bad of ['Customer:1', 'InternalAccount:00000000-0000-7000-8000-000000000000', 'x']) {
      assert.deepEqual(await refused({ customerId: bad }), ['customerId']);
    }
    assert.deepEqual(await refused({ type: 'CASH' }), ['type']);
  });

  it('accounts.md §2.1.10: GET /internal-accounts is the same list, and their cursors are interchangeable', async () => {
    assert.deepEqual(await list({}, 'listInternalAccounts'), await list());
    const { nextCursor = '' } = await list({ limit: 3 });
    const rest = await list({ cursor: nextCursor }, 'listInternalAccounts');
    assert.deepEqual(ids(rest.data), ids(newestFirst.slice(3)));
  });

  it('accounts.md §2.1.9: the platform’s own accounts are in neither list', async () => {
    const own = new Set(ids(await platformAccounts(platform)));
    for (const operation of ['listCustomerInternalAccounts', 'listInternalAccounts'] as const) {
      for (const { id } of (await list({ limit: 100 }, operation)).data) assert.equal(own.has(id), false);
    }
  });

  it('accounts.md §1.2, §1.3: missing credentials, a token without VIEW and another platform show none of them', async () => {
    assert.equal((await platform.call('listCustomerInternalAccounts', { as: 'nobody' })).status, 401);
    const bearer = await platform.call('listCustomerInternalAccounts', { as: 'Bearer agent-token' });
    assert.equal(bearer.status, 401);
    assert.equal(bearer.body.code, 'UNAUTHORIZED');
    const blind = await world.platform({ permissions: ['TRANSACT'] });
    assert.equal((await blind.call('listCustomerInternalAccounts')).status, 403);
    const other = await world.platform();
    const foreign = await other.call('listCustomerInternalAccounts', {
      query: { customerId: customers[0] ?? '' },
    });
    assert.deepEqual(foreign.body, { data: [], hasMore: false, totalCount: 0 });
  });
});
