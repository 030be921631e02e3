import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { insertFirstKeys } from '#foundation/person-keys/key-store.ts';
import { isMonth } from '#foundation/person-keys/known-store.ts';
import { PERSON } from '#tests/given/customers.ts';
import { PATIENCE, personKeysUrl } from '#tests/harness/databases.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { givenProxiedKeys, SHARED_VAULT } from '#tests/harness/person-keys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('keys without a customer', () => {
  const world = testWorld();
  let store: Database;
  before(() => {
    store = openDatabase({ url: personKeysUrl(), connectionsMax: 2, ...PATIENCE });
  });
  after(() => store.close());

  async function peopleOf(platform: TestPlatform): Promise<string[]> {
    const rows = await store.query<{ person_id: string }>(sql`
      select person_id from people where platform_id = ${platform.id} order by person_id`);
    return rows.map(({ person_id }) => person_id).filter((person) => !isMonth(person));
  }

  it('decision 0039: refused calls use up no keys, and a process that stops deletes its reserve', async () => {
    const platform = await world.platform();
    const people = await givenProxiedKeys(world.database, SHARED_VAULT, world.clock);
    const served = await world.elsewhere(platform, people);
    const create = (platformCustomerId: string) =>
      served.call('createCustomer', { body: { ...PERSON, platformCustomerId } });
    const first = await create('ref-1');
    assert.equal(first.status, 201, first.raw);
    const reserved = await peopleOf(platform);
    for (let again = 0; again < 20; again++) assert.equal((await create('ref-1')).status, 409);
    assert.ok((await peopleOf(platform)).length <= reserved.length + 2);
    const second = await create('ref-2');
    assert.equal(second.status, 201, second.raw);
    await people.personKeys.discardSpares();
    await people.close();
    const created = [first, second].map(({ body }) => uuidOf((body as { id: string }).id));
    assert.deepEqual(await peopleOf(platform), created.toSorted());
  });

  it('decision 0039: a restored database that does not know a customer deletes no key', async () => {
    const platform = await world.platform();
    // A customer who was added after the backup: the key exists, the row does not.
    const unknown = newUuid();
    await insertFirstKeys(store, platform.id, [
      { person_id: unknown, generation: 1, wrapped: Buffer.from('wrapped') },
    ]);
    await store.query(sql`
      update people set created_at = now() - interval '10 years' where person_id = ${unknown}`);
    for (let day = 0; day < 3; day++) {
      world.clock.advance(86_400_000);
      await world.app.worker.settle(platform.id);
    }
    assert.ok((await peopleOf(platform)).includes(unknown));
    const keys = await store.query(sql`select from person_keys where person_id = ${unknown}`);
    assert.equal(keys.length, 1);
  });
});
