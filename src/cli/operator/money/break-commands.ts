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
  addCaring(command);
  addResolving(command);
  return command;
}

/** The commands that record who takes care of a break, and what finance found. */
function addCaring(command: Command): void {
  performs(command.command('assign'), ['setBreakOwner'], { second: false })
    .description('say which operator takes care of a break; without an operator, nobody does')
    .argument('<break>', 'its id', idArgument('Break'))
    .argument('[operator]', 'the id of an operator with the role finance or treasury', idArgument('Operator'))
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor break assign Break:0190a5d2-… Operator:0190a5d2-… --reason "is on duty"',
    )
    .action((breakId: string, operator: Id<'Operator'> | undefined, options: SecondOptions) =>
      changeBreak(options, {
        operation: 'setBreakOwner',
        params: { breakId },
        body: operator === undefined ? {} : { owner: publicId('Operator', operator) },
      }),
    );
  performs(command.command('note'), ['noteBreak'], { second: false })
    .description('write what you found about a break; it replaces the note before it')
    .argument('<break>', 'its id', idArgument('Break'))
    .argument('<note>', 'the note, of at most 500 characters')
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor break note Break:0190a5d2-… "the bank looks for it" --reason "call of 9:30"',
    )
    .action((breakId: string, note: string, options: SecondOptions) =>
      changeBreak(options, { operation: 'noteBreak', params: { breakId }, body: { note } }),
    );
}

interface BreakChange {
  readonly operation: string;
  readonly params: { readonly breakId: string };
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Performs a change of a break that books nothing, and prints the break. */
function changeBreak(options: SecondOptions, change: BreakChange): Promise<void> {
  return asOperator(async (operator) => {
    const work = new Work(await operator.runtime(), INSTALLATION, operator.actor);
    await performAndPrint(operator, work, { ...change, options });
  });
}

async function performAndPrint(
  operator: Operator,
  work: Work,
  { params, options, ...call }: BreakChange & { readonly options: SecondOptions },
): Promise<void> {
  const shown = await performOperation(operator, work, {
    ...{ ...call, params: { ...params }, options },
    present: (tx) => findShown(tx, params.breakId),
  });
  if (shown) printObject(shown, { json: options.json ?? false });
}

async function findShown(tx: ReadTx, breakId: string) {
  const row = await findBreak(tx.query.bind(tx), breakId);
  return row && present(tx, row);
}

interface ResolveOptions extends SecondOptions, PlatformOptions {
  match?: string[];
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
  ...['bookBankLine', 'bookBankDifference', 'matchBreak'],
];

/** The meaning of the bank's line in a break, by its option. */
const MEANINGS = {
  charge: { operation: 'bookBankLine', body: { as: 'CHARGE' } },
  interest: { operation: 'bookBankLine', body: { as: 'INTEREST' } },
  own: { operation: 'bookBankDifference', body: { as: 'OWN' } },
  writeOff: { operation: 'bookBankDifference', body: { as: 'WRITE_OFF' } },
} as const;

function meaningOf(options: ResolveOptions): keyof typeof MEANINGS | undefined {
  if (options.match !== undefined) return undefined;
  return (Object.keys(MEANINGS) as (keyof typeof MEANINGS)[]).find((name) => options[name]);
}

/** The options that book something. */
function waysIn(options: ResolveOptions): readonly string[] {
  const all = ['match', 'book', 'to', 'takeBack', ...Object.keys(MEANINGS)];
  const given = all.filter((name) => options[name as keyof ResolveOptions] !== undefined);
  // With --match, --charge names the rest.
  return options.match === undefined ? given : given.filter((name) => name !== 'charge');
}

function addResolving(command: Command): void {
  const resolve = performs(command.command('resolve'), OPERATIONS, { second: true })
    .description('close a break, and book what it is about if an option says so')
    .argument('<break>', 'its id', idArgument('Break'))
    .addOption(reasonOption('what was found and done, for the audit log'))
    .option(
      '--match <lines...>',
      'match the line of the break with these: entries of ours, ids of lines of the bank',
    )
    .addOption(choiceOption('--book <outcome>', 'what the bank says about the order', ORDER_OUTCOMES))
    .option(
      '--to <account>',
      'credit an internal account with unclaimed money',
      idArgument('InternalAccount'),
    )
    .option('--take-back', 'confirm that the bank took the credit back')
    .option('--charge', 'book the bank’s line as its charge; with --match what is left')
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
  const { to } = options;
  if (waysIn(options).length > 1)
    throw new UsageError(
      'give only one of --match, --book, --to, --take-back, --charge, --interest, --own and --write-off',
    );
  const params = { breakId };
  if (waysIn(options).length === 0) {
    const work = new Work(await operator.runtime(), INSTALLATION, operator.actor);
    return performAndPrint(operator, work, { operation: 'resolveBreak', params, options });
  }
  if (to !== undefined) {
    const work = await findResourceWork(operator, options, 'InternalAccount', to);
    const shown = await performOperation(operator, work, {
      ...{ operation: 'assignBreak', params: { accountId: to }, options },
      body: { break: publicId('Break', breakId) },
      present: (tx) => findShown(tx, breakId),
    });
    if (shown) printObject(shown, { json: options.json ?? false });
    return;
  }
  const work = await findResourceWork(operator, options, 'Break', breakId);
  await performAndPrint(operator, work, { ...callOf(options), params, options });
}

/** Returns the operation that these options perform to resolve a break. */
function callOf(options: ResolveOptions): Omit<BreakChange, 'params'> {
  const { match, book, charge = false } = options;
  const meaning = meaningOf(options);
  if (match !== undefined)
    return {
      operation: 'matchBreak',
      body: { lines: match.flatMap((text) => text.split(',')), ...(charge && { charge }) },
    };
  if (book !== undefined) return { operation: 'bookBreak', body: { outcome: book } };
  return meaning === undefined ? { operation: 'takeBackCredit' } : MEANINGS[meaning];
}

/** On the command line the operator's words are shown, too. */
async function present(tx: Pick<ReadTx, 'runtime' | 'vault'>, row: BreakRow) {
  const written = await openBreakText(tx, row, 'resolution_sealed');
  const notes = (await openBreakText(tx, row, 'notes')) ?? null;
  return { ...presentBreak(row), notes, resolution: written ?? row.resolution };
}
