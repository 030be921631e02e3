import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Cluster } from '#tests/drills/cluster.ts';
import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { checkResult } from '#tests/drills/payment-check.ts';
import { type Load, PaymentClient, underLoad } from '#tests/drills/payment-load.ts';
import { openPaymentPlatform } from '#tests/drills/payment-platform.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import type { Environment } from '#tests/harness/corridor-process.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';

const AHEAD_MAX_MS = 30_000;
const PROCESSES = 4;
/** The next jump of each process, as far as this. */
const JUMPS = 1_000;
const JUMP = 'SIGUSR2';
/** Long enough for another worker to see a webhook that is under way, short enough for many. */
const ANSWER_MAX_MS = 900;

/**
 * Gives each process a wrong clock, at most 30 seconds ahead or behind, and lets the clocks jump within that range while
 * payments and webhooks are under way. Nothing fails meanwhile, so no event may be sent twice.
 */
async function run(run: DrillRun): Promise<Figures> {
  const wrongs = Array.from({ length: PROCESSES }, (_, i) => wrongTimes(run.random, i));
  const cluster = await Cluster.open({
    settings: { SANDBOX_UMA_DOMAIN: TEST_DOMAINS.sandboxUmaDomain },
    settingsOf: (started) => wrongClock(wrongs[started] ?? []),
  });
  const answers = new SeededRandom(run.seed);
  const payments = await openPaymentPlatform(cluster, () => answers.between(0, ANSWER_MAX_MS));
  const { platform, model } = payments;
  try {
    const clients = Array.from({ length: run.amount('clients') }, () => {
      return new PaymentClient(payments, new SeededRandom(run.random.between(0, 2 ** 31)));
    });
    let jumps = 0;
    await underLoad(clients, async (load) => {
      jumps = await jumpUnderLoad(cluster, load, run);
    });
    const { events } = await checkResult(cluster, [payments]);
    const ids = platform.receiver.received.map(({ body }) => body.id);
    const twice = ids.length - new Set(ids).size;
    assert.equal(twice, 0, 'no webhook is sent twice');
    const ahead = wrongs.map(([first = 0]) => (first / 1_000).toFixed(1)).join(', ');
    return {
      jumps,
      payments: model.payments.length,
      events,
      deliveries: ids.length,
      'seconds ahead of the database at the start': ahead,
    };
  } finally {
    await cluster.close();
    await platform.receiver.close();
  }
}

async function jumpUnderLoad(cluster: Cluster, load: Load, run: DrillRun): Promise<number> {
  let jumps = 0;
  for (; run.continues('jumps', jumps); jumps++) {
    await load.more(2);
    await delay(run.random.between(200, 1_500));
    cluster.signal(JUMP, run.random.between(0, PROCESSES - 1));
    if (jumps % 10 === 0) run.say(`${jumps + 1} jumps, ${load.done()} courses`);
  }
  await load.more(10);
  return jumps;
}

/** The milliseconds that a process is ahead, one after the other; neighbouring processes begin at opposite ends. */
function wrongTimes(random: SeededRandom, process: number): number[] {
  const first = process % 2 === 0 ? AHEAD_MAX_MS : -AHEAD_MAX_MS;
  return [first, ...Array.from({ length: JUMPS }, () => random.between(-AHEAD_MAX_MS, AHEAD_MAX_MS))];
}

/** Makes the process's own clock wrong; its monotonic clock stays right, as on a machine whose time is set. */
function wrongClock(ahead: readonly number[]): Environment {
  const program = `const ahead = ${JSON.stringify(ahead)};
let jumps = 0;
process.on('${JUMP}', () => jumps++);
const Right = Date;
const now = () => Right.now() + ahead[jumps % ahead.length];
globalThis.Date = new Proxy(Right, {
  construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
}

export const clockDrill: Drill = {
  name: 'clock',
  proves:
    'Processes whose clocks are up to 30 seconds wrong, and jump, send no webhook twice, and payments of all kinds end as with right clocks.',
  amounts: {
    jumps: { says: 'jumps of the clock of one process or another', usual: 40, brief: 2 },
    clients: { says: 'clients that pay at the same time', usual: 6, brief: 3 },
  },
  work: 'jumps',
  run,
};
