import { Command } from 'commander';
import { presentSuspense, SUSPENSE_LIST } from '#capabilities/payments/operator/suspense-records.ts';
import { codeArgument, idArgument } from '#cli/arguments.ts';
import { UsageError } from '#cli/failure.ts';
import { actorName } from '#cli/operator/installation/audit-command.ts';
import { addPagedList } from '#cli/operator/shell/listing.ts';
import { addChange, addShow, type ChangeOptions } from '#cli/operator/shell/show.ts';
import { listResourceChanges } from '#foundation/audit/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { findEverSuspended } from '#foundation/ledger/open-items-store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

interface ResolveOptions extends ChangeOptions {
  to?: AccountId;
  rail?: string;
}

/** `corridor suspense …`: money that could not be assigned to a payment or an account. */
export function suspenseCommand(): Command {
  const suspense = new Command('suspense').addHelpText('after', '\nExample:\n  $ corridor suspense list');
  addPagedList(suspense.command('list').description('list open items, the newest first'), {
    example: '--json',
    none: 'Nothing waits.',
    page: (tx, request) => SUSPENSE_LIST.page(tx, request, {}),
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
      return { ...(found && (await presentSuspense(tx, [found]))[0]) };
    },
  })
    .option('--to <account>', 'the internal account to credit', idArgument('InternalAccount'))
    .option('--rail <rail>', 'or the rail that it was paid out over', codeArgument);
  return suspense;
}

async function presentWhole(tx: Tx, entryId: Id<'JournalEntry'>) {
  const found = await findEverSuspended(tx, entryId);
  if (!found) throw notFound('REFERENCE_NOT_FOUND', 'JournalEntry');
  const [shown] = await presentSuspense(tx, [found]);
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

function bodyOf({ to, rail }: ResolveOptions) {
  if ((to === undefined) === (rail === undefined)) throw new UsageError('give either --to or --rail');
  return to === undefined ? { rail } : { to: publicId('InternalAccount', to) };
}
