import type { Command } from 'commander';
import { ACCOUNT_LIST, presentAccountSummary } from '#capabilities/accounts/account-records.ts';
import {
  ACCOUNT_STATUSES,
  ACCOUNT_TYPES,
  type AccountStatus,
  type AccountType,
} from '#capabilities/accounts/schemas.ts';
import { listPlatformAccounts } from '#capabilities/accounts/store.ts';
import { EXTERNAL_ACCOUNT_LIST } from '#capabilities/external-accounts/external-records.ts';
import {
  ACCOUNT_STATUSES as EXTERNAL_STATUSES,
  type AccountStatus as ExternalStatus,
} from '#capabilities/external-accounts/schemas.ts';
import { codeArgument, idArgument } from '#cli/arguments.ts';
import { UsageError } from '#cli/failure.ts';
import type { PlatformsOptions } from '#cli/operator/shell/choose-platform.ts';
import { addPages, listPages, listRows } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { choiceOption } from '#cli/options.ts';

interface ListOptions extends PlatformsOptions {
  customer?: CustomerId;
  currency?: string;
  type?: AccountType;
  status?: AccountStatus | ExternalStatus;
  own?: true;
  external?: true;
  limit: number;
  cursor?: string;
}

const LIMIT_MAX = 1_000;

const STATUSES = [...new Set([...ACCOUNT_STATUSES, ...EXTERNAL_STATUSES])];

const EXAMPLES =
  '\nExamples:\n  $ corridor account list --customer Customer:0190a5d2-…\n' +
  '  $ corridor account list --external --status PENDING    (accounts that wait for screening)';

/** `corridor account list`: internal accounts with their balances. */
export function addAccountList(account: Command): void {
  const command = account
    .command('list')
    .description(
      'list customers’ internal accounts with their balances, the newest first; with --own those of platforms',
    )
    .option('--customer <customer>', 'only those of this customer', idArgument('Customer'))
    .option('--currency <code>', 'only those in this currency', codeArgument)
    .addOption(choiceOption('--type <type>', 'only this type', ACCOUNT_TYPES))
    .addOption(choiceOption('--status <status>', 'only those in this status', STATUSES))
    .option('--own', 'accounts of the platforms themselves instead')
    .option('--external', 'external accounts of customers and platforms instead, without balances');
  addPages(command, LIMIT_MAX)
    .addHelpText('after', EXAMPLES)
    .action((options: ListOptions) =>
      asOperator((operator) => (options.external ? listExternal : listInternal)(operator, options)),
    );
}

async function listInternal(operator: Operator, options: ListOptions): Promise<void> {
  const { customer: customerId, currency, type, status, own } = options;
  requireChoice('status', status, ACCOUNT_STATUSES);
  const filters = { customerId, currency, type, status };
  const list = { action: 'account list', none: 'There are no accounts.' };
  if (own) {
    await listRows(operator, options, {
      ...list,
      order: 'oldest first',
      rows: async (tx) =>
        (await listPlatformAccounts(tx, filters)).map((row) => presentAccountSummary(tx, row)),
      at: ({ createdAt }) => createdAt,
    });
    return;
  }
  await listPages(operator, options, {
    ...list,
    page: (tx, request) => ACCOUNT_LIST.page(tx, request, { customer: customerId, currency, type, status }),
  });
}

async function listExternal(operator: Operator, options: ListOptions): Promise<void> {
  const { customer: customerId, currency, type, status, own } = options;
  if (type !== undefined) throw new UsageError('--type is for internal accounts');
  requireChoice('status', status, EXTERNAL_STATUSES);
  await listPages(operator, options, {
    action: 'account list',
    none: 'There are no external accounts.',
    page: (tx, request) =>
      EXTERNAL_ACCOUNT_LIST.page(tx, request, { customer: customerId, currency, status, own }),
  });
}

/** Internal and external accounts have statuses of their own. */
function requireChoice<Choice extends string>(
  name: string,
  value: string | undefined,
  choices: readonly Choice[],
): asserts value is Choice | undefined {
  if (value === undefined || choices.some((choice) => choice === value)) return;
  throw new UsageError(`--${name} must be one of ${choices.join(', ')} here`);
}
