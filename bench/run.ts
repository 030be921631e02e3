import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { migrate } from '#foundation/database/migrate.ts';
import { cardContestants } from './cards.ts';
import { completionContestant, printWebhookLags } from './completion.ts';
import { countInstructions } from './count-instructions.ts';
import { instructionsOf } from './counted-subjects.ts';
import { type CpuMeter, cpuMeter } from './cpu.ts';
import { createDatabase, databaseAt, databaseOf } from './databases.ts';
import { executionContestants } from './executions.ts';
import { ledgerContestants } from './ledger-contestants.ts';
import { type LoadProcess, startLoadProcess } from './load.ts';
import { readContestants } from './read.ts';
import { prepareRefusals } from './refusals.ts';
import { type Contestant, measure, median, type Pace } from './rounds.ts';
import { FULL, QUICK, type Size } from './sizes.ts';
import { comparisonsOf, printResults, printRows, type Row } from './table.ts';
import { plainTransfer } from './tpcb-contestant.ts';
import { hasValgrind } from './valgrind.ts';

/** The tools of a part. */
interface Bench {
  /** A migrated database that no other part uses. */
  readonly databaseUrl: string;
  /** The same, with as many connections as the yardstick has. */
  readonly database: Database;
  /** The server, over a connection whose use is not measured. */
  readonly server: Database;
  /** The usage of this process and the database. */
  readonly cpu: CpuMeter;
  readonly load: LoadProcess;
  readonly size: Size;
  /** The steps that close the part after its measurement, last first, because it would slow the next one. */
  readonly closers: (() => Promise<void>)[];
  emptyDatabase(name: string): Promise<string>;
  /** Measures beside the plain-SQL transfer, and prints. */
  compare(title: string, contestants: readonly Contestant[], pace?: Partial<Pace>): Promise<void>;
  /** Adds a line to the table at the end of the run. */
  conclude(line: Line): void;
}

/** A figure with a budget. */
interface Line {
  readonly what: string;
  readonly figure: string;
  readonly budget: string;
  readonly isReached: boolean;
}

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  async ledger({ compare, ...bench }) {
    await compare('ledger', await ledgerContestants(bench));
  },
  async reads({ compare, ...bench }) {
    await compare('reads', await readContestants(bench));
  },
  async executions({ compare, emptyDatabase, ...bench }) {
    const peerUrl = await emptyDatabase('peer');
    const guardedPeerUrl = await emptyDatabase('guarded_peer');
    const contestants = await executionContestants({ ...bench, peerUrl, guardedPeerUrl });
    // Some ten thousand payments until the compiler has seen all of their code often enough.
    await compare('executions', contestants, { warmUpRounds: 8 });
  },
  async refusals({ compare, ...bench }) {
    const { contestants, printOthers } = await prepareRefusals(bench);
    await compare('refusals', contestants, { warmUpRounds: 4 });
    printOthers();
  },
  async cards({ compare, ...bench }) {
    await compare('cards', await cardContestants(bench));
  },
  async webhooks(bench) {
    await printWebhookLags(bench);
  },
  async completion({ compare, ...bench }) {
    const pace = { rounds: 3, roundMs: bench.size.streamRoundMs, warmUpRounds: 1 };
    await compare('completion', [await completionContestant(bench)], pace);
  },
  async instructions({ conclude, ...bench }) {
    if (!hasValgrind()) return console.log('\ninstructions are not counted: that needs valgrind');
    await countInstructions({
      ...bench.size.counting,
      report(_, samples) {
        for (const [part, budget] of [['commit', 2.9] as const, ['look and commit', undefined] as const]) {
          if (!samples[0]?.[part]) continue;
          const millions = median(samples.map((sample) => instructionsOf(sample[part] ?? []))) / 1e6;
          conclude({
            what: `instructions of the backend for one execution, ${part}`,
            figure: `${millions.toFixed(2)} M`,
            budget: budget === undefined ? '' : `≤ ${budget} M`,
            isReached: millions <= (budget ?? Number.POSITIVE_INFINITY),
          });
        }
      },
    });
  },
};

