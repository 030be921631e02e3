import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { openAgents } from '#tests/drills/areas/agents.ts';
import type { Area, Client } from '#tests/drills/areas/area.ts';
import { openCards } from '#tests/drills/areas/cards.ts';
import { openCoins } from '#tests/drills/areas/coins.ts';
import { resting } from '#tests/drills/areas/resting.ts';
import { requireSound } from '#tests/drills/areas/sound.ts';
import { Cluster } from '#tests/drills/cluster.ts';
import { COLLECTED } from '#tests/drills/collector.ts';
import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { checkHolds } from '#tests/drills/payment-check.ts';
import { PaymentClient, underLoad } from '#tests/drills/payment-load.ts';
import { openPaymentPlatform, type PaymentPlatform } from '#tests/drills/payment-platform.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import { Watch } from '#tests/drills/soak/watch.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';
import { installClock, moveClock } from '#tests/harness/moving-clock.ts';
import { loginOf } from '#tests/model/money-model.ts';

const LOOK_MS = 500;
const DEADLINE_MS = 300_000;
/** A day passes until the next purge, and another until the rows of that day are old. */
const PURGE_HOURS = 48;

/** Columns with the time of each row, and how long rows are kept after that time. */
const RETENTION_HOURS = {
  events: { column: 'finished_at', hours: 30 * 24 },
  webhook_attempts: { column: 'at', hours: 30 * 24 },
  request_logs: { column: 'created_at', hours: 7 * 24 },
  idempotency_keys: { column: 'created_at', hours: 24 },
} as const;

/**
 * Moves the clock of the database on by a month, in steps, with a load of all areas between two steps. After each step, once
 * no work is due, it measures the memory of the processes and the sizes of the tables.
 */
async function run(run: DrillRun): Promise<Figures> {
  const cluster = await Cluster.open({
    settings: { SANDBOX_UMA_DOMAIN: TEST_DOMAINS.sandboxUmaDomain, ...COLLECTED },
    roles: ['api', 'worker'],
    prepare: installClock,
  });
  const watch = new Watch(cluster);
  let scene: Scene | undefined;
  try {
    scene = await openScene(cluster, run);
    const passed = await letTimePass(run, cluster, scene, watch);
    assert.equal(await checkHolds(scene.payments), 0, 'nothing waits for its customer for ever');
    await requireSound(cluster);
    assert.deepEqual(watch.problems(), [], 'nothing grows');
    return { ...passed, payments: scene.payments.model.payments.length, ...watch.figures() };
  } finally {
    await watch.close();
    await cluster.close();
    await scene?.close();
  }
}

interface Scene {
  readonly payments: PaymentPlatform;
  readonly clients: readonly Client[];
  close(): Promise<void>;
}

async function openScene(cluster: Cluster, run: DrillRun): Promise<Scene> {
  const payments = await openPaymentPlatform(cluster);
  const { random } = run;
  const count = run.amount('clients');
  const areas: Area[] = [];
  for (const open of [openCards, openCoins, openAgents]) areas.push(await open(cluster, random, count));
  const payers = Array.from({ length: count }, () => {
    return new PaymentClient(payments, new SeededRandom(random.between(0, 2 ** 31)));
  });
  return {
    payments,
    clients: [...payers, ...areas.flatMap(({ clients }) => clients)].map((client) => resting(client, 1)),
    close: async () => {
      await payments.platform.receiver.close();
      for (const area of areas) await area.close();
    },
  };
}

async function letTimePass(run: DrillRun, cluster: Cluster, scene: Scene, watch: Watch): Promise<Figures> {
  const hours = run.amount('hours');
  let [steps, courses, worst] = [0, 0, 0];
  for (; run.continues('steps', steps); steps++) {
    await underLoad(scene.clients, async (load) => {
      await load.more(run.amount('courses'));
      courses += load.done();
    });
    await moveClock(cluster.environment.DATABASE_URL, hours);
    worst = Math.max(worst, await settled(watch, (steps + 1) * hours));
    await logInAgain(scene.payments, hours);
    run.say(`${(steps + 1) * hours} hours: ${await watch.look((steps + 1) * hours)}`);
  }
  return {
    'hours that passed': steps * hours,
    steps,
    courses,
    'ms until nothing was due, worst': Math.round(worst),
  };
}

/** Moves the model's time on, too, and renews the sessions of customers, which have ended. */
async function logInAgain({ model, service }: PaymentPlatform, hours: number): Promise<void> {
  model.advance(hours * 3_600);
  const login = loginOf('D');
  assert.deepEqual(await service.apply(login, undefined, -1), model.apply(login, undefined), login.does);
}

/** Waits until no job is due, no event waits, and no row is older than it may be; returns how long that took. */
async function settled(watch: Watch, hours: number): Promise<number> {
  const began = performance.now();
  for (const deadline = Date.now() + DEADLINE_MS; ; await delay(LOOK_MS)) {
    const left = await unfinished(watch, hours);
    if (left.length === 0) return performance.now() - began;
    assert.ok(Date.now() < deadline, `still there: ${left.join(', ')}`);
  }
}

async function unfinished(watch: Watch, hours: number): Promise<string[]> {
  const waiting = await watch.query<{ what: string; count: bigint }>(sql`
    select kind as what, count(*) from jobs where due_at <= clock_timestamp() group by kind
     union all
    select 'events', count(*) from events where state = 'PENDING' having count(*) > 0`);
  const old: string[] = [];
  for (const [table, { column, hours: kept }] of Object.entries(RETENTION_HOURS)) {
    if (hours < kept) continue;
    const [row] = await watch.query<{ count: bigint }>(sql`
      select count(*) from ${rawSql(table)}
       where ${rawSql(column)} < clock_timestamp() - ${`${kept + PURGE_HOURS} hours`}::interval`);
    if (Number(row?.count) > 0) old.push(`${row?.count} rows in ${table} that should be deleted`);
  }
  return [...waiting.map(({ what, count }) => `${count} ${what}`), ...old];
}

export const soakDrill: Drill = {
  name: 'soak',
  proves:
    'While a month passes under half load, nothing stays due, old rows are deleted, and memory, connections and the size of a row do not grow.',
  amounts: {
    steps: { says: 'how many times the clock is moved', usual: 72, brief: 5 },
    hours: { says: 'hours by which each step moves the clock', usual: 12, brief: 172 },
    courses: { says: 'courses of all clients before each move', usual: 200, brief: 6 },
    clients: { says: 'clients of each of the four areas', usual: 2, brief: 1 },
  },
  work: 'steps',
  run,
};
