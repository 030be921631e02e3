import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { attachEmbedded } from '#foundation/database/embedded/embedded.ts';
import { sql } from '#foundation/database/sql.ts';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import { Bystander } from '#tests/drills/bystander.ts';
import { COLLECTED, collect, type Held } from '#tests/drills/collector.ts';
import { ConsoleOperator } from '#tests/drills/console-operator.ts';
import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { createPlatform } from '#tests/drills/remote-platform.ts';
import { fuzz } from '#tests/fuzz/fuzz.ts';
import { surfaceAtRest } from '#tests/fuzz/surface.ts';
import { corridor, type Environment, type Server, serve } from '#tests/harness/corridor-process.ts';
import { prepareDataFolder } from '#tests/harness/prepared-data-folder.ts';

/** Code is loaded and compiled, and caches fill, until this share of the requests is sent. Afterwards growth is a leak. */
const WARM_SHARE = 0.25;
/** What the heap may still grow by, and by how many handles: some belong to the calls of the bystander. */
const HEAP_GROWTH_MAX = 24e6;
const HANDLES_GROWTH_MAX = 40;
const LOOKS = 20;

/**
 * Sends broken requests to every operation and page of a separate server. None may be answered with a 5xx or logged as an
 * error. Afterwards the server must be ready, its ledger must verify, and it must stop normally. Its memory and handles are
 * measured on the way, each time after a full collection, so that growth means a leak.
 */
async function run(run: DrillRun): Promise<Figures> {
  const environment = {
    DATA_DIR: await prepareDataFolder(await mkdtemp(join(tmpdir(), 'corridor-fuzz-'))),
    ...COLLECTED,
  };
  const server = await serve(environment);
  try {
    // With these settings every kind of page has an address.
    const settings = ['counterpartyRequirements=true', 'requestRate.perSecond=0'];
    const { authorization } = await createPlatform(environment, settings);
    return await attack(run, server, environment, authorization);
  } finally {
    server.kill('SIGTERM');
    await server.finished;
    await rm(environment.DATA_DIR, { recursive: true, force: true });
  }
}

async function attack(
  run: DrillRun,
  server: Server,
  environment: Environment & { readonly DATA_DIR: string },
  authorization: string,
): Promise<Figures> {
  const { origin, port } = new URL(server.told.baseUrl ?? '');
  let isEnded = false;
  void server.finished.then(() => {
    isEnded = true;
  });
  const attached = await attachEmbedded(environment.DATA_DIR);
  const database = openDatabase({ url: attached?.url ?? '', connectionsMax: 1 });
  const bystander = await Bystander.open(server.told.baseUrl ?? '', environment);
  const watch = new Watch(run, server, database);
  await watch.look(0);
  const before = await bystander.measure(1_000);
  const meanwhile = bystander.start();
  const { sent, statuses, faults } = await fuzz({
    ...{ port: Number(port), authorization, routes: await surfaceAtRest() },
    ...{ requests: run.amount('requests'), seed: run.seed },
    operatorCookie: await operatorsOf(`http://localhost:${port}`, environment),
    isOver: () => isEnded || run.leftMs === 0,
    onProgress: async (count) => (isEnded ? undefined : watch.lookNowAndThen(count)),
  });
  const during = await meanwhile.stop();
  if (!isEnded) await watch.look(sent);
  await database.close();
  const problems = [...faults, ...(await problemsAtEnd(server, environment, origin)), ...watch.problems()];
  assert.deepEqual(problems, [], `${problems.length} problems`);
  return {
    requests: sent,
    ...Object.fromEntries([...statuses].sort().map(([status, count]) => [`answered ${status}`, count])),
    ...watch.figures(),
    'calls of the bystander': during.calls,
    'its p50 in ms, before and during': `${before.p50} and ${during.p50}`,
    'its p99 in ms, before and during': `${before.p99} and ${during.p99}`,
  };
}

