import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ATTENTION_KINDS, loadAttention } from '#app/attention.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { requireAgreement } from '#foundation/person-keys/agreement.ts';
import { strangersOf } from '#foundation/person-keys/people.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { PATIENCE, personKeysUrl } from '#tests/harness/databases.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { givenProxiedKeys, SHARED_VAULT } from '#tests/harness/person-keys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

interface StoredKey {
  readonly person_id: string;
  readonly wrapped: Buffer;
}

describe('customers.md §2.4.26k: a key that is lost', () => {
  const world = testWorld();
  let store: Database;
  before(() => {
    store = openDatabase({ url: personKeysUrl(), connectionsMax: 2, ...PATIENCE });
  });
  after(() => store.close());

  /** Loses keys, as a store does that was restored from an older backup. Returns what brings them back. */
  async function lose(platform: TestPlatform, people: readonly string[]): Promise<() => Promise<void>> {
    const lost = await store.query<StoredKey>(sql`
      delete from person_keys where person_id = any(${people}::uuid[]) returning person_id, wrapped`);
    await store.query(sql`delete from people where person_id = any(${people}::uuid[])`);
    return async () => {
      for (const { person_id, wrapped } of lost) {
        await store.query(
          sql`insert into people (person_id, platform_id) values (${person_id}, ${platform.id})`,
        );
        await store.query(sql`
          insert into person_keys (person_id, generation, wrapped) values (${person_id}, 1, ${wrapped})`);
      }
    };
  }

  async function check(platform: TestPlatform): Promise<void> {
    const work = await platform.work();
    await work.write(async (tx) =>
      schedule(tx, { kind: 'people.check-keys', key: 'daily', payload: {}, afterMs: 0 }),
    );
    await world.app.worker.settle(platform.id);
  }

  async function listLost(platform: TestPlatform): Promise<string[]> {
    const groups = await loadAttention(world.database, {
      now: new Date(),
      environments: ['SANDBOX'],
      kinds: ATTENTION_KINDS.filter(({ name }) => name === 'lost-keys'),
      shown: 100,
    });
    const items = groups.flatMap((group) => group.items);
    return items.filter(({ platformId }) => platformId === platform.id).map(({ subject }) => subject);
  }

  it('the start does not notice it below the newest three, calls are 503, and no new key is made', async (context) => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    for (let newer = 0; newer < 3; newer++) await givenCustomer(platform);
    await world.app.worker.settle(platform.id);
    const bringBack = await lose(platform, [uuidOf(id)]);
    const { vault } = world.app.runtime;
    await requireAgreement(world.database, store, { vault, refresh: async () => undefined });
    const people = await givenProxiedKeys(world.database, SHARED_VAULT, world.clock);
    context.after(() => people.close());
    const cold = await world.elsewhere(platform, people);
    const params = { customerId: id };
    const calls = [
      () => cold.call('getCustomerById', { params }),
      () => cold.call('updateCustomerById', { params, body: { fullName: 'Another Name' } }),
      () => cold.call('listCustomers'),
    ];
    for (const call of calls) {
      const { status, body } = await call();
      assert.deepEqual([status, (body as { code?: string }).code], [503, 'SERVICE_UNAVAILABLE']);
    }
    assert.deepEqual(await store.query(sql`select from people where person_id = ${uuidOf(id)}`), []);
    assert.deepEqual(await listLost(platform), [id]);
    await bringBack();
    for (const call of [calls[0], calls[2]]) assert.equal((await call?.())?.status, 200);
    await check(platform);
    assert.deepEqual(await listLost(platform), []);
  });

  it('the daily check finds it among a thousand others, and months as well', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const month = strangersOf(world.app.runtime.vault, platform.id, new Date('2031-05-01'));
    await world.app.runtime.personKeys.ensure(platform.id, [month]);
    await world.database.query(sql`
      insert into keyed_people (person_id, platform_id)
      select gen_random_uuid(), ${platform.id} from generate_series(1, 1200)`);
    const others = await world.database.query<{ person_id: string }>(sql`
      select person_id from keyed_people where platform_id = ${platform.id} and person_id <> ${month}`);
    await store.query(sql`
      insert into people (person_id, platform_id)
      select id, ${platform.id} from unnest(${others.map((one) => one.person_id)}::uuid[]) as one(id)`);
    await store.query(sql`
      insert into person_keys (person_id, generation, wrapped)
      select id, 1, '\\x00' from unnest(${others.map((one) => one.person_id)}::uuid[]) as one(id)`);
    await check(platform);
    assert.deepEqual(await listLost(platform), []);
    await lose(platform, [uuidOf(id), month]);
    await check(platform);
    assert.deepEqual(
      new Set(await listLost(platform)),
      new Set([id, `the strangers of one month (${month})`]),
    );
    // A key that this process holds still opens the customer's values, for some minutes.
    const shown = await platform.call('getCustomerById', { params: { customerId: id } });
    assert.ok(shown.raw.includes(PERSON.fullName));
  });
});
