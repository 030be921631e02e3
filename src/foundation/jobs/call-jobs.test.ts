import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { CallHandler, JobHandlers } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { type OutboxPlatform, outboxWorld } from '#tests/harness/outbox-world.ts';

describe('jobs that make outbound calls', () => {
  const world = outboxWorld();

  it('decision 0004: the call is made with the lease committed and no transaction open', async () => {
    const platform = await world.platform();
    await put(platform, 1);
    let seen: unknown;
    const jobs: JobHandlers = {
      pay: {
        async call(work) {
          // Seen from another connection: the lease is stored, and no transaction is open.
          seen = await world.database.query(sql`
            select leased_until is not null as is_leased,
                   (select count(*)::int from pg_stat_activity
                     where datname = current_database() and state like 'idle in transaction%') as open
              from jobs where platform_id = ${work.platform.id} and kind = 'pay'`);
          return markPaid;
        },
      },
    };
    await world.worker({ jobs }).settle(platform.id);
    assert.deepEqual(seen, [{ is_leased: true, open: 0 }]);
    assert.equal(await paid(platform), 1);
    assert.equal(await left(platform), 0);
  });

  it('if the effect fails the job stays, and its call is repeated', async () => {
    const platform = await world.platform();
    await put(platform, 1);
    let calls = 0;
    const jobs: JobHandlers = {
      pay: {
        async call() {
          calls++;
          return async (tx) => {
            await markPaid(tx);
            if (calls === 1) throw new Error('no commit');
          };
        },
      },
    };
    const worker = world.worker({ jobs });
    await worker.settle(platform.id);
    assert.equal(await paid(platform), 0);
    world.clock.advance(1_000);
    await worker.settle(platform.id);
    assert.deepEqual(
      { calls, paid: await paid(platform), left: await left(platform) },
      { calls: 2, paid: 1, left: 0 },
    );
    world.errors.splice(0);
  });

  it('a call that outlives its lease applies nothing: the process that took over the job does', async () => {
    const platform = await world.platform();
    await put(platform, 1);
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = world.worker({
      jobs: {
        pay: {
          async call() {
            begun.resolve();
            await end.promise;
            return markPaid;
          },
        },
      },
    });
    const settled = slow.settle(platform.id, { outboundMs: 0, processesMs: 0 });
    await begun.promise;
    const quick = world.worker({ jobs: { pay: { call: async () => markPaid } } });
    await quick.settle(platform.id, { outboundMs: 0, processesMs: 0 });
    assert.equal(await paid(platform), 0, 'while the lease is valid no other process calls');
    world.clock.advance(60_001);
    await quick.settle(platform.id);
    assert.equal(await paid(platform), 1);
    end.resolve();
    await settled;
    assert.equal(await paid(platform), 1);
  });

  it('several jobs share one call if the handler supports it, and are called one by one if that fails', async () => {
    const platform = await world.platform();
    await put(platform, 5);
    const sizes: number[] = [];
    let isDown = false;
    const pay: CallHandler = {
      async call() {
        sizes.push(1);
        return markPaid;
      },
      async many(_work, batch) {
        sizes.push(batch.length);
        if (isDown) throw new Error('batches are refused');
        return async (tx) => {
          for (const _ of batch) await markPaid(tx);
        };
      },
    };
    const worker = world.worker({ jobs: { pay } });
    await worker.settle(platform.id);
    assert.deepEqual([sizes.splice(0), await paid(platform)], [[5], 5]);
    isDown = true;
    await put(platform, 3);
    await worker.settle(platform.id);
    assert.deepEqual([sizes, await paid(platform)], [[3, 1, 1, 1], 8]);
    assert.equal(await left(platform), 0);
  });

  it('a job that is cancelled during the call of its batch delays none of the others', async () => {
    const platform = await world.platform();
    await put(platform, 3);
    const sizes: number[] = [];
    const pay: CallHandler = {
      call: () => assert.fail('nothing failed'),
      async many({ platform: { id } }, batch) {
        sizes.push(batch.length);
        // Like a step that cancels scheduled jobs: the lease is not a lock.
        if (batch.length === 3) {
          await world.database.query(
            sql`delete from jobs where platform_id = ${id} and id = ${batch[1]?.id}`,
          );
        }
        return async (tx) => {
          for (const _ of batch) await markPaid(tx);
        };
      },
    };
    await world.worker({ jobs: { pay } }).settle(platform.id, { outboundMs: 0, processesMs: 0 });
    assert.deepEqual([sizes, await paid(platform), await left(platform)], [[3, 2], 2, 0]);
  });

  it('if another process takes over part of a batch, each job is done once, by its lease holder', async () => {
    const platform = await world.platform();
    await put(platform, 3);
    const sizes: number[] = [];
    const pay: CallHandler = {
      call: () => assert.fail('nothing failed'),
      async many({ platform: { id } }, batch) {
        sizes.push(batch.length);
        if (batch.length === 3) {
          await world.database.query(sql`
            update jobs set lease_owner = gen_random_uuid() where platform_id = ${id} and id = ${batch[0]?.id}`);
        }
        return async (tx) => {
          for (const _ of batch) await markPaid(tx);
        };
      },
    };
    await world.worker({ jobs: { pay } }).settle(platform.id, { outboundMs: 0, processesMs: 0 });
    assert.deepEqual([sizes, await paid(platform), await left(platform)], [[3, 2], 2, 1]);
  });

  function put(platform: OutboxPlatform, count: number): Promise<void> {
    return platform.write(async (tx) => {
      for (let n = 0; n < count; n++) schedule(tx, { kind: 'pay', afterMs: 0 });
    });
  }

  async function markPaid(tx: Tx): Promise<void> {
    await tx.sql`update platforms set name = name || '$' where id = ${tx.platformId}`;
  }

  async function paid(platform: OutboxPlatform): Promise<number> {
    const [row] = await world.database.query<{ name: string }>(
      sql`select name from platforms where id = ${platform.id}`,
    );
    return (row?.name.split('$').length ?? 1) - 1;
  }

  async function left(platform: OutboxPlatform): Promise<number> {
    const rows = await world.database.query(
      sql`select 1 from jobs where platform_id = ${platform.id} and kind = 'pay'`,
    );
    return rows.length;
  }
});
