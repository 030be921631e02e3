import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { migrate } from '#foundation/database/migrate.ts';
import { cardContestants } from './cards.ts';
import { completionContestant, printWebhookLags } from './completion.ts';
import { type CpuMeter, cpuMeter } from './cpu.ts';
import { executionContestants } from './executions.ts';
import { ledgerContestants } from './ledger-contestants.ts';
import { type LoadProcess, startLoadProcess } from './load.ts';
import { readContestants } from './read.ts';
import { prepareRefusals } from './refusals.ts';
import { type Contestant, measure, type Pace } from './rounds.ts';
import { printResults } from './table.ts';
import { PLAIN_CONNECTIONS } from './tpcb.ts';
import { plainTransfer } from './tpcb-contestant.ts';
import { emptyDatabase } from './world.ts';

/** The tools of a part. */
interface Bench {
  /** A migrated database. */
  readonly databaseUrl: string;
  /** The same, with as many connections as the yardstick has. */
  readonly database: Database;
  /** The server, over a connection whose use is not measured. */
  readonly server: Database;
  /** The usage of this process and the database. */
  readonly cpu: CpuMeter;
  readonly load: LoadProcess;
  /** The steps that close the part after its measurement, last first, because it would slow the next one. */
  readonly closers: (() => Promise<void>)[];
  newDatabase(name: string): Promise<string>;
  /** Measures beside the plain-SQL transfer, and prints. */
  compare(title: string, contestants: readonly Contestant[], pace?: Partial<Pace>): Promise<void>;
}

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  async ledger({ compare, database, cpu }) {
    await compare('ledger', await ledgerContestants(database, cpu));
  },
  async reads({ compare, ...bench }) {
    await compare('reads', await readContestants(bench));
  },
  async executions({ compare, newDatabase, ...bench }) {
    const serviceUrl = await newDatabase('executions');
    const peerUrl = await newDatabase('peer');
    const contestants = await executionContestants({ ...bench, serviceUrl, peerUrl });
    // Some ten thousand payments until the compiler has seen all of their code often enough.
    await compare('executions', contestants, { warmUpRounds: 8 });
  },
  async refusals({ compare, newDatabase, ...bench }) {
    const databaseUrl = await newDatabase('refusals');
    const { contestants, printOthers } = await prepareRefusals({ ...bench, databaseUrl });
    await compare('refusals', contestants, { warmUpRounds: 4 });
    printOthers();
  },
  async cards({ compare, ...bench }) {
    await compare('cards', await cardContestants(bench));
  },
  async webhooks({ newDatabase, ...bench }) {
    await printWebhookLags({ ...bench, databaseUrl: await newDatabase('webhooks') });
  },
  async completion({ compare, newDatabase, ...bench }) {
    const contestant = await completionContestant({ ...bench, databaseUrl: await newDatabase('completion') });
    // Each a stream of some seconds.
    await compare('completion', [contestant], { rounds: 3, roundMs: 2_000, warmUpRounds: 1 });
  },
};

/**
 * `npm run bench`: measures the service's throughput and processor time beside plain SQL and beside a naive peer, on the
 * same PostgreSQL with the same durability, in interleaved rounds. Only ratios matter: machines differ, and so does one
 * machine from hour to hour.
 *
 * `npm run bench -- executions webhooks` runs these parts alone; `--rounds 3` is a quick look.
 */
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '11' } },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds takes a count');
const parts = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = parts.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) throw new Error(`there is no ${unknown}; the parts are ${Object.keys(PARTS)}`);

const folder = await mkdtemp(join(tmpdir(), 'corridor-bench-'));
const embedded = await startEmbedded({ dataDir: folder, report: (line) => console.log(line) });
try {
  await migrate(embedded.url);
  for (const name of parts) await run(PARTS[name] as (bench: Bench) => Promise<void>);
} finally {
  await embedded.stop();
  await rm(folder, { recursive: true, force: true });
}

async function run(part: (bench: Bench) => Promise<void>): Promise<void> {
  const { url: databaseUrl } = embedded;
  const open = (connectionsMax: number) => openDatabase({ url: databaseUrl, connectionsMax });
  const [database, server] = [open(PLAIN_CONNECTIONS), open(1)];
  const cpu = cpuMeter(server, process.pid, databaseUrl);
  const load = startLoadProcess();
  const closers = [database.close, server.close, async () => load.stop()];
  try {
    await part({
      databaseUrl,
      database,
      server,
      cpu,
      load,
      closers,
      newDatabase: (name) => emptyDatabase(databaseUrl, name),
      async compare(title, contestants, pace = {}) {
        const yardstick = await plainTransfer({ databaseUrl, server, closers });
        const all = { roundMs: 600, ...pace, rounds: Math.min(rounds, pace.rounds ?? rounds) };
        const results = await measure([yardstick, ...contestants], all);
        printResults(title, results);
      },
    });
  } finally {
    for (const close of closers.reverse()) await close();
  }
}
