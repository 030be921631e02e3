import { Command, InvalidArgumentError } from 'commander';
import { findConnector } from '#capabilities/connectors/registry-store.ts';
import {
  findProof,
  listItems,
  listProvenAccounts,
  type ProofRow,
} from '#capabilities/reconciliation/proof-store.ts';
import { differenceOf } from '#capabilities/reconciliation/prove-days.ts';
import type { BankAccount } from '#capabilities/reconciliation/row.ts';
import { OperatorError } from '#cli/failure.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { printJson, printObject, printRows } from '#cli/print.ts';
import { isDate } from '#foundation/lib/dates.ts';
import { publicId } from '#foundation/lib/ids.ts';

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
  return command;
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
  { database }: Operator,
  named: NamedAccount,
  { day, json = false }: ShowOptions,
): Promise<void> {
  const row = await findConnector(database.query, named.connector);
  if (!row) throw new OperatorError(`There is no connector ${named.connector}.`);
  const account: BankAccount = { connector_id: row.id, settlement_account: named.account };
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
