import { openAll } from '#tests/drills/areas/all.ts';
import type { Area } from '#tests/drills/areas/area.ts';
import { resting } from '#tests/drills/areas/resting.ts';
import { FAULTS, possibleFaults } from '#tests/drills/failover/faults.ts';
import { PatroniSite } from '#tests/drills/failover/patroni-site.ts';
import { describeMissing } from '#tests/drills/failover/programs.ts';
import { type Drill, type DrillRun, type Figures, quantile } from '#tests/drills/frame/drill.ts';
import { type Load, underLoad } from '#tests/drills/payment-load.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';

/** Tables that only grow: if a follower lacks one of their rows, a failover would have lost it. */
const COMPARED = ['ledger_entries', 'audit_log', 'ledger_balances'];

/**
 * Makes the leader of three PostgreSQL servers fail in one way after the other, while APIs and workers serve payments, cards,
 * coins, agents and webhooks. Afterwards each area must equal its model, and all three servers must have the same rows.
 */
async function run(run: DrillRun): Promise<Figures> {
  const site = await PatroniSite.open({
    settings: { SANDBOX_UMA_DOMAIN: TEST_DOMAINS.sandboxUmaDomain },
    pairs: run.amount('pairs'),
    isPooled: run.amount('pgbouncer') > 0,
  });
  let areas: Area | undefined;
  try {
    run.say(`three PostgreSQL run ${site.description}`);
    areas = await openAll(site, run.random, run.amount('clients'));
    let endured: Figures = {};
    const clients = areas.clients.map((client) => resting(client, run.amount('rest')));
    await underLoad(clients, async (load) => {
      endured = await failInTurn(site, load, run);
    });
    run.say('the load is over, and everything is compared');
    const figures = await areas.check();
    await site.requireSameCopies(COMPARED);
    return {
      ...endured,
      ...figures,
      'answers 503 in a fault, each repeated under its key': site.unavailable,
      'answers 503 without a fault, each repeated under its key': site.faults.filter((fault) =>
        fault.includes(' answered 503: '),
      ).length,
      PostgreSQL: site.description,
      ...(site.canFillDisks ? {} : { 'full disks': 'none, because this user may not mount disks' }),
    };
  } finally {
    await site.close();
    await areas?.close();
  }
}

async function failInTurn(site: PatroniSite, load: Load, run: DrillRun): Promise<Figures> {
  const kinds = possibleFaults(site);
  const pauses = new Map<string, number[]>();
  let faults = 0;
  for (; run.continues('faults', faults); faults++) {
    await load.more(run.random.between(2, run.amount('courses')));
    // Each kind once, then kinds that the seed draws.
    const kind = kinds[faults] ?? run.random.pick(kinds);
    const leader = await site.leader();
    const ms = await site.endure(async () => FAULTS[kind]?.(site, leader, run.random));
    pauses.set(kind, [...(pauses.get(kind) ?? []), Math.round(ms)]);
    run.say(
      `fault ${faults + 1}: ${leader.name} ${kind}; ${Math.round(ms)} ms without a success; ${load.done()} courses`,
    );
  }
  await load.more(10);
  const described = [...pauses].map(([kind, times]) => [
    `ms without a success, ${kind}`,
    `median ${quantile(times, 0.5)}, worst ${Math.max(...times)} (${times.length})`,
  ]);
  return { faults, ...Object.fromEntries(described) };
}

export const failoverDrill: Drill = {
  name: 'failover',
  proves:
    'While the leader of three PostgreSQL servers is killed, stopped, cut off, switched over or out of space, payments, cards, coins and agents end as in an undisturbed run, nothing is lost or counted twice, and the ledger verifies.',
  amounts: {
    faults: { says: 'faults of the leader, one at a time', usual: 20, brief: 2 },
    clients: { says: 'clients of each of the four areas', usual: 3, brief: 1 },
    courses: { says: 'at most this many courses between two faults', usual: 30, brief: 10 },
    rest: {
      says: 'rest of a client after a course, as a multiple of the time of the course',
      usual: 0,
      brief: 4,
    },
    pairs: { says: 'API processes, and as many workers', usual: 2, brief: 1 },
    pgbouncer: { says: '1 puts PgBouncer between the processes and HAProxy', usual: 0, brief: 0 },
  },
  work: 'faults',
  missing: ({ pgbouncer = 0 }) =>
    describeMissing(['patroni', 'etcd', 'haproxy', ...(pgbouncer > 0 ? (['pgbouncer'] as const) : [])]),
  run,
};
