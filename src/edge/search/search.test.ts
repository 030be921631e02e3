import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SERVICE } from '#app/compose.ts';
import { sql } from '#foundation/database/sql.ts';
import { givenCard, givenCardPlatform } from '#tests/given/cards.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenOutside, givenPayer, givenPlatform, givenQuote } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('search', () => {
  const world = testWorld();

  async function found(platform: TestPlatform, q: string) {
    const { status, body, raw } = await platform.call('search', { query: { q } });
    assert.equal(status, 200, raw);
    return body.data;
  }

  it('platform.md §13.1: by id, in full or bare; an id of another kind finds nothing', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform);
    const from = payer.account('USD').id;
    const quote = await givenQuote(world, platform, { from, to: await givenOutside(platform, payer.id) });
    for (const id of [payer.id, from, quote.id, quote.transactionId]) {
      const expected = [{ resourceId: id, kind: id.slice(0, id.indexOf(':')), field: 'id' }];
      assert.deepEqual(await found(platform, id), expected);
      assert.deepEqual(await found(platform, ` ${id.slice(id.indexOf(':') + 1)} `), expected);
    }
    assert.deepEqual(await found(platform, payer.id.replace('Customer', 'Card')), []);
  });

  it('platform.md §13.1: by e-mail address in any case, UMA address and references', async () => {
    const platform = await givenCardPlatform(world);
    const customer = await givenCustomer(platform, {
      ...PERSON,
      email: 'Ada.Search@example.com',
      platformCustomerId: 'ours-1',
    });
    const byCustomer = (field: string) => [{ resourceId: customer.id, kind: 'Customer', field }];
    assert.deepEqual(await found(platform, 'ada.search@EXAMPLE.com'), byCustomer('email'));
    assert.deepEqual(await found(platform, customer.umaAddress), byCustomer('umaAddress'));
    assert.deepEqual(await found(platform, 'ours-1'), byCustomer('platformCustomerId'));
    const card = await givenCard(platform, undefined, { platformCardId: 'card-1' });
    assert.deepEqual(await found(platform, 'card-1'), [
      { resourceId: card.id, kind: 'Card', field: 'platformCardId' },
    ]);
    assert.deepEqual(await found(platform, 'ours'), [], 'whole values only');
    assert.deepEqual(await found(platform, "' or true --"), []);
  });

  it('platform.md §13.2: nothing of another platform is found', async () => {
    const [platform, other] = [await givenPlatform(world), await givenPlatform(world)];
    const customer = await givenCustomer(platform, { ...PERSON, email: 'mine@example.com' });
    assert.deepEqual(await found(other, customer.id), []);
    assert.deepEqual(await found(other, 'mine@example.com'), []);
    assert.equal((await platform.send('search', { query: { q: '' } })).status, 400);
    assert.equal((await platform.send('search')).status, 400);
  });

  it('platform.md §13.2: an index serves every look-up', async () => {
    for (const { table, id = 'id', texts = {} } of SERVICE.searchPlaces) {
      const columns = [
        id,
        ...Object.values(texts).map(({ column, isFolded }) => (isFolded ? `lower(${column})` : column)),
      ];
      const indexes = await world.database.query<{ indexdef: string }>(sql`
        select indexdef from pg_indexes where tablename = ${table} and schemaname = current_schema()`);
      for (const column of columns) {
        const isServed = indexes.some(({ indexdef }) => indexdef.includes(`(platform_id, ${column}`));
        assert.ok(isServed, `${table}.${column}: ${indexes.map(({ indexdef }) => indexdef).join('\n')}`);
      }
    }
  });
});
