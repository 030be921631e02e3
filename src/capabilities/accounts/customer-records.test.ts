import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CUSTOMER_LIST, CUSTOMER_SHOW } from '#capabilities/accounts/customer-records.ts';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { sql } from '#foundation/database/sql.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { BUSINESS, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('customers that operators look for', () => {
  const world = testWorld();

  async function find(platform: TestPlatform, name: string, more: object = {}): Promise<string[]> {
    const work = await platform.work();
    const request = { list: 'test', filters: {}, limit: 20, cursor: undefined };
    const page = await work.read((tx) => CUSTOMER_LIST.page(tx, request, { name, ...more }));
    return page.data.map(({ customer }) => customer);
  }

  it('operator.md §4.2: they find customers by whole words of their names, on each platform its own', async () => {
    const [platform, other] = [await world.platform(), await world.platform()];
    const fullName = 'Zoë Müller-Straße';
    const { id } = await givenCustomer(platform, { ...PERSON, fullName });
    const { id: foreign } = await givenCustomer(other, { ...PERSON, fullName });
    const shop = await givenCustomer(platform, {
      ...BUSINESS,
      businessInfo: { ...BUSINESS.businessInfo, legalName: 'Müller Söhne KG' },
    });
    for (const words of ['zoe', 'MÜLLER zoë', 'straße, Zoë', fullName]) {
      assert.deepEqual(await find(platform, words), [id], words);
    }
    assert.deepEqual((await find(platform, 'muller')).toSorted(), [id, shop.id].toSorted());
    assert.deepEqual(await find(platform, 'muller', { type: 'BUSINESS' }), [shop.id]);
    for (const words of ['zo', 'mull', 'Zoë Söhne', '-', ''])
      assert.deepEqual(await find(platform, words), []);
    assert.deepEqual(await find(other, 'zoe'), [foreign]);
    const hashes = await world.database.query<{ name_hashes: Buffer[] }>(sql`
      select name_hashes from customers where id = any(${[id, foreign].map((one) => uuidOf(one))}::uuid[])`);
    const [one, two] = hashes.map((row) => row.name_hashes.map((hash) => hash.toString('hex')));
    assert.equal(
      new Set([...(one ?? []), ...(two ?? [])]).size,
      6,
      'hashes of two platforms cannot be compared',
    );
  });

  it('operator.md §4.2: a new name is found and the former is not; after a deletion on request only, after an erasure never', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform, { ...PERSON, fullName: 'Zoë Former' });
    const params = { customerId: id };
    const body = { customerType: 'INDIVIDUAL', fullName: 'Zoë Later' };
    assert.equal((await platform.call('updateCustomerById', { params, body })).status, 200);
    assert.deepEqual([await find(platform, 'former'), await find(platform, 'later')], [[], [id]]);
    assert.equal((await platform.call('deleteCustomerById', { params })).status, 200);
    assert.deepEqual(
      [await find(platform, 'later'), await find(platform, 'later', { deleted: true })],
      [[], [id]],
    );
    await (await platform.work()).write((tx) => eraseCustomer(tx, uuidOf<'Customer'>(id)));
    assert.deepEqual(await find(platform, 'later', { deleted: true }), []);
    const rows = await world.database.query(sql`select name_hashes from customers where id = ${uuidOf(id)}`);
    assert.deepEqual(rows, [{ name_hashes: null }]);
  });

  it('decision 0039: names of customers of an earlier version are found once a job has made their hashes', async () => {
    const platform = await world.platform();
    const first = await givenCustomer(platform, { ...PERSON, fullName: 'Zoë One' });
    const second = await givenCustomer(platform, { ...PERSON, fullName: 'Zoë Two' });
    await world.database.query(
      sql`update customers set name_hashes = null where platform_id = ${platform.id}`,
    );
    assert.deepEqual(await find(platform, 'zoe'), []);
    const gone = uuidOf<'Customer'>(first.id);
    await world.app.runtime.personKeys.erase(platform.id, [gone]);
    await (await platform.work()).write(async (tx) =>
      schedule(tx, { kind: 'customers.hash-names', payload: {}, afterMs: 0 }),
    );
    await world.app.worker.settle(platform.id);
    assert.deepEqual(await find(platform, 'zoe'), [second.id]);
    const left = await world.database.query(sql`
      select from customers where platform_id = ${platform.id} and name_hashes is null`);
    assert.equal(left.length, 0);
  });

  it('operator.md §4.2: a record names other customers of the platform who share an e-mail address, a number or the name', async () => {
    const [platform, other] = [await world.platform(), await world.platform()];
    const email = 'twin@example.com';
    const phoneOf = (n: number) => ({ phoneNumber: `+1415555267${n}` });
    const first = await givenCustomer(platform, { ...PERSON, fullName: 'Ada Twin', email, ...phoneOf(1) });
    const both = { email: email.toUpperCase(), ...phoneOf(1) };
    const contacts = await givenCustomer(platform, { ...PERSON, fullName: 'Bob Other', ...both });
    const name = await givenCustomer(platform, { ...PERSON, fullName: 'Twin, Ada', ...phoneOf(2) });
    await givenCustomer(platform, { ...PERSON, fullName: 'Ada Twin Third', ...phoneOf(3) });
    await givenCustomer(other, { ...PERSON, fullName: 'Ada Twin', email, ...phoneOf(1) });
    const gone = await givenCustomer(platform, { ...PERSON, fullName: 'Ada Twin', email });
    await platform.call('deleteCustomerById', { params: { customerId: gone.id } });
    const work = await platform.work();
    const shown = await work.read((tx) => CUSTOMER_SHOW.load(tx, uuidOf<'Customer'>(first.id)));
    assert.deepEqual(
      new Map(shown.possibleDuplicates.map(({ customer, shares }) => [customer, shares])),
      new Map([
        [contacts.id, 'email, phone'],
        [name.id, 'name'],
      ]),
    );
  });
});
