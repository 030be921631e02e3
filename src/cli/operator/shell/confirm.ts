import { createInterface } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import { OperatorError, UsageError } from '#cli/failure.ts';
import { fullName } from '#cli/options.ts';
import { escapeControls } from '#cli/print.ts';

/** Where a question is asked and answered. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/**
 * Makes a command ask before it acts, if the action cannot be undone, moves money or ends a person's access. `effect` says
 * in one or two sentences what will happen. `isDangerous` selects the options with which it asks; by default it always
 * asks. Without a terminal, `--yes` is required.
 */
export function confirmed(
  command: Command,
  effect: string,
  isDangerous: (options: Readonly<Record<string, unknown>>) => boolean = () => true,
): Command {
  return command
    .addOption(new Option('--yes', 'do not ask for confirmation; required without a terminal'))
    .hook('preAction', async (_self, called) => {
      const options = called.opts();
      if (options.yes === true || !isDangerous(options)) return;
      const words = [fullName(called), ...called.args].join(' ');
      await askFirst(words, effect);
    });
}

/** Ends the command unless the answer is yes. Asked on standard error, so that standard output stays readable. */
export async function askFirst(
  words: string,
  effect: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (input.isTTY !== true) {
    throw new UsageError('this command asks for confirmation: run it in a terminal, or give --yes');
  }
  output.write(`${escapeControls(words)}\n${effect}\nType yes to continue: `);
  const lines = createInterface({ input, terminal: false });
  try {
    const answer = await firstLine(lines);
    if (answer.trim().toLowerCase() !== 'yes') throw new OperatorError('Nothing was done.');
  } finally {
    lines.close();
  }
}

/** Returns an empty line if the input ends first (Ctrl-D). */
async function firstLine(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) return line;
  return '';
}
