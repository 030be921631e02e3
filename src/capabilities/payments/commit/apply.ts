import { availAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import { lockAccountStatus, postEntry, requireActive } from '#capabilities/accounts/post-entry.ts';
import { lockCustomerAgainstDeletion } from '#capabilities/customers/commit-store.ts';
import { columnsOf, TRANSACTIONS } from '#capabilities/payments/columns.ts';
import { eventFacts } from '#capabilities/payments/events.ts';
import type { PaymentTransition } from '#capabilities/payments/machine/draft.ts';
import { useCounter } from '#foundation/counters/store.ts';
import type { Changes, Tx } from '#foundation/database/tx.ts';
import { emitFacts } from '#foundation/events/emit.ts';
import { cancelJob, schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Hands every part of a transition to its writer, to be committed as a whole. */
export function applyTransition(changes: Changes, transition: PaymentTransition): void {
  const { from, row, entries, events, jobs, counts, others } = transition;
  changes.collect(TRANSACTIONS.writer, { from, row: columnsOf(row) });
  requireCustomers(changes, transition);
  requireAccounts(changes, transition);
  for (const entry of entries) postEntry(changes, entry);
  for (const { type, row: shown, decision, extra } of events) {
    const resourceId = publicId('Transaction', shown.id);
    emitFacts(changes, { type, resourceId, facts: eventFacts(shown, extra), decision });
  }
  for (const job of jobs) {
    if (job.does === 'cancel') cancelJob(changes, job.kind, job.key);
    else schedule(changes, job);
  }
  for (const use of counts) useCounter(changes, use);
  for (const other of others) applyTransition(changes, other);
}

/** Writes transitions at once, in the caller's transaction, which holds the locks that they depend on. */
export async function applyNow(tx: Tx, transitions: readonly PaymentTransition[]): Promise<void> {
  for (const transition of transitions) applyTransition(tx, transition);
  await tx.flush();
}

/**
 * At the commit, the owners of new rows and customers that will be paid must not be deleted. A row that is created
 * `COMPLETED`, such as a deposit or a mirror, may belong to a deleted customer.
 */
function requireCustomers(changes: Changes, { from, row, liveCustomers }: PaymentTransition): void {
  if (from === undefined && row.customer_id !== null) {
    lockCustomerAgainstDeletion(changes, row.customer_id, row.status !== 'COMPLETED');
  }
  for (const id of liveCustomers) lockCustomerAgainstDeletion(changes, id, true);
}

/** The ledger locks the accounts that an entry moves; this locks the status of the others. */
function requireAccounts(
  changes: Changes,
  { entries, activeAccounts, openAccounts }: PaymentTransition,
): void {
  for (const id of activeAccounts) {
    const moved = entries.flatMap(({ lines }) => lines).find(({ account }) => account === availAccountOf(id));
    if (moved) requireActive(changes, id);
    else lockAccountStatus(changes, id, 'active');
  }
  for (const id of openAccounts) lockAccountStatus(changes, id, 'open');
}
