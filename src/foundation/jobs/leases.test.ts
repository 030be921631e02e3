import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import type { Job } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { endLease, leaseJobs, postponeJob } from '#foundation/jobs/store.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { type OutboxPlatform, outboxWorld } from '#tests/harness/outbox-world.ts';

describe('leases of jobs', () => {
  const world = outboxWorld();
  const LEASE_MS = 60_000;

  it('an expired lease that another process took over ends no job; the new lease does', async () => {
    const { platform, job, slow, quick } = await takenOver();
    const end = (owner: string) => platform.write((tx) => endLease(tx, [job.id], owner));
    assert.equal(await end(slow), false);
    assert.equal((await waiting(platform)).length, 1);
    assert.equal(await end(quick), true);
    assert.deepEqual(await waiting(platform), []);
  });

  it('a failure is not counted again by the process that lost the lease', async () => {
    const { platform, job } = await takenOver();
    await platform.write((tx) => postponeJob(tx, job, 1_000, 'told in time'));
    const before = await waiting(platform);
    assert.deepEqual(
      before.map(({ attempts, last_error }) => [attempts, last_error]),
      [[1, 'told in time']],
    );
    await platform.write((tx) => postponeJob(tx, job, 500_000, 'told late'));
    assert.deepEqual(await waiting(platform), before);
  });

  /** A job whose lease expired and that another process is running. */
  async function takenOver() {
    const platform = await world.platform();
    await platform.write(async (tx) => schedule(tx, { kind: 'call', afterMs: 0 }));
    const [slow, quick] = [newUuid(), newUuid()];
    await lease(platform, slow);
    world.clock.advance(LEASE_MS);
    const [job] = await lease(platform, quick);
    assert.ok(job);
    return { platform, job, slow, quick };
  }

  function lease(platform: OutboxPlatform, owner: string): Promise<Job[]> {
    const until = new Date(world.clock.now() + LEASE_MS);
    return platform.write((tx) => leaseJobs(tx, { kind: 'call', limit: 1 }, owner, until));
  }

  function waiting(platform: OutboxPlatform) {
    return world.database.query<{ attempts: number; last_error: string | null; due_at: Date }>(sql`
      select attempts, last_error, due_at from jobs where platform_id = ${platform.id} and kind = 'call'`);
  }
});
