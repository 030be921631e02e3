import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#database/sql.ts';
import { testWorld } from '#tests/harness.ts';

describe('scheduled work of the ledger', () => {
  const world = testWorld();

  it('§11: a platform rolls its shared accounts up every day, from its first day on', async () => {
    const platform = await world.platform();
    const due = () =>
      world.database.query<{ due_at: Date }>(
        sql`select due_at from jobs where platform_id = ${platform.id} and kind = 'ledger.roll-up'`,
      );
    const marks = () =>
      world.database.query(sql`select from ledger_rollup_marks where platform_id = ${platform.id}`);
    const [first] = await due();
    assert.equal((await marks()).length, 0);
    await platform.call('advanceSandboxClock', { body: { seconds: 86_400 } });
    const [second, ...more] = await due();
    assert.equal((await marks()).length, 1);
    assert.deepEqual(more, []);
    assert.ok(first && second && second.due_at.getTime() - first.due_at.getTime() >= 86_400_000);
  });
});
