import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from '#foundation/database/sql.ts';
import { Cluster } from '#tests/drills/cluster.ts';
import { ContendingClient } from '#tests/drills/contending-client.ts';
import { checkResult, read } from '#tests/drills/payment-check.ts';
import { underLoad } from '#tests/drills/payment-load.ts';
import { countEnds, openPaymentPlatform, type PaymentPlatform } from '#tests/drills/payment-platform.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';

export interface ProcessDrillOptions {
  readonly seconds: number;
  readonly platforms: number;
  /** The number for each platform. */
  readonly clients: number;
  readonly seed: number;
}

export interface ProcessDrillReport {
  readonly payments: number;
  readonly refusals: number;
  readonly events: number;
  readonly deadlocks: number;
  readonly ends: Readonly<Record<string, number>>;
}

/**
 * Runs two API processes and two workers on one PostgreSQL while clients of several platforms make payments of all kinds
 * and contend for the same few accounts, calling the two in turn. Afterwards everything must equal a plain sequential model,
 * and there must have been no deadlock.
 */
export async function processDrill(options: ProcessDrillOptions): Promise<ProcessDrillReport> {
  const cluster = await Cluster.open({ SANDBOX_UMA_DOMAIN: TEST_DOMAINS.sandboxUmaDomain });
  const platforms: PaymentPlatform[] = [];
  try {
    while (platforms.length < options.platforms) platforms.push(await openPaymentPlatform(cluster));
    const random = new SeededRandom(options.seed);
    const clients = Array.from({ length: options.platforms * options.clients }, (_, i) => {
      const platform = platforms[i % platforms.length] as PaymentPlatform;
      return new ContendingClient(platform, new SeededRandom(random.between(0, 2 ** 31)));
    });
    await underLoad(clients, () => delay(options.seconds * 1_000));
    const { events } = await checkResult(cluster, platforms);
    const models = platforms.map(({ model }) => model);
    return {
      payments: models.reduce((sum, { payments }) => sum + payments.length, 0),
      refusals: clients.reduce((sum, { refusals }) => sum + refusals, 0),
      events,
      deadlocks: await countDeadlocks(cluster),
      ends: countEnds(models),
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
