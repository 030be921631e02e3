import { Command } from 'commander';
import { type ExceptionResolution, resolveException } from '#capabilities/cards/notices/resolve-exception.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { listExceptions } from '#capabilities/cards/transaction-store.ts';
import { countArgument, idArgument } from '#cli/arguments.ts';
import {
  addPlatforms,
  findResourceWork,
  ownerOption,
  type PlatformOptions,
  type PlatformsOptions,
} from '#cli/operator/shell/choose-platform.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { listRows } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { reasonOption } from '#cli/options.ts';
import { printObject } from '#cli/print.ts';
import { NO_OWN_CURRENCIES, presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface ListOptions extends PlatformsOptions {
  limit: number;
}

interface ResolveOptions extends PlatformOptions {
  reason: string;
}

const LIMIT_MAX = 1_000;

/**
 * `corridor card exceptions …`: purchases that were paid to the network but that no account could pay for
 * (cards.md §7.1).
 */
export function cardExceptionsCommand(): Command {
  const exceptions = new Command('exceptions')
    .description('purchases that were paid to the network but could not be taken from the customer’s account')
    .addHelpText('after', '\nExample:\n  $ corridor card exceptions list');
  const list = exceptions
    .command('list')
    .description('list the unresolved ones, the oldest first')
    .option('--limit <count>', 'print at most this many', countArgument(1, LIMIT_MAX), 100);
  addPlatforms(list)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor card exceptions list --json')
    .action((options: ListOptions) => asOperator((operator) => listAll(operator, options)));
  addResolution(exceptions, 'collect', {
    how: 'collect',
    description: 'take the whole debt from the customer’s account',
    effect: 'The whole debt is taken from the customer’s account. This cannot be undone.',
  });
  addResolution(exceptions, 'write-off', {
    how: 'write off',
    description: 'give up the debt',
    effect: 'The debt is given up, at your own cost. This cannot be undone.',
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
    .addOption(ownerOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nExample:\n  $ corridor card exceptions ${name} Transaction:0190a5d2-… --reason "case 4711"`,
    )
    .action((id: TransactionId, options: ResolveOptions) =>
      asOperator((operator) => resolve(operator, { id, how, reason: options.reason }, options)),
    );
}

async function listAll(operator: Operator, options: ListOptions): Promise<void> {
  await listRows(operator, options, {
    action: 'card exceptions list',
    none: 'There are no exceptions.',
    order: 'oldest first',
    rows: async (tx) => (await listExceptions(tx, options.limit)).map(presentException),
    at: ({ createdAt }) => createdAt,
  });
}

async function resolve(
  operator: Operator,
  resolution: ExceptionResolution,
  options: ResolveOptions,
): Promise<void> {
  const work = await findResourceWork(operator, options, 'Transaction', resolution.id);
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
