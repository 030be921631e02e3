import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { FOR_OPERATORS } from '#cli/commands.ts';

const PACKAGE = '../../packages/console/src';
const importConsole = (path: string) => import(new URL(`${PACKAGE}/${path}`, import.meta.url).href);

interface Commands {
  readonly COMMANDS: Readonly<Record<string, string>>;
  readonly UNSAYABLE: Readonly<Record<string, readonly string[]>>;
  commandOf(operation: string, params: readonly string[], input: object): string | undefined;
  optionOf(name: string): string;
}

interface Words {
  readonly CHANGES: Readonly<
    Record<string, { readonly asksReason: boolean; readonly fields: readonly { readonly name: string }[] }>
  >;
}

const { COMMANDS, UNSAYABLE, commandOf, optionOf } = (await importConsole(
  'ui/operator/commands.ts',
)) as Commands;
const { CHANGES } = (await importConsole('api/operator/generated/changes.ts')) as Words;

/** The command that a text such as `payment settle {transactionId}` names, with what is left of the text. */
async function findCommand(text: string): Promise<{ command: Command; left: string[] }> {
  const [first = '', ...left] = text.split(' ');
  const entry = FOR_OPERATORS.find(({ name }) => name === first);
  assert.ok(entry, text);
  let command = await entry.load();
  for (;;) {
    const next = command.commands.find((one) => one.name() === left[0]);
    if (!next) return { command, left };
    command = next;
    left.shift();
  }
}

describe('the commands that the console shows to operators', () => {
  it('operator.md §7.1: each exists, takes the same arguments, and has an option for each field', async () => {
    const lacks: string[] = [];
    for (const [operation, template] of Object.entries(COMMANDS)) {
      const change = CHANGES[operation];
      assert.ok(change, `there is no operation ${operation}`);
      const { command, left } = await findCommand(template);
      const options = command.options.flatMap(({ long }) => (long ? [long] : []));
      const named = left.filter((word) => word.startsWith('{'));
      const given = left.filter((word, at) => word.startsWith('{') && !left[at - 1]?.startsWith('--'));
      assert.equal(given.length, command.registeredArguments.length, template);
      const fields = change.fields.map(({ name }) => name).filter((name) => !named.includes(`{${name}}`));
      const wanted = [
        ...left.filter((word) => word.startsWith('--')),
        ...fields.map((name) => `--${optionOf(name)}`),
      ];
      const missing = wanted.filter((option) => !options.includes(option));
      lacks.push(...missing.map((option) => `${operation} ${option}`));
      const shown = commandOf(operation, ['Thing:1'], { reason: 'it is needed' }) ?? '';
      assert.equal(shown.includes('--reason'), options.includes('--reason'), shown);
    }
    const unsayable = Object.entries(UNSAYABLE).flatMap(([operation, names]) =>
      names.map((name) => `${operation} --${optionOf(name)}`),
    );
    assert.deepEqual(lacks, unsayable);
  });

  it('quotes what a shell would read as more than a word', () => {
    const shown = commandOf('settlePayment', ['Transaction:1'], { reason: "the bank's letter", hash: 'abc' });
    assert.equal(shown, "corridor payment settle Transaction:1 --reason 'the bank'\\''s letter' --hash abc");
  });

  it('every operation that a screen of operators offers is in their document', async () => {
    const folder = new URL(`${PACKAGE}/operator/records/`, import.meta.url);
    const files = (await readdir(folder)).filter((name) => name.endsWith('kinds.ts'));
    const kinds = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
    const offered = [...kinds.join('').matchAll(/\b(?:operation|disclose|search|create): '(\w+)'/g)].map(
      ([, id = '']) => id,
    );
    assert.ok(offered.length > 20);
    assert.deepEqual(
      offered.filter((id) => CHANGES[id] === undefined),
      [],
    );
  });
});
