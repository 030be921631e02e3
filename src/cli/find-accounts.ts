import type { Command } from 'commander';
import { ACCOUNT_STATUSES, ACCOUNT_TYPES, type AccountStatus, type AccountType } from '#accounts/schemas.ts';
import { type AccountRow, listCustomerAccounts, listPlatformAccounts } from '#accounts/store.ts';
import { codeArgument, countArgument, idArgument } from '#cli/arguments.ts';
import { type PlatformOptions, platformOption, readerOf } from '#cli/choose-platform.ts';
import { printPage } from '#cli/listing.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { choiceOption } from '#cli/options.ts';
import type { ReadTx } from '#database/tx.ts';
import { presentAmount } from '#lib/currencies.ts';
import { publicId } from '#lib/ids.ts';

interface ListOptions extends PlatformOptions {
  customer?: string;
  currency?: string;
  type?: AccountType;
  status?: AccountStatus;
  own?: true;
  limit: number;
  cursor?: string;
}

const LIMIT_MAX = 1_000;

/** `corridor account list`: internal accounts with their balances. */
export function addAccountList(account: Command): void {
  account
    .command('list')
    .description(
      'list internal accounts of customers, or with --own the platform’s, with their balances, the newest first',
    )
    .option('--customer <customer>', 'only those of this customer', idArgument('Customer'))
    .option('--currency <code>', 'only those in this currency', codeArgument)
    .addOption(choiceOption('--type <type>', 'only these', ACCOUNT_TYPES))
    .addOption(choiceOption('--status <status>', 'only those in this status', ACCOUNT_STATUSES))
    .option('--own', 'the platform’s own instead')
    .option('--limit <count>', 'how many at most', countArgument(1, LIMIT_MAX), 100)
    .option('--cursor <cursor>', 'go on where a page ended, with the same filters')
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor account list --customer Customer:0190a5d2-…')
    .action((options: ListOptions) => asOperator((operator) => list(operator, options)));
}

async function list(operator: Operator, options: ListOptions): Promise<void> {
  const work = await readerOf(operator, options);
  const { customer: customerId, currency, type, status, own, limit, cursor } = options;
  const page = await work.read(async (tx) => {
    const filters = { customerId, currency, type, status };
    const present = (row: AccountRow) => presentSummary(tx, row);
    if (own) return { data: (await listPlatformAccounts(tx, filters)).map(present), hasMore: false };
    return listCustomerAccounts(tx, { list: 'operator', filters, limit, cursor }, filters, present);
  });
  await operator.audit({ action: 'account list', platformId: work.platform.id });
  printPage(page, options, { none: 'There are no accounts.', row: (row) => row });
}

function presentSummary(tx: ReadTx, row: AccountRow) {
  const money = (units: bigint) => presentAmount(units, row.currency, tx.platform.ownCurrencies);
  return {
    account: publicId('InternalAccount', row.id),
    customer: row.customer_id && publicId('Customer', row.customer_id),
    ...{ type: row.type, status: row.status },
    ...{ available: money(row.available), total: money(row.total), onHold: money(row.total - row.available) },
    createdAt: row.created_at,
  };
}