/**
 * `npm run bench`: measures the service's throughput and processor time beside plain SQL and beside naive peers, on the
 * same PostgreSQL with the same durability, in interleaved rounds. Only ratios matter: machines differ, and so does one
 * machine from hour to hour.
 *
 * `npm run bench -- executions webhooks` runs these parts alone; `--rounds 3` is a quick look. `--quick` shows in seconds
 * that everything runs, with figures that mean nothing.
 */
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string' }, quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const size = values.quick ? QUICK : FULL;
const rounds = Number(values.rounds ?? size.rounds);
if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds takes a count');
const parts = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = parts.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) throw new Error(`there is no ${unknown}; the parts are ${Object.keys(PARTS)}`);

const conclusions: Row[] = [];
const folder = await mkdtemp(join(tmpdir(), 'corridor-bench-'));
const embedded = await startEmbedded({ dataDir: folder, report: (line) => console.log(line) });
const serverUrl = databaseAt(embedded.url, 'postgres');
try {
  // Nothing else uses this database: all others are copies of it.
  await migrate(embedded.url);
  for (const name of parts) await run(name, PARTS[name] as (bench: Bench) => Promise<void>);
  if (conclusions.length > 0) {
    console.log('\nall figures with a budget');
    printRows(conclusions);
  }
} finally {
  await embedded.stop();
  await rm(folder, { recursive: true, force: true });
}

async function run(name: string, part: (bench: Bench) => Promise<void>): Promise<void> {
  const databaseUrl = await createDatabase(serverUrl, `bench_${name}`, databaseOf(embedded.url));
  const database = openDatabase({
    url: databaseUrl,
    connectionsMax: 2 * size.clients,
    commitsMax: size.clients,
  });
  const server = openDatabase({ url: serverUrl, connectionsMax: 1 });
  const cpu = cpuMeter(server, process.pid, databaseUrl);
  const load = startLoadProcess();
  const closers = [database.close, server.close, async () => load.stop()];
  const emptyDatabase = (purpose: string) => createDatabase(serverUrl, `bench_${name}_${purpose}`);
  const lines: Line[] = [];
  const loadBefore = loadavg()[0] ?? 0;
  const compare: Bench['compare'] = async (title, contestants, pace = {}) => {
    const plainUrl = await emptyDatabase('plain');
    const yardstick = await plainTransfer({ databaseUrl: plainUrl, server, size, closers });
    const results = await measure([yardstick, ...contestants], paceOf(pace));
    printResults(title, results);
    for (const { name: what, rate, budget } of comparisonsOf(results)) {
      if (budget === undefined) continue;
      lines.push({ what, figure: rate.toFixed(2), budget: `≥ ${budget}`, isReached: rate >= budget });
    }
  };
  try {
    const conclude = (line: Line) => void lines.push(line);
    await part({ databaseUrl, database, server, cpu, load, size, closers, emptyDatabase, compare, conclude });
  } finally {
    for (const close of closers.reverse()) await close();
  }
  const machineLoad = `${loadBefore.toFixed(1)} → ${(loadavg()[0] ?? 0).toFixed(1)}`;
  console.log(`\nload average during ${name}: ${machineLoad}`);
  for (const { what, figure, budget, isReached } of lines) {
    conclusions.push({
      what,
      figure,
      budget,
      missed: isReached ? '' : 'missed',
      'load average': machineLoad,
    });
  }
}

function paceOf(pace: Partial<Pace>): Pace {
  const { warmUpRounds = 3, roundMs = size.roundMs } = pace;
  return {
    rounds: Math.min(rounds, pace.rounds ?? rounds),
    roundMs,
    warmUpRounds: Math.min(warmUpRounds, size.warmUpRoundsMax),
  };
}
