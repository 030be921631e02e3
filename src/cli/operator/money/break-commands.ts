import { Command } from 'commander';
import { type BreakRow, findBreak, listBreaks } from '#capabilities/connectors/break-store.ts';
import { presentBreak } from '#capabilities/connectors/operator/present.ts';
import { countArgument, idArgument } from '#cli/arguments.ts';
import { OperatorError } from '#cli/failure.ts';
import { asOperator } from '#cli/operator/shell/operator.ts';
import { performOperation, performs, type SecondOptions } from '#cli/operator/shell/perform.ts';
import { reasonOption } from '#cli/options.ts';
import { printObject, printRows } from '#cli/print.ts';
import { Work } from '#foundation/database/work.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';

const LIMIT_MAX = 10_000;

/** `corridor break …`: contradictions between connectors and the books (connectors.md §9.5). */
export function breakCommand(): Command {
  const command = new Command('break').addHelpText('after', '\nExample:\n  $ corridor break list');
  command
    .command('list')
    .description('list open breaks, the oldest first')
    .option('--limit <count>', 'print at most this many', countArgument(1, LIMIT_MAX), 100)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor break list')
    .action(({ limit, json = false }: { limit: number; json?: boolean }) =>
      asOperator(async ({ database }) => {
        const rows = (await listBreaks(database.query, limit)).map(present);
        printRows(rows, { json, none: 'There are no open breaks.' });
      }),
    );
  command
    .command('show')
    .description('print a break')
    .argument('<break>', 'its id', idArgument('Break'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor break show Break:0190a5d2-…')
    .action((id: string, { json = false }: { json?: boolean }) =>
      asOperator(async ({ database }) => {
        const row = await findBreak(database.query, id);
        if (!row) throw new OperatorError('There is no such break.');
        printObject(present(row), { json });
      }),
    );
  performs(command.command('resolve'), ['resolveBreak'], { second: false })
    .description('close a break; it books nothing, other commands do')
    .argument('<break>', 'its id', idArgument('Break'))
    .addOption(reasonOption('what was found and done, for the audit log'))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor break resolve Break:0190a5d2-… --reason "the bank confirmed it"',
    )
    .action((breakId: string, options: SecondOptions) =>
      asOperator(async (operator) => {
        const work = new Work(await operator.runtime(), INSTALLATION, operator.actor);
        const call = { operation: 'resolveBreak', params: { breakId }, options };
        await performOperation(operator, work, { ...call, present: async () => true });
        const row = await findBreak(operator.database.query, breakId);
        if (row) printObject(present(row), { json: options.json ?? false });
      }),
    );
  return command;
}

/** On the command line the operator's words are shown, too. */
function present(row: BreakRow) {
  return { ...presentBreak(row), resolution: row.resolution };
}
