import { glob, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { spec } from 'node:test/reporters';
import { startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { prepareTemplate, SOCKETS, shortenPasswordCheck } from '#tests/harness/databases.ts';
import { isForLackOfJudge } from '#tests/harness/judges.ts';
import { type BatchOptions, type BatchResult, runBatch } from '#tests/runner/batch.ts';
import { countCoreSeconds } from '#tests/runner/core-seconds.ts';
import { assignLanes, type Batch, inBatches, LANE_NAMES, type Lane } from '#tests/runner/lanes.ts';
import { makeRunFolder, makeSocketFolder } from '#tests/runner/run-folder.ts';
import { countResults, type Tally } from '#tests/runner/tally.ts';

/**
 * Runs the tests on one throw-away PostgreSQL, a few files to a process and several processes side by side.
 *
 *   npm test                      everything
 *   npm test -- src/foundation/http          files below a folder, or single files
 *   npm run test:fast             the short ones, without a lane of their own (tests/runner/lanes.ts)
 *
 * Other flags go to Node: `--test-name-pattern=…`. `TEST_PROCESSES` says how many run side by side. `TEST_TRACKED=1` makes
 * Node.js name the test that a stray exception belongs to, which takes longer. With
 * `TEST_DATABASE_URL` on a server of your own, as a superuser: to try another version of PostgreSQL.
 */
const FAST = '--fast';
const PROCESSES_MAX = 4;
/**
 * A process without progress for this time counts as hanging, and is ended. It is five times as long as the longest test
 * takes on two busy cores, so that a slow machine does not fail, and short enough for a run of half an hour to report it.
 */
const QUIET_LIMIT_MS = 20 * 60_000;
/**
 * Nothing here outlives the run, so durability would only cost time. Crash tests start their own clusters. PostgreSQL
 * otherwise plans a statement for each of its first five executions, which takes a tenth to a quarter of its time here.
 */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  plan_cache_mode: 'force_generic_plan',
};
const COUNT = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

const words = process.argv.slice(2);
const given = words.filter((word) => !word.startsWith('--'));
const flags = words.filter((word) => word.startsWith('--') && word !== FAST);
/** One more than there are processors, because tests sometimes wait for a clock. */
const processes = Number(process.env.TEST_PROCESSES ?? Math.min(availableParallelism() + 1, PROCESSES_MAX));

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
const coreSeconds = countCoreSeconds();
process.exitCode = await main();

async function main(): Promise<number> {
  const files = await testFiles();
  if (files.length === 0) {
    console.error('no test file matches');
    return 1;
  }
  const folder = await makeRunFolder();
  try {
    const outside = process.env.TEST_DATABASE_URL;
    return outside ? await runOn(outside, files, folder) : await runOnEmbedded(files, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function testFiles(): Promise<string[]> {
  const all = (await Array.fromAsync(glob('{src,tests}/**/*.test.ts'))).sort();
  const prefixes = given.map((prefix) => prefix.replace(/^\.\//, ''));
  const chosen =
    prefixes.length > 0 ? all.filter((file) => prefixes.some((prefix) => file.startsWith(prefix))) : all;
  return words.includes(FAST) ? [...(await assignLanes(chosen)).fast] : chosen;
}

async function runOnEmbedded(files: string[], folder: string): Promise<number> {
  const sockets = await makeSocketFolder(folder);
  if (sockets !== undefined) process.env[SOCKETS] = sockets;
  const database = await startEmbedded({
    dataDir: folder,
    report: () => undefined,
    settings: { ...SETTINGS, unix_socket_directories: sockets ?? '' },
  });
  try {
    await shortenPasswordCheck(database.url);
    return await runOn(database.url, files, folder, database.pid);
  } finally {
    await database.stop();
  }
}

async function runOn(
  databaseUrl: string,
  files: string[],
  folder: string,
  postgres?: number,
): Promise<number> {
  await prepareTemplate(databaseUrl);
  const began = performance.now();
  const results = await runAll(files, {
    flags,
    databaseUrl,
    folder,
    quietLimitMs: QUIET_LIMIT_MS,
    signal: interrupted.signal,
  });
  const tally = countResults(results, flags.length > 0);
  tell(tally, performance.now() - began);
  tellCoreSeconds(results, postgres);
  return tally.isGood ? 0 : 1;
}

interface LaneResult extends BatchResult {
  readonly lane: Lane;
  readonly coreSeconds: number | undefined;
}

/** Results are shown a batch at a time, and all failures once more at the end. */
async function runAll(files: string[], options: BatchOptions): Promise<LaneResult[]> {
  const results: LaneResult[] = [];
  const report = new spec();
  report.pipe(process.stdout, { end: false });
  const work = async (batches: Batch[]) => {
    for (let batch = batches.shift(); batch && !options.signal.aborted; batch = batches.shift()) {
      const result = await runBatch(batch.files, options);
      results.push({ ...result, lane: batch.lane, coreSeconds: coreSeconds.ofEnded() });
      if (result.trouble === undefined) process.stdout.write(result.output);
      // Counts are printed once, for all.
      for (const event of result.events) if (!isCount(event)) report.write(event);
    }
  };
  const lanes = await assignLanes(files);
  const batchesOf = (lane: Lane) => inBatches(lane, lanes[lane], processes);
  const batches = (['first', 'browser', 'whole', 'fast'] as const).flatMap(batchesOf);
  await Promise.all([work(batchesOf('waits')), ...Array.from({ length: processes }, () => work(batches))]);
  await work(batchesOf('alone'));
  const shown = new Promise((resolve) => report.once('end', resolve));
  report.end();
  await shown;
  return results;
}

function isCount({ type, data }: BatchResult['events'][number]): boolean {
  return type === 'test:summary' || (type === 'test:diagnostic' && COUNT.test(data.message));
}

function tell(tally: Tally, ms: number): void {
  const { passed, failed, skipped, skipReasons, troubles, durations } = tally;
  const longest = [...durations].sort(([, a], [, b]) => b - a).slice(0, 10);
  const seconds = (time: number) => `${(time / 1_000).toFixed(1)} s`;
  console.log(`\nlongest: ${longest.map(([file, time]) => `${file} ${seconds(time)}`).join(', ')}`);
  for (const trouble of troubles) console.log(`\n✖ ${trouble}`);
  const lacks = [...skipReasons].filter(([reason]) => isForLackOfJudge(reason));
  if (lacks.length > 0) console.log('\nNot everything was tested (REQUIRE_JUDGES=1 makes these fail):');
  for (const [reason, count] of lacks) console.log(`  ${count} skipped: ${reason}`);
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds(ms)}`);
}

/** Unlike the duration, this shows a run's cost even on a busy machine. A killed process's children are not counted. */
function tellCoreSeconds(results: readonly LaneResult[], postgres: number | undefined): void {
  const ofLane = (lane: Lane) =>
    results.reduce((sum, result) => sum + (result.lane === lane ? (result.coreSeconds ?? 0) : 0), 0);
  const parts = [
    ...LANE_NAMES.map((lane) => [`lane ${lane}`, ofLane(lane)] as const),
    ['PostgreSQL', (postgres !== undefined && coreSeconds.ofPostgres(postgres)) || 0] as const,
  ].filter(([, seconds]) => seconds > 0);
  if (parts.length === 0) return;
  const sum = parts.reduce((total, [, seconds]) => total + seconds, 0);
  const machine = coreSeconds.ofMachine();
  const named = parts.map(([name, seconds]) => `${name} ${seconds.toFixed(0)}`).join(', ');
  const whole = machine === undefined ? '' : `; the whole machine ${machine.toFixed(0)}`;
  console.log(`core-seconds: ${named}; together ${sum.toFixed(0)}${whole}`);
}
