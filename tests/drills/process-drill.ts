import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from '#foundation/database/sql.ts';
import { Cluster } from '#tests/drills/cluster.ts';
import { ContendingClient } from '#tests/drills/contending-client.ts';
import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { checkResult, read } from '#tests/drills/payment-check.ts';
import { underLoad } from '#tests/drills/payment-load.ts';
import { countEnds, openPaymentPlatform, type PaymentPlatform } from '#tests/drills/payment-platform.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';

/**
 * Runs two API processes and two workers on one PostgreSQL while clients of several platforms make payments of all kinds
 * and contend for the same few accounts, calling the two in turn. Afterwards everything must equal a plain sequential model,
 * and there must have been no deadlock.
 */
async function run(run: DrillRun): Promise<Figures> {
  const cluster = await Cluster.open({ settings: { SANDBOX_UMA_DOMAIN: TEST_DOMAINS.sandboxUmaDomain } });
  const platforms: PaymentPlatform[] = [];
  try {
    while (platforms.length < run.amount('platforms')) platforms.push(await openPaymentPlatform(cluster));
    const clients = Array.from({ length: platforms.length * run.amount('clients') }, (_, i) => {
      const platform = platforms[i % platforms.length] as PaymentPlatform;
      return new ContendingClient(platform, new SeededRandom(run.random.between(0, 2 ** 31)));
    });
    await underLoad(clients, () => delay(Math.min(run.amount('seconds') * 1_000, run.leftMs)));
    const { events } = await checkResult(cluster, platforms);
    const models = platforms.map(({ model }) => model);
    return {
      payments: models.reduce((sum, { payments }) => sum + payments.length, 0),
      refusals: clients.reduce((sum, { refusals }) => sum + refusals, 0),
      events,
      deadlocks: await countDeadlocks(cluster),
      ...countEnds(models),
    };
  } finally {
    await cluster.close();
    for (const { platform } of platforms) await platform.receiver.close();
  }
}

/** Ends the processes, because a connection reports its counters at the latest when it closes. */
async function countDeadlocks(cluster: Cluster): Promise<number> {
  await cluster.stop();
  const [row] = await read<{ deadlocks: bigint }>(
    cluster,
    sql`select deadlocks from pg_stat_database where datname = current_database()`,
  );
  assert.equal(row?.deadlocks, 0n, 'deadlocks');
  return Number(row.deadlocks);
}

export const processDrill: Drill = {
  name: 'processes',
  proves:
    'Two API processes and two workers under contention end as a plain sequential model, without a deadlock (decision 0018).',
  amounts: {
    seconds: { says: 'seconds under load', usual: 60, brief: 4 },
    platforms: { says: 'platforms', usual: 3, brief: 2 },
    clients: { says: 'clients of each platform', usual: 8, brief: 4 },
  },
  work: 'seconds',
  run,
};
