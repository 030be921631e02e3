// lane: whole — repeats races many times

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { JobHandlers } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { type OutboxPlatform, outboxWorld } from '#tests/harness/outbox-world.ts';

describe('a job that is scheduled while the same job is about to run', () => {
  const world = outboxWorld();
  const SWEEP = { kind: 'sweep', key: 'all', afterMs: 0 } as const;

  /** Collects the state that each sweep finds. */
  function sweeping() {
    const found: string[] = [];
    const jobs: JobHandlers = {
      sweep: {
        async run(tx) {
          const [row] = await tx.sql<{
            name: string;
          }>`select name from platforms where id = ${tx.platformId}`;
          found.push(row?.name ?? '');
        },
      },
    };
    return { found, worker: world.worker({ jobs }) };
  }

  /** Starts a transaction that schedules a sweep and commits only when the returned function is called. */
  async function begin(platform: OutboxPlatform) {
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ended = platform.write(async (tx: Tx) => {
      await tx.sql`update platforms set name = 'changed' where id = ${tx.platformId}`;
      schedule(tx, SWEEP);
      await tx.flush();
      begun.resolve();
      await end.promise;
    });
    await Promise.race([begun.promise, ended]);
    return async () => {
      end.resolve();
      await ended;
    };
  }

  it('decision 0004: a pending job does not run before the commit of a transaction that scheduled it again', async () => {
    const platform = await world.platform();
    const { found, worker } = sweeping();
    await platform.write(async (tx) => schedule(tx, SWEEP));
    const letGo = await begin(platform);
    await worker.settle(platform.id, { outboundMs: 0, processesMs: 0 });
    await letGo();
    await worker.settle(platform.id);
    assert.equal(found.at(-1), 'changed');
    const left = await world.database.query(
      sql`select 1 from jobs where platform_id = ${platform.id} and kind = 'sweep'`,
    );
    assert.equal(left.length, 0);
  });

  it('transactions that schedule the same job do not wait for each other', async () => {
    const platform = await world.platform();
    const { found, worker } = sweeping();
    await platform.write(async (tx) => schedule(tx, SWEEP));
    const letGo = await begin(platform);
    await platform.write(async (tx) => schedule(tx, SWEEP));
    await letGo();
    await worker.settle(platform.id);
    assert.deepEqual(found, ['changed']);
  });
});
