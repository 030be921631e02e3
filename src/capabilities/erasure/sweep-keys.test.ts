import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { strangersOf } from '#foundation/person-keys/people.ts';
import { openPersonKeys } from '#foundation/person-keys/person-keys.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { advance } from '#tests/given/payments.ts';
import { PATIENCE, personKeysUrl } from '#tests/harness/databases.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('the sweep of unused keys', () => {
  const world = testWorld();
  let store: Database;
  before(() => {
    store = openDatabase({ url: personKeysUrl(), connectionsMax: 2, ...PATIENCE });
  });
  after(() => store.close());

  async function age(people: readonly string[], interval: string): Promise<void> {
    await store.query(sql`
      update people set created_at = now() - ${interval}::interval where person_id = any(${people}::uuid[])`);
  }

  async function peopleOf(platform: TestPlatform): Promise<string[]> {
    const rows = await store.query<{ person_id: string }>(sql`
      select person_id from people
       where platform_id = ${platform.id} and erased_at is null order by person_id`);
    return rows.map(({ person_id }) => person_id);
  }

  async function sweep(platform: TestPlatform): Promise<void> {
    const work = await platform.work();
    await work.write(async (tx) => schedule(tx, { kind: 'people.sweep-keys', key: 'daily', afterMs: 0 }));
    await world.app.worker.settle(platform.id);
  }

  async function givenUnused(platform: TestPlatform, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newUuid());
    await world.app.runtime.personKeys.ensure(platform.id, ids);
    return ids;
  }

  it('decision 0039: deletes people who never became customers after a day, and nobody else', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const month = strangersOf(world.app.runtime.vault, platform.id, new Date());
    const [old = '', young = '', erased = ''] = await givenUnused(platform, 3);
    await world.app.runtime.personKeys.ensure(platform.id, [month]);
    // Spare ids of the world are too young to be swept.
    await age([uuidOf(id), month, old, erased], '25 hours');
    await age([young], '23 hours');
    await world.app.runtime.personKeys.erase(platform.id, [erased]);
    const before = await peopleOf(platform);
    await sweep(platform);
    assert.deepEqual(
      await peopleOf(platform),
      before.filter((person) => person !== old),
    );
    const [kept] = await store.query(
      sql`select erased_at is not null as erased from people where person_id = ${erased}`,
    );
    assert.deepEqual(kept, { erased: true });
    const shown = await platform.call('getCustomerById', { params: { customerId: id } });
    assert.ok(shown.raw.includes(PERSON.fullName));
    await age([young], '25 hours');
    await sweep(platform);
    assert.ok(!(await peopleOf(platform)).includes(young));
  });

  it('decision 0039: a key that another platform created for a customer stays', async () => {
    const [platform, other] = [await world.platform(), await world.platform()];
    const { id } = await givenCustomer(platform);
    await store.query(sql`update people set platform_id = ${other.id} where person_id = ${uuidOf(id)}`);
    await age([uuidOf(id)], '2 days');
    await sweep(other);
    assert.deepEqual(await peopleOf(other), [uuidOf(id)]);
  });

  it('decision 0039: thousands are swept in batches, each looked at once', async () => {
    const platform = await world.platform();
    const unused = await givenUnused(platform, 1_200);
    const { id } = await givenCustomer(platform);
    await age([...unused, uuidOf(id)], '2 days');
    await sweep(platform);
    await advance(platform, 2);
    const left = await peopleOf(platform);
    assert.ok(left.includes(uuidOf(id)));
    assert.equal(left.filter((person) => unused.includes(person)).length, 0);
    assert.deepEqual(await world.app.runtime.personKeys.findUnswept(platform.id, 10), []);
  });

  it('decision 0039: the key of a month is destroyed when five years are over', async () => {
    const platform = await world.platform();
    const { personKeys, vault } = world.app.runtime;
    const [over, kept] = [new Date('2020-01-15'), new Date('2021-06-15')].map((at) =>
      strangersOf(vault, platform.id, at),
    ) as [string, string];
    await personKeys.ensure(platform.id, [over, kept]);
    await age([over], '5 years 2 months');
    await age([kept], '5 years');
    await sweep(platform);
    const left = await peopleOf(platform);
    assert.deepEqual(
      [left.includes(over), left.includes(kept), personKeys.isErased(over)],
      [false, true, true],
    );
  });

  it('customers.md §2.4.26g, decision 0039: RETENTION_YEARS keeps the key of a month longer, and never less than five years', async () => {
    const platform = await world.platform();
    const { personKeys, vault } = world.app.runtime;
    const [oldest, older, kept] = [
      new Date('2010-01-15'),
      new Date('2020-01-15'),
      new Date('2021-06-15'),
    ].map((at) => strangersOf(vault, platform.id, at)) as [string, string, string];
    await personKeys.ensure(platform.id, [oldest, older, kept]);
    await age([oldest], '10 years 2 months');
    await age([older], '10 years');
    await age([kept], '5 years');
    const over = async (retentionYears: number) => {
      const keys = await openPersonKeys({ store, vault, clock: world.clock, retentionYears });
      return keys.personKeys.findOldMonths(platform.id);
    };
    assert.deepEqual(await over(10), [oldest]);
    assert.deepEqual(await over(0), [oldest, older]);
  });
});
