import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eraseRestored } from '#capabilities/erasure/erase-restored.ts';
import { sql } from '#foundation/database/sql.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('a database that was restored from before a deletion', () => {
  const world = testWorld();

  /** The state after the restore: the customer is there, and the key is destroyed. */
  async function restoreBefore(platform: TestPlatform, customerId: string): Promise<void> {
    await world.database.query(sql`
      insert into person_key_store (store_id) values (gen_random_uuid()) on conflict (is_only) do nothing`);
    await world.app.runtime.personKeys.erase(platform.id, [uuidOf(customerId)]);
    await eraseRestored(world.app.runtime);
    await world.app.worker.settle(platform.id);
  }

  const lookAt = (customerId: string) =>
    world.database.query(sql`
      select deleted_at is not null as deleted, erased_at is not null as erased, person is null as emptied
        from customers where id = ${uuidOf(customerId)}`);

  it('customers.md §2.4.26e: the customer is deleted and emptied without being opened', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    await restoreBefore(platform, id);
    assert.deepEqual(await lookAt(id), [{ deleted: true, erased: true, emptied: true }]);
    const shown = await platform.call('getCustomerById', { params: { customerId: id } });
    assert.ok(!shown.raw.includes(PERSON.fullName));
  });

  it('customers.md §2.4.26e: money prevents it: nothing opens, and operators see the job', async () => {
    const platform = await givenPlatform(world);
    const { id } = await givenPayer(platform, 500);
    await restoreBefore(platform, id);
    assert.deepEqual(await lookAt(id), [{ deleted: false, erased: false, emptied: false }]);
    const jobs = await world.database.query<{ attempts: number; last_error: string }>(sql`
      select attempts, last_error from jobs
       where platform_id = ${platform.id} and kind = 'customer.erase-restored'`);
    assert.equal(jobs.length, 1);
    assert.match(jobs[0]?.last_error ?? '', /balance|money/i);
    const shown = await platform.call('getCustomerById', { params: { customerId: id } });
    assert.deepEqual([shown.status, shown.raw.includes(PERSON.fullName)], [200, false]);
    const listed = await platform.call('listCustomers');
    assert.deepEqual([listed.status, listed.raw.includes(PERSON.fullName)], [200, false]);
  });
});
