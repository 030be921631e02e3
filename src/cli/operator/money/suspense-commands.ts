import { Command } from 'commander';
import { listUnmatched, type UnmatchedReceipt } from '#capabilities/payments/incoming/store.ts';
import { codeArgument, idArgument } from '#cli/arguments.ts';
import { UsageError } from '#cli/failure.ts';
import { actorName } from '#cli/operator/installation/audit-command.ts';
import { addShortList } from '#cli/operator/shell/listing.ts';
import { addChange, addShow, type ChangeOptions } from '#cli/operator/shell/show.ts';
import { listResourceChanges } from '#foundation/audit/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { findEverSuspended, listSuspended, type Suspended } from '#foundation/ledger/open-items-store.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { notFound } from '#foundation/lib/refusals.ts';

interface ResolveOptions extends ChangeOptions {
  to?: AccountId;
  rail?: string;
}

/** `corridor suspense …`: money that could not be assigned to a payment or an account. */
export function suspenseCommand(): Command {
  const suspense = new Command('suspense').addHelpText('after', '\nExample:\n  $ corridor suspense list');
  addShortList(suspense.command('list').description('list open items, the oldest first'), {
    example: '--json',
    none: 'Nothing waits.',
    order: 'oldest first',
    rows: async (tx) => presentAll(tx, await listSuspended(tx)),
    at: ({ since }) => since,
  });
  addShow(suspense, {
    type: 'JournalEntry',
    argument: 'entry',
    about: 'the journal entry that booked it',
    description: 'print one item with its origin and its resolution',
    load: presentWhole,
  });
  addChange(suspense, 'resolve', {
    type: 'JournalEntry',
    argument: 'entry',
    about: 'the journal entry that booked it',
    description: 'credit an internal account with the money, or record that it was paid out by hand',
    effect: 'The money is booked to the target that you named. This cannot be undone.',
    example: '--to InternalAccount:0190a5d3-… --reason "case 4711"',
    ...{ operation: 'resolveSuspense', param: 'entryId', two: true },
    body: (options: ResolveOptions) => bodyOf(options),
    async present(tx, entryId: Id<'JournalEntry'>) {
      const found = await findEverSuspended(tx, entryId);
      return { ...(found && (await presentAll(tx, [found]))[0]) };
    },
  })
    .option('--to <account>', 'the internal account to credit', idArgument('InternalAccount'))
    .option('--rail <rail>', 'or the rail that it was paid out over', codeArgument);
  return suspense;
}

async function presentWhole(tx: Tx, entryId: Id<'JournalEntry'>) {
  const found = await findEverSuspended(tx, entryId);
  if (!found) throw notFound('REFERENCE_NOT_FOUND', 'JournalEntry');
  const [shown] = await presentAll(tx, [found]);
  const { resolved_by, resolved_at } = found;
  if (resolved_by === null) return { ...shown };
  const [decision] = await listResourceChanges(tx, [publicId('JournalEntry', entryId)], 1);
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

function bodyOf({ to, rail }: ResolveOptions) {
  if ((to === undefined) === (rail === undefined)) throw new UsageError('give either --to or --rail');
  return to === undefined ? { rail } : { to: publicId('InternalAccount', to) };
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
