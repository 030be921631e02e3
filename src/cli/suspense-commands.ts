import { Command } from 'commander';
import { codeArgument, idArgument } from '#cli/arguments.ts';
import { type PlatformOptions, platformOption, readerOf, workOf } from '#cli/choose-platform.ts';
import { confirmed } from '#cli/confirm.ts';
import { UsageError } from '#cli/failure.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { reasonOption } from '#cli/options.ts';
import { printObject, printRows } from '#cli/print.ts';
import { listSuspended, type Suspended } from '#ledger/open-items-store.ts';
import { presentAmount } from '#lib/currencies.ts';
import { publicId } from '#lib/ids.ts';
import type { Platform } from '#lib/platform.ts';
import { resolveSuspense, type SuspenseTarget } from '#payments/operator/resolve-suspense.ts';

interface ResolveOptions extends PlatformOptions {
  to?: string;
  rail?: string;
  reason: string;
}

/** `corridor suspense …`: money that we hold and cannot assign to anything. */
export function suspenseCommand(): Command {
  const suspense = new Command('suspense')
    .description('refunds that could not be paid, and receipts that fit nothing')
    .addHelpText('after', '\nExample:\n  $ corridor suspense list');
  suspense
    .command('list')
    .description('list what waits, the oldest first')
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor suspense list --json')
    .action((options: PlatformOptions) => asOperator((operator) => list(operator, options)));
  const command = suspense.command('resolve');
  confirmed(command, 'The money is booked to where you said. This cannot be undone.')
    .description('credit an internal account with it, or note that it was paid out by hand')
    .argument('<entry>', 'the journal entry that put it there', idArgument('JournalEntry'))
    .addOption(platformOption())
    .option('--to <account>', 'the internal account that gets it', idArgument('InternalAccount'))
    .option('--rail <rail>', 'or the rail over which it was paid out', codeArgument)
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor suspense resolve JournalEntry:0190a5d2-… --to InternalAccount:0190a5d3-… --reason "case 4711"',
    )
    .action((id: string, options: ResolveOptions) =>
      asOperator((operator) => resolve(operator, id, options)),
    );
  return suspense;
}

async function list(operator: Operator, options: PlatformOptions): Promise<void> {
  const work = await readerOf(operator, options);
  const rows = await work.read((tx) => listSuspended(tx));
  await operator.audit({ action: 'suspense list', platformId: work.platform.id });
  const shown = rows.map((row) => presentSuspended(work.platform, row));
  printRows(shown, { json: options.json ?? false, none: 'Nothing waits.' });
}

async function resolve(operator: Operator, entryId: string, options: ResolveOptions): Promise<void> {
  const target = targetOf(options);
  const work = await workOf(operator, options);
  const { reason } = options;
  const found = await work.write((tx) => resolveSuspense(tx, { entryId, target, reason }));
  printObject(presentSuspended(work.platform, found), { json: options.json ?? false });
}

function targetOf({ to, rail }: ResolveOptions): SuspenseTarget {
  if (to !== undefined && rail === undefined) return { accountId: to };
  if (rail !== undefined && to === undefined) return { rail };
  throw new UsageError('say either --to or --rail');
}

function presentSuspended(
  { ownCurrencies }: Platform,
  { id, kind, transaction_id, currency, amount, created_at }: Suspended,
) {
  return {
    entry: publicId('JournalEntry', id),
    because: kind === 'L12' ? 'refund failed' : 'unmatched receipt',
    transaction: transaction_id === null ? undefined : publicId('Transaction', transaction_id),
    amount: presentAmount(amount, currency, ownCurrencies),
    since: created_at,
  };
}