/** Two operators with every role, so that some of their changes become proposals. They sign in again in turns. */
async function operatorsOf(origin: string, environment: Environment): Promise<() => Promise<string>> {
  const first = await ConsoleOperator.join(origin, environment, EVERY_ROLE);
  const both = [first, await ConsoleOperator.join(origin, environment, EVERY_ROLE, first)];
  let turns = 0;
  return async () => {
    const operator = both[turns++ % 2] ?? first;
    await operator.signIn();
    return operator.cookie;
  };
}

async function problemsAtEnd(server: Server, environment: Environment, origin: string): Promise<string[]> {
  const ready = await fetch(`${origin}/health/ready`).catch(() => undefined);
  const ledger = await corridor(['ledger', 'verify'], environment);
  server.kill('SIGTERM');
  const { code, stdout, stderr } = await server.finished;
  return [
    ...(stdout + stderr).split('\n').filter((line) => /"level":"(error|fatal)"/.test(line)),
    ...(ready?.status === 200 ? [] : ['the server is not ready']),
    ...(ledger.code === 0 ? [] : [`the ledger does not verify: ${ledger.stdout}${ledger.stderr}`]),
    ...(code === 0 ? [] : [`the server ended with exit code ${code}`]),
  ];
}

interface Sample extends Held {
  readonly sent: number;
  readonly connections: number;
}

/** Watches what a server under attack holds on to. */
class Watch {
  readonly #run: DrillRun;
  readonly #server: Server;
  readonly #database: Database;
  readonly #samples: Sample[] = [];
  #lookedAt = 0;

  constructor(run: DrillRun, server: Server, database: Database) {
    this.#run = run;
    this.#server = server;
    this.#database = database;
  }

  /** Every twentieth of the requests, or every half minute if a time ends them. */
  async lookNowAndThen(sent: number): Promise<void> {
    const last = this.#samples.at(-1)?.sent ?? 0;
    const isDue =
      sent - last >= this.#run.amount('requests') / LOOKS || performance.now() - this.#lookedAt > 30_000;
    if (isDue) await this.look(sent);
  }

  async look(sent: number): Promise<void> {
    const held = await collect(this.#server, this.#samples.length + 1);
    const [row] = await this.#database.query<{ count: bigint }>(
      sql`select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    const sample = { ...held, sent, connections: Number(row?.count) };
    this.#samples.push(sample);
    this.#lookedAt = performance.now();
    this.#run.say(
      `${sent} sent: resident ${inMb(sample.rss)} MB, heap ${inMb(sample.heapUsed)} MB, ${sample.handles} handles, ${sample.connections} connections`,
    );
  }

  /** Growth since the server was warm. */
  problems(): string[] {
    const last = this.#samples.at(-1) as Sample;
    const warm = this.#samples.find(({ sent }) => sent >= last.sent * WARM_SHARE) as Sample;
    const heap = last.heapUsed - warm.heapUsed;
    const handles = last.handles - warm.handles;
    return [
      ...(heap > HEAP_GROWTH_MAX ? [`the heap grew by ${inMb(heap)} MB after ${warm.sent} requests`] : []),
      ...(handles > HANDLES_GROWTH_MAX
        ? [`${handles} handles were left open after ${warm.sent} requests`]
        : []),
    ];
  }

  figures(): Figures {
    const all = (pick: (sample: Sample) => string | number) => {
      const shown = [0, 0.25, 0.5, 0.75, 1].map(
        (share) => this.#samples[Math.floor(share * (this.#samples.length - 1))],
      );
      return shown.map((sample) => pick(sample as Sample)).join(', ');
    };
    return {
      'heap in MB, from start to end': all(({ heapUsed }) => inMb(heapUsed)),
      'resident in MB': all(({ rss }) => inMb(rss)),
      handles: all(({ handles }) => handles),
      'connections to PostgreSQL': all(({ connections }) => connections),
    };
  }
}

function inMb(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

export const hostileDrill: Drill = {
  name: 'hostile',
  proves:
    'Broken requests to every operation and page cause no 5xx and no logged error, leave nothing in memory, and keep no other platform from its answers.',
  amounts: { requests: { says: 'broken requests', usual: 50_000, brief: 800 } },
  work: 'requests',
  run,
};
