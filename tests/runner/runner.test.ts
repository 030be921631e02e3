// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { glob, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { describeLack, isForLackOfJudge } from '#tests/harness/judges.ts';
import { type BatchResult, runBatch, Silence } from '#tests/runner/batch.ts';
import { countCoreSeconds } from '#tests/runner/core-seconds.ts';
import { assignLanes, inBatches, LANE_NAMES, readLane } from '#tests/runner/lanes.ts';
import { makeRunFolder } from '#tests/runner/run-folder.ts';
import { countResults } from '#tests/runner/tally.ts';

const NO_PROC = existsSync('/proc/self/stat') ? false : 'this system has no /proc';

describe('the run of the tests', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-runner-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Runs test files with these contents in one process. */
  async function run(contents: Record<string, string>, quietLimitMs = 120_000): Promise<BatchResult> {
    const files = await Promise.all(
      Object.entries(contents).map(async ([name, text]) => {
        const path = join(folder, `${name}.test.mjs`);
        await writeFile(path, `import { describe, it } from 'node:test';\n${text}`);
        return relative(process.cwd(), path);
      }),
    );
    const { signal } = new AbortController();
    return runBatch(files, { flags: [], databaseUrl: 'postgres://nowhere', folder, quietLimitMs, signal });
  }

  async function tallied(contents: Record<string, string>, quietLimitMs?: number) {
    return countResults([await run(contents, quietLimitMs)], false);
  }

  it('counts tests, not suites, and the time of each file', async () => {
    const tally = await tallied({
      good: `describe('a', () => { it('b', () => {}); it('c', { skip: true }, () => {}); });`,
    });
    assert.deepEqual([tally.passed, tally.failed, tally.skipped, tally.isGood], [1, 0, 1, true]);
    assert.equal(tally.durations.size, 1);
  });

  it('a missing program skips its tests and is named with the command that installs it; a skipped suite is not a failure', async () => {
    const lack = describeLack('go');
    const tally = await tallied({
      single: `it('a', { skip: '${lack}' }, () => {}); it('b', (t) => t.skip('${lack}')); it('c', { skip: 'other' }, () => {});`,
      suite: `describe('d', { skip: '${lack}' }, () => it('e', () => {})); it('f', () => {});`,
    });
    assert.deepEqual(
      [...tally.skipReasons],
      [
        [lack, 3],
        ['other', 1],
      ],
    );
    assert.deepEqual([isForLackOfJudge(lack), isForLackOfJudge('other')], [true, false]);
    assert.match(lack, /^Go is not installed\. On Debian: apt-get install golang-go$/);
    assert.deepEqual([tally.troubles, tally.isGood], [[], true]);
  });

  it('a failed test is one failure, with its error and its cause', async () => {
    const { events, trouble } = await run({
      bad: `describe('a', () => it('b', () => { throw new Error('deep', { cause: new TypeError('deeper') }); }));`,
    });
    const tally = countResults([{ files: [], output: '', events, trouble }], false);
    assert.deepEqual([tally.passed, tally.failed, tally.isGood], [0, 1, false]);
    const errors = events.flatMap(({ type, data }) => (type === 'test:fail' ? [data.details.error] : []));
    assert.ok(errors[0] instanceof Error);
    assert.equal((errors[0].cause as Error).message, 'deep');
    assert.equal(((errors[0].cause as Error).cause as Error).message, 'deeper');
  });

  it('a process that ends in the middle fails the run, whatever its exit code', async () => {
    const tally = await tallied({
      exits: `it('first', async () => {}); it('leaves', async () => { await 0; setTimeout(() => process.exit(0)); await new Promise(() => setTimeout(() => 0, 1e6)); });`,
    });
    assert.equal(tally.isGood, false);
    assert.match(
      tally.troubles.join(),
      /exits\.test\.mjs ended in the middle, with 0; under way was "leaves"/,
    );
  });

  it('a process that hangs is ended, and the tests under way are named', async () => {
    const hanging = { hangs: `it('waits', () => new Promise(() => setTimeout(() => 0, 1e8)));` };
    const tally = await tallied(hanging, 1_200);
    assert.equal(tally.isGood, false);
    assert.match(tally.troubles.join(), /hung: nothing was heard of it for 0\.02 minutes/);
  });

  it('a process may take any time while it produces output', () => {
    const silence = new Silence(1_000);
    const heard = [0, 0, 10, 10, 20, 30, 30, 40];
    const looks = heard.map((length, i) => silence.isTooLong(length, i * 900));
    assert.deepEqual(looks, Array(heard.length).fill(false));
    assert.equal(silence.isTooLong(40, 7 * 900 + 1_000), true);
  });

  it('an error that belongs to no test fails the run', async () => {
    const tally = await tallied({
      stray: `it('starts something', () => void setTimeout(() => { throw new Error('stray'); }, 50));`,
    });
    assert.deepEqual([tally.failed, tally.isGood], [0, false]);
    assert.match(tally.troubles.join(), /though no test failed[\s\S]*stray/);
  });

  it('a file without a test fails the run, and so does a run without any', async () => {
    const one = await tallied({ empty: `describe('nothing', () => {});`, full: `it('is', () => {});` });
    assert.match(one.troubles.join(), /empty\.test\.mjs has no test/);
    const skipped = await tallied({ skipped: `it('is not', { skip: true }, () => {});` });
    assert.deepEqual([skipped.troubles, skipped.isGood], [['no test ran'], false]);
    assert.equal(countResults([], true).isGood, false);
  });

  it('nothing in the fast lane drives a browser, kills a process or runs a model or a drill', async () => {
    const files = await Array.fromAsync(glob('{src,tests}/**/*.test.ts'));
    const heavy = (await assignLanes(files)).fast.map(async (file) => {
      const kills = /\.kill\(/.test(await readFile(file, 'utf8'));
      const helpers = await listHelpers(file);
      return [
        ...(kills ? [`${file} kills`] : []),
        ...helpers.filter((helper) => HEAVY.test(helper)).map((helper) => `${file} → ${helper}`),
      ];
    });
    assert.deepEqual((await Promise.all(heavy)).flat(), []);
  });

  it('the first line of a file names its lane and a reason; a file without such a line is in the fast lane', async () => {
    assert.equal(readLane('a', "import 'b';\n"), 'fast');
    assert.equal(readLane('a', "// lane: first — drives a browser\n\nimport 'b';\n"), 'first');
    const wrong = [
      '// lane: last — it is unknown\n',
      '// lane: fast — it needs no line\n',
      '// lane: first\n',
      '// lane: first — \n',
      "import 'b';\n// lane: first — it is not in the first line\n",
      '// lane: first — one\n// lane: whole — another\n',
    ];
    for (const text of wrong) assert.throws(() => readLane('a', text), /^Error: a: only its first line/);
    const files = await Array.fromAsync(glob('{src,tests}/**/*.test.ts'));
    const lanes = await assignLanes(files);
    assert.deepEqual(LANE_NAMES.flatMap((lane) => lanes[lane]).sort(), files.sort());
    for (const lane of LANE_NAMES) assert.ok(lanes[lane].length > 0, lane);
  });

  it('every file runs in one process, browser tests share one, and the last processes have the fewest files', () => {
    const files = Array.from({ length: 300 }, (_, i) => `${i}.test.ts`);
    for (const lane of LANE_NAMES)
      assert.deepEqual(
        inBatches(lane, files, 3).flatMap((batch) => batch.files),
        files,
      );
    const sizes = inBatches('fast', files, 3).map((batch) => batch.files.length);
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => b - a),
    );
    assert.ok((sizes[0] ?? 0) >= 40 && (sizes.at(-1) ?? 0) <= 16, String(sizes));
    assert.equal(inBatches('browser', files, 3).length, 1);
    assert.equal(inBatches('first', files, 3).length, 300);
  });

  it('counts the core-seconds of processes that ended, and of a process with its children', {
    skip: NO_PROC,
  }, async () => {
    const count = countCoreSeconds();
    count.ofEnded();
    await run({ busy: `it('is busy', () => { for (const end = Date.now() + 400; Date.now() < end; ); });` });
    const spent = count.ofEnded() ?? 0;
    assert.ok(spent > 0.05, String(spent));
    assert.ok((count.ofPostgres(process.pid) ?? 0) >= spent);
    assert.equal(count.ofPostgres(2 ** 30), undefined);
    assert.ok((count.ofMachine() ?? 0) >= spent - 0.1, String(count.ofMachine()));
  });

  it('a new run removes the folders of runs that were killed', async () => {
    const mine = await makeRunFolder();
    const dead = join(dirname(mine), 'corridor-tests-999999999-abcdef');
    await mkdir(dead);
    const next = await makeRunFolder();
    const left = await readdir(dirname(mine));
    assert.deepEqual([left.includes(basename(mine)), left.includes(basename(dead))], [true, false]);
    await Promise.all([mine, next].map((path) => rm(path, { recursive: true })));
  });
});

const HEAVY = /^tests\/(harness\/browser\.ts|model\/|drills\/)/;

/** Everything in tests/ that a file imports, and what that imports; types do nothing. */
async function listHelpers(file: string, known = new Set<string>()): Promise<string[]> {
  const imports = (await readFile(file, 'utf8')).matchAll(
    /^(?:import|export) (?!type)[^;]*?'#(tests\/[^']+)'/gms,
  );
  for (const [, helper = ''] of imports) {
    if (known.has(helper)) continue;
    known.add(helper);
    await listHelpers(helper, known);
  }
  return [...known];
}
