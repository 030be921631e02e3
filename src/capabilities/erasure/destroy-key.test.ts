import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { destroyKey } from '#capabilities/erasure/destroy-key.ts';
import { eraseRestored } from '#capabilities/erasure/erase-restored.ts';
import { PersonErased } from '#foundation/crypto/person-seal.ts';
import { sql } from '#foundation/database/sql.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { givenPersonKeys } from '#tests/harness/person-keys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('the key of an erased customer', () => {
  const world = testWorld();

  /** The sealed person as a backup of the database would have it. */
  async function keptCopy(customerId: string): Promise<Buffer> {
    const [row] = await world.database.query<{ person: Buffer }>(
      sql`select person from customers where id = ${uuidOf(customerId)}`,
    );
    assert.ok(row?.person);
    return row.person;
  }

  async function opens(customerId: string, copy: Buffer): Promise<boolean> {
    const { personKeys, vault } = world.app.runtime;
    await personKeys.loadFor([copy]);
    try {
      return vault.openText(copy, `customers.person:${uuidOf(customerId)}`).includes(PERSON.fullName);
    } catch (error) {
      if (error instanceof PersonErased) return false;
      throw error;
    }
  }

  /** The first step of an erasure: one commit that empties rows. */
  async function emptyRows(platform: TestPlatform, customerId: string): Promise<void> {
    const deleted = await platform.call('deleteCustomerById', { params: { customerId } });
    assert.equal(deleted.status, 200, deleted.raw);
    const work = await platform.work();
    await work.write((tx) => eraseCustomer(tx, uuidOf(customerId)));
  }

  it('customers.md §2.4.26d: is destroyed after the commit that empties the rows, and copies open no more', async () => {
    const platform = await world.platform();
    const [ada, bob] = [await givenCustomer(platform), await givenCustomer(platform)];
    const [adas, bobs] = [await keptCopy(ada.id), await keptCopy(bob.id)];
    await emptyRows(platform, ada.id);
    // If a process dies here, the job is left.
    assert.equal(await opens(ada.id, adas), true);
    await world.app.worker.settle(platform.id);
    assert.deepEqual([await opens(ada.id, adas), await opens(bob.id, bobs)], [false, true]);
    const shown = await platform.call('getCustomerById', { params: { customerId: ada.id } });
    assert.equal(shown.status, 200, shown.raw);
    assert.ok(!shown.raw.includes(PERSON.fullName));
  });

  it('customers.md §2.4.26d: a command destroys it at once, and the job repeats that without harm', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const copy = await keptCopy(id);
    await emptyRows(platform, id);
    await destroyKey(await platform.work(), uuidOf(id));
    assert.equal(await opens(id, copy), false);
    await world.app.worker.settle(platform.id);
    // The database of keys has no key any more, either.
    const other = await givenPersonKeys(world.database);
    await other.personKeys.loadFor([copy]);
    assert.equal(other.personKeys.isErased(uuidOf(id)), true);
    await other.close();
  });
});

describe('a database that was restored from a backup', () => {
  const world = testWorld();

  it('customers.md §2.4.26e: brings back no erased customer: nothing opens, and the rows are emptied at the next start', async () => {
    const platform = await world.platform();
    const [ada, bob] = [await givenCustomer(platform), await givenCustomer(platform)];
    const { database, runtime } = { database: world.database, runtime: world.app.runtime };
    const [store] = await database.query<{ id: string }>(sql`
      insert into person_key_store (store_id) values (gen_random_uuid()) returning store_id as id`);
    assert.ok(store);
    await platform.call('deleteCustomerById', { params: { customerId: ada.id } });
    // The backup does not have the erasure, but the key is destroyed.
    await runtime.personKeys.erase(platform.id, [uuidOf(ada.id)]);
    const gone = await platform.call('getCustomerById', { params: { customerId: ada.id } });
    assert.deepEqual([gone.status, gone.raw.includes(PERSON.fullName)], [200, false]);
    await eraseRestored(runtime);
    await world.app.worker.settle(platform.id);
    const rows = await database.query(sql`
      select erased_at is not null as erased, person is null as emptied from customers
       where platform_id = ${platform.id} order by created_at, id`);
    assert.deepEqual(rows, [
      { erased: true, emptied: true },
      { erased: false, emptied: false },
    ]);
    const shown = await platform.call('getCustomerById', { params: { customerId: ada.id } });
    assert.equal(shown.status, 200, shown.raw);
    const other = await platform.call('getCustomerById', { params: { customerId: bob.id } });
    assert.ok(other.raw.includes(PERSON.fullName));
    // A second start finds no work.
    await eraseRestored(runtime);
    const left = await database.query(sql`
      select from jobs where platform_id = ${platform.id} and kind = 'customer.erase-restored'`);
    assert.equal(left.length, 0);
  });
});
