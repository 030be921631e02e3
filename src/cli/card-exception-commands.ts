import { Command } from 'commander';
import { type ExceptionResolution, resolveException } from '#cards/messages/resolve-exception.ts';
import type { CardTransactionRow } from '#cards/transaction-row.ts';
import { listExceptions } from '#cards/transaction-store.ts';
import { countArgument, idArgument } from '#cli/arguments.ts';
import { type PlatformOptions, platformOption, readerOf, workOf } from '#cli/choose-platform.ts';
import { confirmed } from '#cli/confirm.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { reasonOption } from '#cli/options.ts';
import { printObject, printRows } from '#cli/print.ts';
import { NO_OWN_CURRENCIES, presentAmount } from '#lib/currencies.ts';
import { publicId } from '#lib/ids.ts';

interface ListOptions extends PlatformOptions {
  limit: number;
}

interface ResolveOptions extends PlatformOptions {
  reason: string;
}

const LIMIT_MAX = 1_000;

/** `corridor card exceptions …`: purchases that the network was paid for and that no account could pay (A.7.1). */
export function cardExceptionsCommand(): Command {
  const exceptions = new Command('exceptions')
    .description('purchases that the network was paid for, and whose account was not drawn on')
    .addHelpText('after', '\nExample:\n  $ corridor card exceptions list');
  exceptions
    .command('list')
    .description('list those that nobody has resolved, the oldest first')
    .option('--limit <count>', 'how many at most', countArgument(1, LIMIT_MAX), 100)
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor card exceptions list --json')
    .action((options: ListOptions) => asOperator((operator) => list(operator, options)));
  addResolution(exceptions, 'collect', {
    how: 'collect',
    description: 'take what is owed from the account, whole',
    effect: 'The whole debt is taken from the customer’s account. This cannot be undone.',
  });
  addResolution(exceptions, 'write-off', {
    how: 'write off',
    description: 'give up what is owed',
    effect: 'The debt is given up, at our cost. This cannot be undone.',
  });
  return exceptions;
}

function addResolution(
  exceptions: Command,
  name: string,
  { how, description, effect }: { how: ExceptionResolution['how']; description: string; effect: string },
): void {
  confirmed(exceptions.command(name), effect)
    .description(description)
    .argument('<transaction>', 'its id', idArgument('Transaction'))
    .addOption(platformOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nExample:\n  $ corridor card exceptions ${name} Transaction:0190a5d2-… --reason "case 4711"`,
    )
    .action((id: string, options: ResolveOptions) =>
      asOperator((operator) => resolve(operator, { id, how, reason: options.reason }, options)),
    );
}

async function list(operator: Operator, options: ListOptions): Promise<void> {
  const work = await readerOf(operator, options);
  const rows = await work.read((tx) => listExceptions(tx, options.limit));
  await operator.audit({ action: 'card exceptions list', platformId: work.platform.id });
  printRows(rows.map(presentException), { json: options.json ?? false, none: 'There are no exceptions.' });
}

async function resolve(
  operator: Operator,
  resolution: ExceptionResolution,
  options: ResolveOptions,
): Promise<void> {
  const work = await workOf(operator, options);
  const row = await work.write((tx) => resolveException(tx, resolution));
  printObject(presentException(row), { json: options.json ?? false });
}

function presentException(row: CardTransactionRow) {
  const amount = (cents: bigint) => presentAmount(cents, row.currency, NO_OWN_CURRENCIES);
  return {
    transaction: publicId('Transaction', row.id),
    card: publicId('Card', row.card_id),
    customer: publicId('Customer', row.customer_id),
    account: publicId('InternalAccount', row.account_id),
    status: row.status,
    settled: row.settled_amount === null ? null : amount(row.settled_amount),
    owes: amount(row.receivable),
    createdAt: row.created_at,
  };
}
