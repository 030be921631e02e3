import { Command } from 'commander';
import { listUnmatched, type UnmatchedReceipt } from '#capabilities/payments/incoming/store.ts';
import { resolveSuspense, type SuspenseTarget } from '#capabilities/payments/operator/resolve-suspense.ts';
import { codeArgument, idArgument } from '#cli/arguments.ts';
import { UsageError } from '#cli/failure.ts';
import { actorName } from '#cli/operator/installation/audit-command.ts';
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
import { addShow } from '#cli/operator/shell/show.ts';
import { reasonOption } from '#cli/options.ts';
import { printObject } from '#cli/print.ts';
import { audit } from '#foundation/audit/audit.ts';
import { listResourceChanges } from '#foundation/audit/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { findEverSuspended, listSuspended, type Suspended } from '#foundation/ledger/open-items-store.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { notFound } from '#foundation/lib/refusals.ts';

interface ResolveOptions extends PlatformOptions {
  to?: AccountId;
  rail?: string;
  reason: string;
}

/** `corridor suspense …`: money that could not be assigned to a payment or an account. */
export function suspenseCommand(): Command {
  const suspense = new Command('suspense').addHelpText('after', '\nExample:\n  $ corridor suspense list');
  addPlatforms(suspense.command('list').description('list open items, the oldest first'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor suspense list --json')
    .action((options: PlatformsOptions) => asOperator((operator) => listAll(operator, options)));
  addShow(suspense, {
    type: 'JournalEntry',
    argument: 'entry',
    about: 'the journal entry that booked it',
    description: 'print one item with its origin and its resolution',
    load: presentWhole,
  });
  const command = suspense.command('resolve');
  confirmed(command, 'The money is booked to the target that you named. This cannot be undone.')
    .description('credit an internal account with the money, or record that it was paid out by hand')
    .argument('<entry>', 'the journal entry that booked it', idArgument('JournalEntry'))
    .addOption(ownerOption())
    .option('--to <account>', 'the internal account to credit', idArgument('InternalAccount'))
    .option('--rail <rail>', 'or the rail that it was paid out over', codeArgument)
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor suspense resolve JournalEntry:0190a5d2-… --to InternalAccount:0190a5d3-… --reason "case 4711"',
    )
    .action((id: Id<'JournalEntry'>, options: ResolveOptions) =>
      asOperator((operator) => resolve(operator, id, options)),
    );
  return suspense;
}

async function listAll(operator: Operator, options: PlatformsOptions): Promise<void> {
  await listRows(operator, options, {
    action: 'suspense list',
    none: 'Nothing waits.',
    order: 'oldest first',
    rows: async (tx) => presentAll(tx, await listSuspended(tx)),
    at: ({ since }) => since,
  });
}

async function resolve(
  operator: Operator,
  entryId: Id<'JournalEntry'>,
  options: ResolveOptions,
): Promise<void> {
  const target = readTarget(options);
  const work = await findResourceWork(operator, options, 'JournalEntry', entryId);
  const { reason } = options;
  const shown = await work.write(async (tx) => {
    const found = await resolveSuspense(tx, { entryId, target, reason });
    return (await presentAll(tx, [found]))[0] ?? {};
  });
  printObject(shown, { json: options.json ?? false });
}

/** The output names the payer, so the command is audited. */
async function presentWhole(tx: Tx, entryId: Id<'JournalEntry'>) {
  const found = await findEverSuspended(tx, entryId);
  if (!found) throw notFound('REFERENCE_NOT_FOUND', 'JournalEntry');
  const resource = publicId('JournalEntry', entryId);
  audit(tx, { action: 'suspense show', resource });
  const [shown] = await presentAll(tx, [found]);
  const { resolved_by, resolved_at } = found;
  if (resolved_by === null) return { ...shown };
  const [decision] = await listResourceChanges(tx, [resource], 1);
  const { to, reason } = decision?.details ?? {};
  const resolvedBy = decision && actorName(decision);
  return {
    ...shown,
    resolved: { entry: publicId('JournalEntry', resolved_by), at: resolved_at, to, by: resolvedBy, reason },
  };
}

/** Adds the report about each receipt: its sender, the bank's reference and the intended account. */
async function presentAll(tx: ReadTx, rows: readonly Suspended[]) {
  const receipts = await listUnmatched(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) =>
    presentSuspended(
      tx.platform,
      row,
      receipts.find(({ entryId }) => entryId === row.id),
    ),
  );
}

function readTarget({ to, rail }: ResolveOptions): SuspenseTarget {
  if (to !== undefined && rail === undefined) return { accountId: to };
  if (rail !== undefined && to === undefined) return { rail };
  throw new UsageError('give either --to or --rail');
}

function presentSuspended(
  { ownCurrencies }: Platform,
  { id, kind, transaction_id, currency, amount, created_at }: Suspended,
  receipt: UnmatchedReceipt | undefined,
) {
  return {
    entry: publicId('JournalEntry', id),
    because: kind === 'refund.suspended' ? 'refund failed' : 'unmatched receipt',
    transaction: transaction_id === null ? undefined : publicId('Transaction', transaction_id),
    amount: presentAmount(amount, currency, ownCurrencies),
    sender: receipt?.sender,
    bankReference: receipt?.bankReference,
    statedReference: receipt?.statedReference,
    intendedAccount: receipt?.intendedAccount && publicId('InternalAccount', receipt.intendedAccount),
    since: created_at,
  };
}
