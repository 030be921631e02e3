import { Command, InvalidArgumentError } from 'commander';
import { exportAsCsv, presentExported, readExport } from '#capabilities/reconciliation/operator/export.ts';
import {
  findBankAccount,
  type NamedAccount,
  parseAccountName,
  presentReconciled,
  readProof,
} from '#capabilities/reconciliation/operator/read-proof.ts';
import { listProvenAccounts } from '#capabilities/reconciliation/proof-store.ts';
import type { BankAccount } from '#capabilities/reconciliation/row.ts';
import { OperatorError, UsageError } from '#cli/failure.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { choiceOption } from '#cli/options.ts';
import { printJson, printObject, printRows } from '#cli/print.ts';
import { isDate } from '#foundation/lib/dates.ts';

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
        printRows(accounts.map(presentReconciled), { json, none: 'No bank has sent a statement yet.' });
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

async function printExport(operator: Operator, named: NamedAccount, options: ExportOptions): Promise<void> {
  const { format, from, to, json = format === 'json' } = options;
  if (from > to) throw new UsageError('--from must not be after --to');
  const account = await requireBankAccount(operator, named);
  const rows = await readExport(operator.database.query, account, { from, to });
  if (json) return printJson(rows.map(presentExported));
  for await (const line of exportAsCsv(rows)) process.stdout.write(line);
}

async function requireBankAccount({ database }: Operator, named: NamedAccount): Promise<BankAccount> {
  const account = await findBankAccount(database.query, named);
  if (!account) throw new OperatorError(`There is no connector ${named.connector}.`);
  return account;
}

interface ShowOptions {
  day?: string;
  json?: boolean;
}

async function showProof(
  operator: Operator,
  named: NamedAccount,
  { day, json = false }: ShowOptions,
): Promise<void> {
  await requireBankAccount(operator, named);
  const proof = await readProof(operator.database.query, named, day);
  if (!proof)
    throw new OperatorError(
      `There is no statement of ${named.connector}.${named.account}${day ? ` that ends on ${day}` : ''}.`,
    );
  if (json) return printJson(proof);
  const { items, ...shown } = proof;
  printObject(shown, { json });
  printRows(items, { json, none: 'Nothing is in transit.' });
}

function accountArgument(text: string): NamedAccount {
  const named = parseAccountName(text);
  if (!named) throw new InvalidArgumentError('It must be a connector and its settlement account: bank.main.');
  return named;
}

function dayArgument(text: string): string {
  if (isDate(text)) return text;
  throw new InvalidArgumentError('It must be a day such as 2026-03-31.');
}
