import { Command, InvalidArgumentError } from 'commander';
import { findConnector } from '#capabilities/connectors/registry-store.ts';
import { type ExportRow, listExport } from '#capabilities/reconciliation/export-store.ts';
import {
  findProof,
  listItems,
  listProvenAccounts,
  type ProofRow,
} from '#capabilities/reconciliation/proof-store.ts';
import { differenceOf } from '#capabilities/reconciliation/prove-days.ts';
import type { BankAccount } from '#capabilities/reconciliation/row.ts';
import { OperatorError, UsageError } from '#cli/failure.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { choiceOption } from '#cli/options.ts';
import { printJson, printObject, printRows } from '#cli/print.ts';
import { isDate } from '#foundation/lib/dates.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { csvCell, csvLine } from '#foundation/records/csv.ts';

/** `corridor reconcile …`: the proof that the books agree with the banks (bank-files.md §7). */
export function reconcileCommand(): Command {
  const command = new Command('reconcile').addHelpText('after', '\nExample:\n  $ corridor reconcile list');
  command
    .command('list')
    .description('print the last proven day of each settlement account')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor reconcile list')
    .action(({ json = false }: { json?: boolean }) =>
      asOperator(async ({ database }) => {
        const accounts = await listProvenAccounts(database.query);
        const rows = accounts.map((one) => ({
          account: `${one.connector}.${one.settlement_account}`,
          lastStatement: one.last_statement,
          lastProven: one.last_proven,
          unprovenDays: Number(one.unproven_days),
        }));
        printRows(rows, { json, none: 'No bank has sent a statement.' });
      }),
    );
  command
    .command('show')
    .description('print the proof of a day with every item in transit')
    .argument('<account>', 'the settlement account: <connector>.<account>', accountArgument)
    .option('--day <day>', 'the day, such as 2026-03-31; the last one by default', dayArgument)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor reconcile show bank.main --day 2026-03-31')
    .action((account: NamedAccount, options: ShowOptions) =>
      asOperator((operator) => showProof(operator, account, options)),
    );
  command
    .command('export')
    .description('print lines, matches, breaks and proofs of a period')
    .argument('<account>', 'the settlement account: <connector>.<account>', accountArgument)
    .requiredOption('--from <day>', 'the first day, such as 2026-03-01 (required)', dayArgument)
    .requiredOption('--to <day>', 'the last day (required)', dayArgument)
    .addOption(choiceOption('--format <format>', 'csv by default', ['csv', 'json']).default('csv'))
    .option('--json', 'the same as --format json')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor reconcile export bank.main --from 2026-03-01 --to 2026-03-31 > march.csv',
    )
    .action((account: NamedAccount, options: ExportOptions) =>
      asOperator((operator) => printExport(operator, account, options)),
    );
  return command;
}

interface ExportOptions {
  readonly from: string;
  readonly to: string;
  readonly format: 'csv' | 'json';
  readonly json?: true;
}

const EXPORT_MAX = 100_000;
const COLUMNS = {
  ...{ record: 'record', day: 'day', id: 'id', amount: 'amount', currency: 'currency', kind: 'kind' },
  ...{ state: 'state', match: 'match', matchedOn: 'matched_on', about: 'about' },
} as const satisfies Record<string, keyof ExportRow>;

async function printExport(operator: Operator, named: NamedAccount, options: ExportOptions): Promise<void> {
  const { format, from, to, json = format === 'json' } = options;
  if (from > to) throw new UsageError('--from must not be after --to');
  const account = await findBankAccount(operator, named);
  const rows = await listExport(operator.database.query, account, { from, to }, EXPORT_MAX + 1);
  if (rows.length > EXPORT_MAX)
    throw new OperatorError(`The period has more than ${EXPORT_MAX} rows: choose a shorter one.`);
  const names = Object.entries(COLUMNS);
  if (json)
    return printJson(rows.map((row) => Object.fromEntries(names.map(([name, key]) => [name, row[key]]))));
  const lines = rows.map((row) => csvLine(names.map(([, key]) => csvCell(row[key]))));
  process.stdout.write(csvLine(Object.keys(COLUMNS)) + lines.join(''));
}

async function findBankAccount({ database }: Operator, named: NamedAccount): Promise<BankAccount> {
  const row = await findConnector(database.query, named.connector);
  if (!row) throw new OperatorError(`There is no connector ${named.connector}.`);
  return { connector_id: row.id, settlement_account: named.account };
}

interface ShowOptions {
  day?: string;
  json?: boolean;
}

interface NamedAccount {
  readonly connector: string;
  readonly account: string;
}

const ITEMS_MAX = 1_000;

async function showProof(
  operator: Operator,
  named: NamedAccount,
  { day, json = false }: ShowOptions,
): Promise<void> {
  const { database } = operator;
  const account = await findBankAccount(operator, named);
  const proof = await findProof(database.query, account, day);
  if (!proof)
    throw new OperatorError(
      `There is no statement of ${named.connector}.${named.account}${day ? ` that ends on ${day}` : ''}.`,
    );
  const { ours, theirs } = await listItems(database.query, account, proof.day, ITEMS_MAX);
  const items = [
    ...ours.map(({ booked_on: day, amount, entry_id, transaction_id, matched_on }) => ({
      ...{ whose: 'ours', day, amount: amount.toString(), item: publicId('JournalEntry', entry_id) },
      transaction: transaction_id && publicId('Transaction', transaction_id),
      matchedOn: matched_on,
    })),
    ...theirs.map(({ id, booked_on: day, amount, line_id, matched_on }) => ({
      ...{ whose: 'theirs', day, amount: amount.toString(), item: id, line: line_id },
      matchedOn: matched_on,
    })),
  ];
  const shown = present(named, proof);
  if (json) return printJson({ ...shown, items });
  printObject(shown, { json });
  printRows(items, { json, none: 'Nothing is in transit.' });
}

function present({ connector, account }: NamedAccount, proof: ProofRow) {
  const { day, currency, ours, closing, ours_in_transit, theirs_in_transit, unexplained, is_proven } = proof;
  return {
    ...{ account: `${connector}.${account}`, day, currency, state: is_proven ? 'PROVEN' : 'UNPROVEN' },
    ...{ ours: ours.toString(), closing: closing.toString() },
    ...{ oursInTransit: ours_in_transit.toString(), theirsInTransit: theirs_in_transit.toString() },
    ...{ difference: differenceOf(proof).toString(), unexplainedItems: Number(unexplained) },
    provenAt: proof.proven_at,
  };
}

function accountArgument(text: string): NamedAccount {
  const [, connector, account] = /^([a-z0-9-]{1,32})\.([a-z0-9-]{1,32})$/.exec(text) ?? [];
  if (connector === undefined || account === undefined)
    throw new InvalidArgumentError('It must be a connector and its settlement account: bank.main.');
  return { connector, account };
}

function dayArgument(text: string): string {
  if (isDate(text)) return text;
  throw new InvalidArgumentError('It must be a day such as 2026-03-31.');
}
