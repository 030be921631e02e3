// lane: whole — loads every drill

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { briefAmounts, chooseAmounts, type Drill, quantile } from '#tests/drills/frame/drill.ts';
import { inMarkdown, inWords, runDrill } from '#tests/drills/frame/report.ts';
import { DRILLS } from '#tests/drills/members.ts';

/** Drills whose short form no test runs, with the reason. */
const NOT_BRIEFLY: Readonly<Record<string, string>> = {
  chainDrill: 'it runs the test of the chain, which every run contains',
  connectorDrill: 'it runs the test of payments through connectors, which every run contains',
  erasureDrill: 'it runs tests/service/people-kills.test.ts, which every run contains',
  fileKillDrill: 'it runs the test of killed workers of files, which every run contains',
  modelDrill: 'it runs the tests in tests/model, which every run contains',
  monthDrill: 'it runs the test of a month at two banks, which every run contains',
};

const options = { seed: 7, amounts: {}, say: () => undefined };

function given(run: Drill['run'], more: Partial<Drill> = {}): Drill {
  return { name: 'sample', proves: 'Something holds.', amounts: {}, run, ...more };
}

describe('a drill', () => {
  it('that ends has passed; its figures are in both reports', async () => {
    const report = await runDrill(
      given(async () => ({ kills: 12_345 })),
      options,
    );
    assert.equal(report.verdict, 'PASSED');
    assert.match(
      inWords(report),
      /^sample passed after .* \(--seed 7\)\.\nSomething holds\.\n {2}kills: 12,345$/,
    );
    assert.match(inMarkdown([report]), /\| \[sample\]\(#sample\) \| PASSED \|[\s\S]*- kills: 12,345/);
  });

  it('that throws has failed, and its report says why', async () => {
    const report = await runDrill(
      given(() => assert.fail('a cent is missing')),
      options,
    );
    assert.equal(report.verdict, 'FAILED');
    for (const text of [inWords(report), inMarkdown([report])]) assert.match(text, /a cent is missing/);
  });

  it('is skipped with the reason on a machine that lacks what it needs', async () => {
    const missing = async () => 'etcd is not installed';
    const report = await runDrill(
      given(() => assert.fail('it ran'), { missing }),
      options,
    );
    assert.deepEqual([report.verdict, report.problem], ['SKIPPED', 'etcd is not installed']);
  });

  it('with a time has no other limit for its work, unless one is given', () => {
    const amount = { says: '', usual: 20, brief: 2 };
    const drill = { amounts: { kills: amount, callers: amount }, work: 'kills' };
    assert.deepEqual(chooseAmounts(drill, {}, undefined), { kills: 20, callers: 20 });
    assert.deepEqual(chooseAmounts(drill, {}, 5), { kills: Number.POSITIVE_INFINITY, callers: 20 });
    assert.deepEqual(chooseAmounts(drill, { kills: 3 }, 5), { kills: 3, callers: 20 });
    assert.deepEqual(briefAmounts(drill), { kills: 2, callers: 2 });
  });

  it('has figures that are quantiles of what it measured', () => {
    assert.deepEqual(
      [quantile([3, 1, 2], 0.5), quantile([3, 1, 2], 1), quantile([], 0.5)],
      [2, 3, Number.NaN],
    );
  });
});

describe('the list of drills', () => {
  it('has every drill, and a test runs the short form of each, unless it says why not', async () => {
    const read = async (pattern: string) => {
      const files = await Array.fromAsync(glob(pattern));
      return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
    };
    const declared = (await read('tests/drills/**/*-drill.ts')).matchAll(/^export const (\w+): Drill = /gm);
    const variables = Array.from(declared, ([, variable = '']) => variable);
    const members = await read('tests/drills/members.ts');
    const tests = await read('tests/drills/*.test.ts');
    assert.equal(variables.length, DRILLS.length);
    for (const variable of variables) {
      assert.ok(members.includes(`  ${variable},`), `${variable} is not in members.ts`);
      const isRun = tests.includes(`briefly(t, ${variable})`);
      assert.equal(isRun, !Object.hasOwn(NOT_BRIEFLY, variable), `a test runs ${variable} briefly: ${isRun}`);
    }
  });

  it('has every drill and option that the document names', async () => {
    const document = await readFile('docs/drills.md', 'utf8');
    for (const [, name = '', option = ''] of document.matchAll(/npm run drill -- (\w+) --(\w+)/g)) {
      const drill = DRILLS.find((each) => each.name === name);
      assert.ok(name === 'all' || drill, name);
      assert.ok(['minutes', 'hours', ...Object.keys(drill?.amounts ?? {})].includes(option), option);
    }
    const listed = Array.from(document.matchAll(/^\| `(\w+)` \|/gm), ([, name]) => name);
    assert.deepEqual(
      listed,
      DRILLS.map(({ name }) => name),
      'the table has all drills, in the order of the list',
    );
  });

  it('names an amount of work that each drill has', () => {
    for (const { name, work, amounts } of DRILLS) assert.ok(work === undefined || amounts[work], name);
  });

  it('is printed by the program, which refuses wrong calls with code 2', async () => {
    const run = (...words: string[]) =>
      promisify(execFile)(process.execPath, ['tests/drills/run.ts', ...words]).then(
        ({ stdout }) => ({ code: 0, text: stdout }),
        ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }),
      );
    const { code, text } = await run('list');
    assert.equal(code, 0);
    for (const { name, proves } of DRILLS) assert.ok(text.includes(`${name}\n  ${proves}`), name);
    assert.deepEqual(await run('nothing'), {
      code: 2,
      text: 'There is no drill “nothing”. “npm run drill -- list” lists them.\n',
    });
    assert.match(
      (await run('cards', '--kills', 'many')).text,
      /^--kills needs a whole number, not “many”\.$/m,
    );
    assert.match(
      (await run('cards', '--hours', '1')).text,
      /“cards” takes --minutes, --seed, --kills, --cards and --json/,
    );
  });
});
