import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SERVICE } from '#app/compose.ts';
import { loadRequest } from '#edge/request-log/routes.ts';
import { sql } from '#foundation/database/sql.ts';
import { givenCard, givenCardPlatform } from '#tests/given/cards.ts';
import { signInDeveloper } from '#tests/given/console.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenOutside, givenPayer, givenPlatform, givenQuote } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

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

  it('platform.md §13.1: a reference of the platform may be a UUID', async () => {
    const platform = await givenPlatform(world);
    const platformCustomerId = '7c1f7a1e-1111-4222-8333-444455556666';
    const customer = await givenCustomer(platform, { ...PERSON, platformCustomerId });
    assert.deepEqual(await found(platform, platformCustomerId), [
      { resourceId: customer.id, kind: 'Customer', field: 'platformCustomerId' },
    ]);
  });

  it('platform.md §13.2: nothing of another platform is found', async () => {
    const [platform, other] = [await givenPlatform(world), await givenPlatform(world)];
    const customer = await givenCustomer(platform, { ...PERSON, email: 'mine@example.com' });
    assert.deepEqual(await found(other, customer.id), []);
    assert.deepEqual(await found(other, 'mine@example.com'), []);
    assert.equal((await platform.send('search', { query: { q: '' } })).status, 400);
    assert.equal((await platform.send('search')).status, 400);
  });

  it('platform.md §13.3: no log keeps the value, whether a token or the console searched', async () => {
    const platform = await givenPlatform(world);
    const email = 'Nobody.Keeps.Me+1@example.com';
    await givenCustomer(platform, { ...PERSON, email });
    const session = await signInDeveloper(world, platform);
    const q = encodeURIComponent(email);
    assert.equal((await found(platform, email)).length, 1);
    const own = await session.ask('GET', `/console/api/platform/search?q=${q}`);
    assert.equal(own.body?.data.length, 1, own.raw);
    for (const url of [`/search?q=${q}&limit=${q}`, `/search/${q}`, `/nowhere?q=${q}`]) {
      await session.ask('GET', `/console/api/platform${url}`);
      await session.ask('GET', `/console/api${url}`);
    }

    const { body: logged } = await platform.call('listRequestLogs', { query: { path: '/search' } });
    assert.ok(logged.data.length >= 2);
    const kept = await world.database.query<{ text: string }>(sql`
      select to_jsonb(r)::text as text from request_logs r where r.platform_id = ${platform.id}
      union all select to_jsonb(a)::text from audit_log a where a.platform_id = ${platform.id} or a.platform_id is null`);
    const sealed = await (await platform.work()).read(async (tx) =>
      Promise.all(logged.data.map(({ id }) => loadRequest(tx, uuidOf(id)))),
    );
    const texts = [
      ...kept.map(({ text }) => text),
      ...sealed.map((one) => JSON.stringify(one)),
      ...world.logged,
    ];
    assert.deepEqual(
      texts.filter((text) => /nobody\.keeps\.me/i.test(text)),
      [],
    );
  });

  it('platform.md §13.2: an index serves every look-up', async () => {
    const own = SERVICE.searchPlaces.filter(({ operators }) => operators === undefined);
    for (const { table, id = 'id', uuids = { id }, texts = {} } of own) {
      const columns = [
        ...Object.values(uuids),
        ...Object.values(texts)
          .flat()
          .map((text) => ('isFolded' in text && text.isFolded ? `lower(${text.column})` : text.column)),
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
