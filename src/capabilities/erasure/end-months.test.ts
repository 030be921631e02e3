import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { strangersOf } from '#foundation/person-keys/people.ts';
import { openPersonKeys } from '#foundation/person-keys/person-keys.ts';
import { PATIENCE, personKeysUrl } from '#tests/harness/databases.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('the end of months', () => {
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

  async function endMonths(platform: TestPlatform): Promise<void> {
    const work = await platform.work();
    await work.write(async (tx) => schedule(tx, { kind: 'people.end-months', key: 'daily', afterMs: 0 }));
    await world.app.worker.settle(platform.id);
  }

  it('decision 0039: the key of a month is destroyed when five years are over', async () => {
    const platform = await world.platform();
    const { personKeys, vault } = world.app.runtime;
    const [over, kept] = [new Date('2020-01-15'), new Date('2021-06-15')].map((at) =>
      strangersOf(vault, platform.id, at),
    ) as [string, string];
    await personKeys.ensure(platform.id, [over, kept]);
    await age([over], '5 years 2 months');
    await age([kept], '5 years');
    await endMonths(platform);
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
      const keys = await openPersonKeys({
        database: world.database,
        store,
        vault,
        clock: world.clock,
        retentionYears,
      });
      return keys.personKeys.findOldMonths(platform.id);
    };
    assert.deepEqual(await over(10), [oldest]);
    assert.deepEqual(await over(0), [oldest, older]);
  });
});
