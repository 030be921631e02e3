import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenOperator, type TestOperator } from '#tests/given/operators.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('operators find records by a whole value', () => {
  const world = testWorld();
  let viewer: TestOperator;
  let platforms: [TestPlatform, TestPlatform];

  before(async () => {
    viewer = await givenOperator(world, ['viewer', 'admin']);
    platforms = [await givenPlatform(world), await givenPlatform(world)];
  });

  const find = (value: unknown, query = '') =>
    viewer.ask('POST', `/console/api/search${query}`, { body: { value } });
  const readsOf = () =>
    world.database.query<{ resource: string; fields: string[]; hash: Buffer | null }>(sql`
      select resource, fields, term_hash as hash from record_reads where kind = 'SEARCH' order by at`);

  it('operator.md §6.2: on every platform, by e-mail address, reference or id, and names the platform', async () => {
    const [one, other] = platforms;
    const email = 'grace.found@example.com';
    const mine = await givenCustomer(one, { ...PERSON, email, platformCustomerId: 'ours-7' });
    const theirs = await givenCustomer(other, { ...PERSON, email });
    const { status, body, raw } = await find(` ${email.toUpperCase()} `);
    assert.equal(status, 200, raw);
    const found = body.data.map((row: { resourceId: string; platform: string }) => [
      row.resourceId,
      row.platform,
    ]);
    assert.deepEqual(
      found.toSorted(),
      [
        [mine.id, `Platform:${one.id}`],
        [theirs.id, `Platform:${other.id}`],
      ].toSorted(),
    );
    assert.ok(!raw.includes('Grace') && !raw.includes(email), 'nothing of the records is shown');
    const byId = await find(mine.id.split(':')[1]);
    assert.deepEqual([byId.body.data.length, byId.body.data[0]?.field], [1, 'id']);
    const only = await find('ours-7', `?platform=Platform:${other.id}`);
    assert.deepEqual(only.body.data, []);
    const elsewhere = await find('ours-7', '?environment=PRODUCTION');
    assert.deepEqual(elsewhere.body.data, []);
  });

  it('operator.md §4.2: each search is recorded with a keyed hash, and the value is kept nowhere', async () => {
    const value = 'nobody.here@example.com';
    const before = (await readsOf()).length;
    assert.deepEqual((await find(value)).body.data, []);
    const rows = await readsOf();
    assert.equal(rows.length, before + 1);
    const last = rows.at(-1);
    assert.deepEqual([last?.resource, last?.fields], ['records', ['value']]);
    assert.ok(last?.hash);
    assert.ok(!JSON.stringify([rows, world.logged]).includes(value));
  });

  it('operator.md §6.2: a value that is missing or too long is refused, and nothing is recorded', async () => {
    const before = (await readsOf()).length;
    for (const value of [undefined, '', 7, 'x'.repeat(256)]) assert.equal((await find(value)).status, 400);
    assert.equal((await readsOf()).length, before);
  });
});
