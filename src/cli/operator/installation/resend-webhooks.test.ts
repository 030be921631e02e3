import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { fetchAccounts } from '#tests/given/accounts.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';

describe('corridor webhook resend', () => {
  const world = operatorWorld();
  let other: TestPlatform;
  const json = async (...words: string[]) =>
    JSON.parse(await world.run('webhook', 'resend', ...words, '--json'));
  const giveUp = () =>
    world.database.query(sql`
      update events set state = 'EXHAUSTED', next_attempt_at = null, finished_at = created_at,
                        first_attempt_at = created_at`);
  const states = () =>
    world.database.query<{ platform_id: string; state: string; count: bigint }>(sql`
      select platform_id, state, count(*) from events group by 1, 2 order by 1, 2`);

  before(async () => {
    other = await world.another('Other');
    for (const platform of [world.platform, other]) {
      const { id } = await givenCustomer(platform);
      const [account] = await fetchAccounts(platform, id);
      const reason = ['--reason', 'a test'];
      for (const step of ['freeze', 'unfreeze', 'freeze']) {
        await world.run('account', step, account?.id ?? '', ...reason);
      }
    }
    await giveUp();
  });

  it('platform.md §4.2.6a: counts and resends by platform, time and state, up to a limit, audited', async () => {
    const before = await states();
    assert.deepEqual(
      before.map(({ state }) => state),
      ['EXHAUSTED', 'EXHAUSTED'],
    );
    const [mine, theirs] = await json('--state', 'exhausted', '--after', '1h', '--dry-run');
    assert.ok(mine.events >= 3 && theirs.events >= 3);
    assert.deepEqual(await states(), before, 'a dry run changes nothing');
    assert.equal(
      (await json('--state', 'EXHAUSTED', '--after', '2026-01-01', '--before', '1h'))[0].events,
      0,
    );
    const [few] = await json('--platform', 'Other', '--state', 'EXHAUSTED', '--after', '1h', '--limit', '2');
    assert.deepEqual([few.events, few.more], [2, true]);
    const [rest] = await json(
      '--platform',
      'Other',
      '--state',
      'EXHAUSTED',
      '--after',
      '1h',
      '--reason',
      'outage',
    );
    assert.deepEqual([rest.events, rest.more], [theirs.events - 2, false]);
    const after = await states();
    assert.deepEqual(
      after.map(({ platform_id, state }) => [platform_id, state]),
      [
        [world.platform.id, 'EXHAUSTED'],
        [other.id, 'PENDING'],
      ],
    );
    const rows = JSON.parse(await world.run('audit', 'list', '--action', 'webhook resend', '--json'));
    assert.deepEqual(
      rows.map(({ reason, details }: { reason?: string; details: { count: number } }) => [
        details.count,
        reason,
      ]),
      [
        [theirs.events - 2, 'outage'],
        [2, undefined],
      ],
    );
    await world.assertRefused([
      [['webhook', 'resend'], 2, /give an id, or --state and --after/],
      [['webhook', 'resend', '--state', 'EXHAUSTED'], 2, /give an id, or --state and --after/],
      [['webhook', 'resend', other.id, '--state', 'EXHAUSTED'], 2, /give either an id, or --state/],
    ]);
  });
});
