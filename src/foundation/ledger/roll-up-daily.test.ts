import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('roll-ups every day', () => {
  const world = testWorld({ journalIsChecked: false });

  it('money.md §11.5: a platform rolls up its shared accounts with its daily purge', async () => {
    const platform = await world.platform();
    const marks = () =>
      world.database.query(sql`select from ledger_rollup_marks where platform_id = ${platform.id}`);
    assert.equal((await marks()).length, 0);
    await platform.call('advanceSandboxClock', { body: { seconds: 86_400 } });
    // The roll-up runs after the commit of the purge, in a transaction of its own.
    const deadline = Date.now() + 60_000;
    while ((await marks()).length === 0 && Date.now() < deadline) await new Promise(setImmediate);
    assert.equal((await marks()).length, 1);
  });
});
