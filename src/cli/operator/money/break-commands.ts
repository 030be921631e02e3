import { Command } from 'commander';
import { type BreakRow, findBreak, listBreaks } from '#capabilities/connectors/break-store.ts';
import { openBreakText } from '#capabilities/connectors/break-texts.ts';
import { ORDER_OUTCOMES, type OrderOutcome } from '#capabilities/connectors/credits/book-order.ts';
import { presentBreak } from '#capabilities/connectors/operator/present.ts';
import { countArgument, idArgument } from '#cli/arguments.ts';
import { OperatorError, UsageError } from '#cli/failure.ts';
import { findResourceWork, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { performOperation, performs, type SecondOptions } from '#cli/operator/shell/perform.ts';
import { readPending } from '#cli/operator/shell/show.ts';
import { choiceOption, reasonOption } from '#cli/options.ts';
import { printObject, printRows } from '#cli/print.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';

const LIMIT_MAX = 10_000;

/** `corridor break …`: contradictions between the books and connectors or banks (connectors.md §9.5). */
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
        const rows = (await listBreaks(database.query, limit)).map(presentBreak);
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
      asOperator(async (operator) => {
        const row = await findBreak(operator.database.query, id);
        if (!row) throw new OperatorError('There is no such break.');
        const platforms = [INSTALLATION.id, ...(row.platform_id === null ? [] : [row.platform_id])];
        const work = new Work(await operator.runtime(), INSTALLATION, operator.actor);
        const shown = await work.read(async (tx) => ({
          ...(await present(tx, row)),
          ...(await readPending(tx, publicId('Break', id), platforms)),
        }));
        printObject(shown, { json });
      }),
    );
  addResolving(command);
  return command;
}

interface ResolveOptions extends SecondOptions, PlatformOptions {
  book?: OrderOutcome;
  to?: AccountId;
  takeBack?: true;
  charge?: true;
  interest?: true;
  own?: true;
  writeOff?: true;
}

const OPERATIONS = [
  ...['resolveBreak', 'bookBreak', 'assignBreak', 'takeBackCredit'],
  ...['bookBankLine', 'bookBankDifference'],
];

/** What the bank's line of a break is, by the option that says so. */
const MEANINGS = {
  charge: { operation: 'bookBankLine', body: { as: 'CHARGE' } },
  interest: { operation: 'bookBankLine', body: { as: 'INTEREST' } },
  own: { operation: 'bookBankDifference', body: { as: 'OWN' } },
  writeOff: { operation: 'bookBankDifference', body: { as: 'WRITE_OFF' } },
} as const;

function meaningOf(options: ResolveOptions): keyof typeof MEANINGS | undefined {
  return (Object.keys(MEANINGS) as (keyof typeof MEANINGS)[]).find((name) => options[name]);
}

/** The options that book something. */
function waysIn(options: ResolveOptions): readonly string[] {
  const all = ['book', 'to', 'takeBack', ...Object.keys(MEANINGS)] as const;
  return all.filter((name) => options[name as keyof ResolveOptions] !== undefined);
}

function addResolving(command: Command): void {
  const resolve = performs(command.command('resolve'), OPERATIONS, { second: true })
    .description('close a break, and book what it is about if an option says so')
    .argument('<break>', 'its id', idArgument('Break'))
    .addOption(reasonOption('what was found and done, for the audit log'))
    .addOption(choiceOption('--book <outcome>', 'what the bank says about the order', ORDER_OUTCOMES))
    .option(
      '--to <account>',
      'credit an internal account with unclaimed money',
      idArgument('InternalAccount'),
    )
    .option('--take-back', 'confirm that the bank took the credit back')
    .option('--charge', 'book the bank’s line as its charge')
    .option('--interest', 'book the bank’s line as interest')
    .option('--own', 'book the bank’s line as money of your own')
    .option('--write-off', 'the books and the bank differ for good')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor break resolve Break:0190a5d2-… --book settled --reason "the bank confirmed it"',
    );
  confirmed(
    resolve,
    'With an option such as --book or --to, money is booked. This cannot be undone.',
    (options) => waysIn(options as ResolveOptions).length > 0,
  ).action((id: string, options: ResolveOptions) =>
    asOperator((operator) => resolveBreak(operator, id, options)),
  );
}

async function resolveBreak(operator: Operator, breakId: string, options: ResolveOptions): Promise<void> {
  const { book, to, takeBack } = options;
  const meaning = meaningOf(options);
  if (waysIn(options).length > 1)
    throw new UsageError(
      'give only one of --book, --to, --take-back, --charge, --interest, --own and --write-off',
    );
  const params = { breakId };
  const [work, call] =
    to !== undefined
      ? [
          await findResourceWork(operator, options, 'InternalAccount', to),
          {
            operation: 'assignBreak',
            params: { accountId: to },
            body: { break: publicId('Break', breakId) },
          },
        ]
      : book !== undefined
        ? [
            await findResourceWork(operator, options, 'Break', breakId),
            { operation: 'bookBreak', params, body: { outcome: book } },
          ]
        : takeBack
          ? [
              await findResourceWork(operator, options, 'Break', breakId),
              { operation: 'takeBackCredit', params },
            ]
          : meaning !== undefined
            ? [await findResourceWork(operator, options, 'Break', breakId), { ...MEANINGS[meaning], params }]
            : [
                new Work(await operator.runtime(), INSTALLATION, operator.actor),
                { operation: 'resolveBreak', params },
              ];
  const shown = await performOperation(operator, work, {
    ...{ ...call, options },
    present: async (tx) => {
      const row = await findBreak(tx.query.bind(tx), breakId);
      return row && present(tx, row);
    },
  });
  if (shown) printObject(shown, { json: options.json ?? false });
}

/** On the command line the operator's words are shown, too. */
async function present(tx: Pick<ReadTx, 'runtime' | 'vault'>, row: BreakRow) {
  const written = await openBreakText(tx, row, 'resolution_sealed');
  return { ...presentBreak(row), resolution: written ?? row.resolution };
}
