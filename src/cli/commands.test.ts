import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import type { Command } from 'commander';
import { FOR_DEVELOPERS, FOR_OPERATORS } from '#cli/commands.ts';
import { UsageError } from '#cli/failure.ts';
import { createProgram } from '#cli/main.ts';
import { fullName } from '#cli/options.ts';

/** Commands that print no result, but the log of a server or a protocol. */
const WITHOUT_JSON = ['serve', 'mcp'];

describe('all commands', () => {
  let leaves: Command[];
  let groups: Command[];
  before(async () => {
    const all = below(await createProgram());
    leaves = all.filter((command) => command.commands.length === 0);
    groups = all.filter((command) => command.commands.length > 0);
  });

  it('each command has its description from the list of commands alone', async () => {
    for (const entry of [...FOR_OPERATORS, ...FOR_DEVELOPERS]) {
      const command = await entry.load();
      assert.deepEqual([command.name(), command.description()], [entry.name, '']);
    }
    const [all, one] = [await createProgram(), await createProgram('customer')];
    assert.equal(renderHelp(one), renderHelp(all));
  });

  it('each command has a description and an example in its help', () => {
    for (const command of [...leaves, ...groups]) {
      const name = fullName(command);
      assert.notEqual(command.description(), '', name);
      const help = renderHelp(command);
      const example = help.slice(help.search(/\nExamples?:\n/));
      assert.match(example, /^\nExamples?:\n {2}\$ /, name);
      const called = leaves.includes(command) ? name : `${name} `;
      assert.ok(example.includes(called), `the example of ${name} shows another command`);
      for (const option of command.options) {
        assert.notEqual(option.description, '', `${name} ${option.flags}`);
        if (option.mandatory && option.long && option.envVar === undefined && leaves.includes(command)) {
          assert.ok(example.includes(option.long), `the example of ${name} lacks ${option.long}`);
        }
      }
    }
  });

  it('each command that prints a result has --json', () => {
    const without = leaves.filter((command) => !has(command, '--json')).map(shortName);
    assert.deepEqual(
      without.filter((name) => !WITHOUT_JSON.includes(name)),
      [],
    );
  });

  it('choices and codes may be typed in either case', () => {
    for (const command of leaves) {
      for (const { argChoices, parseArg, flags } of command.options) {
        for (const choice of argChoices ?? []) {
          const name = `${fullName(command)} ${flags}`;
          assert.equal(parseArg?.(choice.toLowerCase(), undefined as never), choice, name);
          assert.equal(parseArg?.(choice.toUpperCase(), undefined as never), choice, name);
        }
      }
    }
  });

  it('each dangerous command has a reason that is marked as required', () => {
    for (const command of leaves.filter((leaf) => has(leaf, '--yes'))) {
      const reason = command.options.find(({ long }) => long === '--reason');
      assert.equal(reason?.mandatory, true, fullName(command));
    }
    for (const command of leaves) {
      const reason = command.options.find(({ long }) => long === '--reason');
      if (reason) assert.equal(/\(required\)/.test(reason.description), reason.mandatory, fullName(command));
    }
  });

  it('each dangerous command, otherwise complete, is refused without --yes if there is no terminal', async () => {
    const names = leaves.filter((leaf) => has(leaf, '--yes')).map(shortName);
    for (const name of names) {
      const program = await createProgram();
      const command = below(program).find((one) => shortName(one) === name) as Command;
      await assert.rejects(
        program.parseAsync([...name.split(' '), ...neededBy(command)], { from: 'user' }),
        (error) => error instanceof UsageError && /give --yes/.test(error.message),
        name,
      );
    }
  });

  it('docs/operating.md lists the dangerous commands, and no others', async () => {
    const text = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8');
    const [, section = ''] = /### What asks first\n([\s\S]*?)\n#/.exec(`${text}\n#`) ?? [];
    const listed = [...section.matchAll(/^\| `([a-z -]+)` \|/gm)].map(([, name]) => name);
    const dangerous = leaves.filter((leaf) => has(leaf, '--yes')).map(shortName);
    assert.deepEqual(listed.toSorted(), dangerous.toSorted());
  });
});

function below(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...below(child)]);
}

function has(command: Command, flag: string): boolean {
  return command.options.some(({ long }) => long === flag);
}

function shortName(command: Command): string {
  return fullName(command).replace(/^corridor /, '');
}

function renderHelp(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

/** The option that makes a command dangerous, for commands that are not always so. */
const DANGEROUS_WITH: Readonly<Record<string, string>> = {
  'break resolve': '--take-back',
  'connector resume': '--new-store',
  'connector rotate-secret': '--immediately',
  'webhook rotate-key': '--immediately',
};

/** A value of the repeated argument, if it is no rate. */
const LISTED: Readonly<Record<string, string>> = { 'settings set': 'operatorApprovals=off' };

/** A complete command line: every argument, every required option, and the option that makes it dangerous. */
function neededBy(command: Command): string[] {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  const needed = command.options.filter(({ mandatory }) => mandatory);
  return [
    DANGEROUS_WITH[shortName(command)] ?? '',
    ...command.registeredArguments.map(({ variadic, argChoices }) =>
      variadic ? (LISTED[shortName(command)] ?? 'EUR=0.92') : (argChoices?.[0] ?? id),
    ),
    ...needed.flatMap(({ long, argChoices }) => [
      long ?? '',
      argChoices?.[0] ?? (long === '--currency' ? 'EUR' : '1'),
    ]),
  ].filter((word) => word !== '');
}
