// lane: first — the real binary, once for each guide

import assert from 'node:assert/strict';
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import {
  isAsTold,
  listRepeatedSteps,
  listUnusedBlocks,
  parseOutputs,
  parseSteps,
  renderScript,
  renderShortNpm,
  type Step,
  TOOLS,
} from '#tests/checks/guides.ts';
import { serveCommands } from '#tests/harness/command-line.ts';
import { type GuidedShell, openGuidedShell } from '#tests/harness/guided-shell.ts';
import { skipWithout } from '#tests/harness/judges.ts';
import { testedBinary } from '#tests/harness/tested-binary.ts';

/** Blocks of guides that another test runs: the language, and the test. */
const RUN_ELSEWHERE: Readonly<Record<string, { language: string; by: string }>> = {
  'docs/guides/cards.md': { language: 'html', by: 'src/capabilities/cards/reveal/page-browser.test.ts' },
};

describe('the guides of docs/guides', async () => {
  const guides = (await Array.fromAsync(glob('docs/guides/*.md'))).sort();
  assert.ok(guides.length > 0);
  const closers: (() => Promise<void>)[] = [];
  let shell: GuidedShell;
  let shortNpm: string | undefined;

  before(async () => {
    shell = await openGuidedShell({ after: (close) => void closers.push(close) });
  });

  after(async () => {
    for (const close of closers.reverse()) await close();
    if (shortNpm !== undefined) await rm(shortNpm, { recursive: true, force: true });
  });

  // All in one sandbox, then again in reverse order: a reader may take them in any order, and repeat them.
  for (const path of guides) {
    it(`${path}: its code runs unchanged in a used sandbox, prints the expected output, and cleans up`, async (t) => {
      const guide = await readFile(path, 'utf8');
      const others = listUnusedBlocks(guide).filter(
        ({ language }) => language !== RUN_ELSEWHERE[path]?.language,
      );
      assert.deepEqual(others, [], 'a block that nothing runs');
      const steps = parseSteps(guide);
      assert.ok(steps.length > 0, 'it has no shell code');
      await follow(t, path, steps);
    });
  }

  for (const path of guides.toReversed()) {
    it(`${path}: its code runs again after the other guides, with the same output`, async (t) => {
      const steps = listRepeatedSteps(parseSteps(await readFile(path, 'utf8')));
      await follow(t, path, steps, `export PATH='${await givenShortNpm()}':"$PATH"`);
    });
  }

  /** The folder with a program in place of npm, and with the socket that runs its commands. */
  async function givenShortNpm(): Promise<string> {
    if (shortNpm !== undefined) return shortNpm;
    shortNpm = await mkdtemp(join(tmpdir(), 'corridor-npm-'));
    const commands = join(shortNpm, 'commands');
    closers.push(await serveCommands(commands));
    const script = renderShortNpm(process.execPath, await testedBinary(), commands);
    await writeFile(join(shortNpm, 'npm'), script, { mode: 0o755 });
    return shortNpm;
  }

  async function follow(t: TestContext, path: string, steps: readonly Step[], opening = ''): Promise<void> {
    const script = renderScript(steps);
    const lack = await lackFor(script);
    if (lack) return t.skip(lack);
    const before = await shell.state();
    const { code, stdout, stderr } = await shell.run(`${opening}\n${script}`);
    // The operator's commands name their platform there.
    const complaints = stderr.replace(/^Platform: .*\n/gm, '');
    assert.equal(complaints, '', `${path} complains after\n${stdout}`);
    assert.equal(code, 0, `${path} stops after\n${stdout}`);
    const outputs = parseOutputs(stdout);
    for (const [i, { prints, line }] of steps.entries()) {
      const printed = outputs[i] ?? '';
      assert.ok(prints === undefined || isAsTold(prints, printed), `${path}:${line} printed\n${printed}`);
    }
    assert.deepEqual(
      await shell.state(),
      before,
      'files in the folder, or settings of the platform, are others',
    );
  }

  it('docs/agents.md: its calls work beside the same calls of the guide', async () => {
    const [create = '', approve = ''] = shellCodeOf(await readFile('docs/agents.md', 'utf8'));
    const steps = shellCodeOf(await readFile('docs/guides/agents.md', 'utf8'));
    const asked = steps.findIndex((code) => code.includes('ACTION=$(call "agents/approvals'));
    assert.ok(asked > 0);
    const code = [
      ...steps.slice(0, asked + 1),
      `CLIENT_ID="$(echo $AUTH | cut -d : -f 1)" CLIENT_SECRET="$(echo $AUTH | cut -d : -f 2)"`,
      `CREATED=$(${create})`,
      'echo "=== step 0"; echo "$CREATED" | grep -c deviceCode',
      `echo "=== step 1"; ${approve.trim()} | field status`,
    ];
    const { stdout, stderr } = await shell.run(code.join('\n'));
    assert.equal(stderr, '', stdout);
    assert.deepEqual(
      parseOutputs(stdout).map((text) => text.trim()),
      ['1', 'APPROVED'],
    );
  });

  const shellCodeOf = (document: string) => parseSteps(document).map(({ code }) => code);

  /** The first program that this machine lacks to run it. */
  async function lackFor(script: string): Promise<string | undefined> {
    for (const { starts, judge } of TOOLS) {
      const lack = starts.test(script) && (await skipWithout(judge));
      if (lack) return lack;
    }
    return undefined;
  }

  it('every block that another test runs is run there', async () => {
    for (const [guide, { language, by }] of Object.entries(RUN_ELSEWHERE)) {
      const test = await readFile(by, 'utf8');
      assert.ok(test.includes(guide) && test.includes(`'${language}'`), by);
    }
  });
});
