import { openAll } from '#tests/drills/areas/all.ts';
import type { Area } from '#tests/drills/areas/area.ts';
import { Cluster } from '#tests/drills/cluster.ts';
import { type Drill, type DrillRun, type Figures, quantile } from '#tests/drills/frame/drill.ts';
import { type Load, underLoad } from '#tests/drills/payment-load.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';

const TARGETS = ['api', 'worker', 'database'] as const;

/**
 * Kills API processes, workers and PostgreSQL with `kill -9`, one at a time and at random moments, while two APIs and two
 * workers serve payments, cards, coins, agents and webhooks. Afterwards each area must equal its model.
 */
async function run(run: DrillRun): Promise<Figures> {
  const cluster = await Cluster.open({ settings: { SANDBOX_UMA_DOMAIN: TEST_DOMAINS.sandboxUmaDomain } });
  let areas: Area | undefined;
  try {
    areas = await openAll(cluster, run.random, run.amount('clients'));
    let killed: Figures = {};
    await underLoad(areas.clients, async (load) => {
      killed = await killInTurn(cluster, load, run);
    });
    run.say('the load is over, and everything is compared');
    const figures = await areas.check();
    return { ...killed, ...figures, 'answers 503, each repeated under its key': cluster.unavailable };
  } finally {
    await cluster.close();
    await areas?.close();
  }
}

async function killInTurn(cluster: Cluster, load: Load, run: DrillRun): Promise<Figures> {
  const counts = { api: 0, worker: 0, database: 0 };
  const successes: number[] = [];
  let kills = 0;
  for (; run.continues('kills', kills); kills++) {
    await load.more(run.random.between(2, 30));
    // The first three are one of each.
    const target = kills < TARGETS.length ? (TARGETS[kills] as 'api') : run.random.pick(TARGETS);
    const success = cluster.nextSuccess();
    if (target === 'database') await cluster.killDatabase();
    else await cluster.replace(target, run.random.between(0, 1));
    counts[target]++;
    const ms = await success;
    successes.push(Math.round(ms));
    run.say(
      `kill ${kills + 1}: ${target}; a change succeeded after ${Math.round(ms)} ms; ${load.done()} courses`,
    );
  }
  await load.more(10);
  return {
    kills,
    ...{ 'of APIs': counts.api, 'of workers': counts.worker, 'of PostgreSQL': counts.database },
    'ms to the first success, median': quantile(successes, 0.5),
    'ms to the first success, worst': Math.max(0, ...successes),
  };
}

export const mixDrill: Drill = {
  name: 'kills',
  proves:
    'Under kills of API processes, workers and PostgreSQL, payments, cards, coins and agents end as in an undisturbed run, nothing is lost or counted twice, and the ledger verifies.',
  amounts: {
    kills: { says: 'kills, one at a time', usual: 100, brief: 3 },
    clients: { says: 'clients of each of the four areas', usual: 3, brief: 1 },
  },
  work: 'kills',
  run,
};
