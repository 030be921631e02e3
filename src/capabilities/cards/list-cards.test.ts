import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import {
  type CardReply,
  changedCard,
  givenCardPlatform,
  givenNewCard,
  readCard,
} from '#tests/given/cards.ts';
import { fieldsOf } from '#tests/given/customers.ts';
import { advance, givenPayer, type Payer } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('reading and listing cards', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let [ada, emmy]: Payer[] = [];
  /** Oldest first. */
  let cards: CardReply[];

  before(async () => {
    platform = await givenCardPlatform(world);
    [ada, emmy] = [await givenPayer(platform, 0), await givenPayer(platform, 0)];
    const [first, second] = [ada as Payer, emmy as Payer];
    const made = [];
    for (const [payer, more] of [
      [first, { platformCardId: 'a-1' }],
      [first, { platformCardId: 'a-2', fundingSource: first.account('USDB').id }],
      [second, { platformCardId: 'e-1' }],
      [second, { platformCardId: 'e-001' }],
      [first, { platformCardId: 'a-3' }],
    ] as const) {
      made.push(await givenNewCard(platform, payer, more));
      await advance(platform, 1);
    }
    await changedCard(platform, made[0]?.id ?? '', { status: 'FROZEN' });
    await changedCard(platform, made[4]?.id ?? '', { status: 'CLOSED' });
    cards = await Promise.all(made.map(({ id }) => readCard(platform, id)));
  });

  const listed = async (query: object) => {
    const reply = await platform.send('listCards', { query: query as never });
    assert.equal(reply.status, 200, reply.raw);
    return reply.body;
  };
  const names = (page: { data: readonly { platformCardId?: string | undefined }[] }) =>
    page.data.map(({ platformCardId }) => platformCardId);

  it('cards.md §4.1: an unknown card, one of another platform and a malformed id are 404', async () => {
    const other = await givenCardPlatform(world);
    for (const id of [publicId('Card', newUuid()), cards[0]?.id ?? '', 'Card:x', 'x']) {
      const reply = await other.call('getCardById', { params: { id } });
      assert.deepEqual([reply.status, reply.body.code], [404, 'NOT_FOUND']);
    }
    assert.deepEqual((await other.call('listCards')).body, { data: [], hasMore: false, totalCount: 0 });
  });

  it('cards.md §4.2: cards are listed newest first by default, closed ones included, in the form of a single read', async () => {
    assert.deepEqual(await listed({}), { data: cards.toReversed(), hasMore: false, totalCount: 5 });
    assert.deepEqual((await listed({ sortOrder: 'desc' })).data, cards.toReversed());
    assert.deepEqual((await listed({ sortOrder: 'asc' })).data, cards);
  });

  it('cards.md §4.2: filters by customerId, accountId, platformCardId and status, alone and together', async () => {
    const [first, second] = [ada as Payer, emmy as Payer];
    for (const [query, expected] of [
      [{ customerId: first.id }, ['a-3', 'a-2', 'a-1']],
      [{ customerId: uuidOf(second) }, ['e-001', 'e-1']],
      [{ accountId: first.account('USDB').id }, ['a-2']],
      [{ accountId: uuidOf(first.account('USD')) }, ['a-3', 'a-1']],
      [{ platformCardId: 'e-001' }, ['e-001']],
      [{ platformCardId: 'E-001' }, []],
      [{ status: 'PROCESSING' }, ['e-001']],
      [{ status: 'ACTIVE' }, ['e-1', 'a-2']],
      [{ status: 'FROZEN' }, ['a-1']],
      [{ status: 'CLOSED' }, ['a-3']],
      [{ status: 'CLOSED', customerId: second.id }, []],
      [{ status: 'ACTIVE', customerId: first.id, accountId: first.account('USDB').id }, ['a-2']],
      [{ customerId: publicId('Customer', newUuid()) }, []],
      [{ status: '', customerId: '' }, ['a-3', 'e-001', 'e-1', 'a-2', 'a-1']],
    ] as const) {
      const page = await listed(query);
      assert.deepEqual(names(page), expected, JSON.stringify(query));
      assert.equal(page.totalCount, expected.length);
      assert.deepEqual(names(await listed({ ...query, sortOrder: 'asc' })), expected.toReversed());
    }
  });

  it('cards.md §4.2, §3.2: accountId filters by the present source, not by an earlier one', async () => {
    const holder = await givenPayer(platform, 0);
    const { id } = await givenNewCard(platform, holder, { platformCardId: 'moved-001' });
    await changedCard(platform, id, { fundingSource: holder.account('USDB').id });
    assert.deepEqual(names(await listed({ accountId: holder.account('USD').id })), []);
    assert.deepEqual(names(await listed({ accountId: holder.account('USDB').id })), ['moved-001']);
  });

  it('cards.md §0.1: filters take the earlier names, and both with different values are 400', async () => {
    const { id } = ada as Payer;
    assert.deepEqual(names(await listed({ cardholderId: id, state: 'FROZEN' })), ['a-1']);
    assert.deepEqual(names(await listed({ cardholderId: id, customerId: uuidOf(id), state: 'FROZEN' })), [
      'a-1',
    ]);
    const query = { cardholderId: id, customerId: emmy?.id, state: 'FROZEN', status: 'ACTIVE' };
    const reply = await platform.send('listCards', { query: query as never });
    assert.deepEqual([reply.status, fieldsOf(reply.body).sort()], [400, ['cardholderId', 'state']]);
  });

  it('cards.md §4.2: an unknown status and malformed ids are 400', async () => {
    for (const [name, value] of [
      ['status', 'PENDING_KYC'],
      ['state', 'active'],
      ['sortOrder', 'up'],
      ['customerId', 'Customer:x'],
      ['cardholderId', 'InternalAccount:019542f5-b3e7-7d02-8000-000000000099'],
      ['accountId', 'x'],
      ['limit', '0'],
      ['cursor', 'x'],
    ]) {
      const reply = await platform.send('listCards', { query: { [name as string]: value } as never });
      assert.deepEqual([reply.status, fieldsOf(reply.body)], [400, [name]]);
    }
  });

  for (const sortOrder of ['asc', 'desc'] as const) {
    it(`platform.md §1.4.2: pages in ${sortOrder} order follow each other, whatever is created meanwhile`, async () => {
      const query = { customerId: ada?.id, sortOrder, limit: 2 };
      const page = await listed(query);
      assert.equal(page.hasMore, true);
      await givenNewCard(platform, emmy as Payer);
      const rest = await listed({ ...query, cursor: page.nextCursor });
      const all = [...names(page), ...names(rest)];
      assert.deepEqual(all, sortOrder === 'asc' ? ['a-1', 'a-2', 'a-3'] : ['a-3', 'a-2', 'a-1']);
      assert.equal(rest.hasMore, false);
      const other = { ...query, cursor: page.nextCursor, status: 'ACTIVE' };
      const reply = await platform.send('listCards', { query: other as never });
      assert.equal(reply.status, 400);
    });
  }
});
