// lane: whole — repeats races many times

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { bodyHash, claimKey, settleKey } from '#foundation/http/idempotency/idempotency.ts';
import { untilBlocked } from '#tests/given/blocked.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('idempotency keys that are purged while they are read', () => {
  const world = testWorld();

  it('platform.md §2.5: a key that is purged between a call’s claim and its read is free, and no conflict', async () => {
    const platform = await world.platform();
    const work = await platform.work();
    const use = {
      scope: 'POST /things',
      key: 'once',
      bodyHash: bodyHash(world.app.runtime.vault, {}),
      conflict: 'CONFLICT',
      secretReply: false,
    } as const;
    await work.write(async (tx) => {
      await claimKey(tx, use);
      await settleKey(tx, use, { status: 201, body: '{}' });
    });
    const other = new pg.Client({ connectionString: world.databaseUrl });
    await other.connect();
    try {
      await other.query('select pg_advisory_lock(4711)');
      // Stops a claim right after it found the key taken.
      await other.query(`
        create function pause_here() returns trigger language plpgsql as
          $$ begin perform pg_advisory_xact_lock(4711); return null; end $$`);
      await other.query(`
        create trigger pause_here after insert on idempotency_keys for each statement execute function pause_here()`);
      const claiming = work.write((tx) => claimKey(tx, use)).then(() => 'claimed');
      await untilBlocked(world.databaseUrl, 1, claiming);
      await other.query('delete from idempotency_keys where platform_id = $1', [platform.id]);
      await other.query('select pg_advisory_unlock(4711)');
      assert.equal(await claiming, 'claimed');
    } finally {
      await other.query('drop trigger if exists pause_here on idempotency_keys');
      await other.query('drop function if exists pause_here');
      await other.end();
    }
  });
});
