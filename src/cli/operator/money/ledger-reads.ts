import type { Command } from 'commander';
import { platformFromRecord } from '#capabilities/platform/platform-store.ts';
import { type BusinessTime, businessTimeArgument, countArgument } from '#cli/arguments.ts';
import { addAccountLines, addEntry } from '#cli/operator/money/ledger-lines.ts';
import {
  ACCOUNT_HELP,
  accountArgument,
  entryArgument,
  kindArgument,
  LIMIT_MAX,
  printBalances,
  requireEntry,
  sayProvisional,
  sided,
} from '#cli/operator/money/ledger-words.ts';
import {
  addPlatforms,
  choosePlatformReader,
  choosePlatforms,
  type PlatformOptions,
  type PlatformsOptions,
  platformOption,
} from '#cli/operator/shell/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { reportProgress } from '#cli/print.ts';
import {
  addTrialBalances,
  inBookOrder,
  readBalance,
  readTrialBalance,
  sumByCurrency,
} from '#foundation/journal/books.ts';
import { type AccountBalance, listAccounts } from '#foundation/journal/lines-store.ts';
import type { AccountKindName } from '#foundation/ledger/kinds.ts';
import type { OwnCurrencies } from '#foundation/lib/currencies.ts';

/** Adds the commands that read the books (money.md §13). */
export function addLedgerReads(ledger: Command): void {
  addBalance(ledger);
  addTrialBalance(ledger);
  addAccounts(ledger);
  addAccountLines(ledger);
  addEntry(ledger);
}

interface BalanceOptions extends PlatformOptions {
  at?: BusinessTime;
  entry?: string;
}

function addBalance(ledger: Command): void {
  ledger
    .command('balance')
    .description('print the balance of an account at a moment')
    .argument('<account>', 'the account', accountArgument)
    .option('--at <time>', 'the moment, such as 2026-03-01 or 2h (ago); now by default', businessTimeArgument)
    .option('--entry <entry>', 'right after this entry: its id, or its number in the journal', entryArgument)
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', `${ACCOUNT_HELP}\n\nExample:\n  $ corridor ledger balance FEES:USD --at 2026-03-01`)
    .action((account: string, options: BalanceOptions) =>
      asOperator((operator) => printBalance(operator, account, options)),
    );
}

async function printBalance(operator: Operator, account: string, options: BalanceOptions): Promise<void> {
  const reader = await choosePlatformReader(operator, options);
  const answer = await reader.read(async (tx) => {
    const named = options.entry === undefined ? undefined : await requireEntry(tx, options.entry);
    return readBalance(tx, account, named ?? options.at?.(tx.now) ?? tx.now);
  });
  await operator.audit({ action: 'ledger balance', platformId: reader.platform.id });
  sayProvisional(answer.isProvisional);
  printBalances(answer.balances, reader.platform.ownCurrencies, {
    ...options,
    none: `${account} has no lines.`,
  });
}

interface TrialOptions extends PlatformsOptions {
  at?: BusinessTime;
}

function addTrialBalance(ledger: Command): void {
  addPlatforms(
    ledger
      .command('trial-balance')
      .description('print the balances of all accounts by kind, which add up to zero')
      .option('--at <time>', 'the moment, such as 2026-03-01; now by default', businessTimeArgument),
  )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor ledger trial-balance --at 2026-03-01')
    .action((options: TrialOptions) => asOperator((operator) => printTrialBalance(operator, options)));
}

async function printTrialBalance(operator: Operator, options: TrialOptions): Promise<void> {
  const { chosen } = await choosePlatforms(operator, options);
  const readers = await operator.readers(chosen.map(platformFromRecord));
  const trials = [];
  for (const reader of readers) {
    trials.push(await reader.read((tx) => readTrialBalance(tx, options.at?.(tx.now) ?? tx.now)));
  }
  const rows = inBookOrder(addTrialBalances(trials));
  const own = Object.assign({}, ...readers.map(({ platform }) => platform.ownCurrencies)) as OwnCurrencies;
  const only = readers.length === 1 ? readers[0] : undefined;
  await operator.audit({ action: 'ledger trial-balance', platformId: only?.platform.id });
  reportProgress(only ? `Platform: ${only.platform.name}` : `${readers.length} platforms together`);
  sayProvisional(trials.some(({ isProvisional }) => isProvisional));
  printBalances(rows, own, { ...options, none: 'No entry was posted yet.' });
  const unbalanced = [...sumByCurrency(rows)].filter(([, sum]) => sum !== 0n);
  for (const [currency, sum] of unbalanced) {
    reportProgress(
      `${currency} does not balance: ${sided(sum, currency, own)} is missing on the other side.`,
    );
  }
}

interface AccountsOptions extends PlatformOptions {
  at?: BusinessTime;
  limit: number;
  from?: string;
}

function addAccounts(ledger: Command): void {
  ledger
    .command('accounts')
    .description('print the accounts of a kind with their balances')
    .argument('<kind>', 'the kind, such as AVAIL or RECEIVABLE', kindArgument)
    .option('--at <time>', 'the moment, such as 2026-03-01; now by default', businessTimeArgument)
    .option('--limit <count>', 'print at most this many', countArgument(1, LIMIT_MAX), 100)
    .option('--from <account>', 'begin after this account', accountArgument)
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor ledger accounts RECEIVABLE')
    .action((kind: AccountKindName, options: AccountsOptions) =>
      asOperator((operator) => printAccounts(operator, kind, options)),
    );
}

/** Sorts behind every currency. */
const LAST_CURRENCY = '~';

async function printAccounts(
  operator: Operator,
  kind: AccountKindName,
  options: AccountsOptions,
): Promise<void> {
  const reader = await choosePlatformReader(operator, options);
  const { from, limit } = options;
  const after = from === undefined ? undefined : ([from, LAST_CURRENCY] as const);
  const rows = await reader.read((tx) =>
    listAccounts(tx, kind, { at: options.at?.(tx.now) ?? tx.now }, { after, limit: limit + 1 }),
  );
  await operator.audit({ action: 'ledger accounts', platformId: reader.platform.id });
  const shown = wholeAccounts(rows, limit);
  printBalances(shown, reader.platform.ownCurrencies, { ...options, none: `No ${kind} account has a line.` });
  if (rows.length > shown.length) reportProgress(`There are more: add --from ${shown.at(-1)?.account}`);
}

/** The rows up to the limit, without an account of which only a part would be shown. */
function wholeAccounts(rows: readonly AccountBalance[], limit: number): readonly AccountBalance[] {
  if (rows.length <= limit) return rows;
  const next = rows[limit]?.account;
  const whole = rows.slice(0, limit).filter(({ account }) => account !== next);
  return whole.length > 0 ? whole : rows.filter(({ account }) => account === next);
}
