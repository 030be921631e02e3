import { availOf } from '#accounts/ledger-accounts.ts';
import { lockAccountStatus, postEntry, requireActive } from '#accounts/post-entry.ts';
import { count } from '#counters/count.ts';
import { holdLive } from '#customers/hold-live.ts';
import type { Changes, Tx } from '#database/tx.ts';
import { emitFacts } from '#events/emit.ts';
import { cancelJob, schedule } from '#jobs/schedule.ts';
import { publicId } from '#lib/ids.ts';
import { TRANSACTIONS } from '#payments/columns.ts';
import { eventFacts } from '#payments/events.ts';
import type { Transition } from '#payments/machine/draft.ts';

/** Hands all that a transition brings about to its writers, to be committed whole. */
export function applyTransition(changes: Changes, transition: Transition): void {
  const { from, row, mirrors, postings, events, jobs, counts } = transition;
  changes.collect(TRANSACTIONS.writer, { from, row });
  for (const mirror of mirrors) changes.collect(TRANSACTIONS.writer, { from: undefined, row: mirror });
  holdCustomers(changes, transition);
  holdAccounts(changes, transition);
  for (const entry of postings) postEntry(changes, entry);
  for (const { type, row: told, decision, extra } of events) {
    const resourceId = publicId('Transaction', told.id);
    emitFacts(changes, { type, resourceId, facts: eventFacts(told, extra), decision });
  }
  for (const job of jobs) {
    if (job.does === 'cancel') cancelJob(changes, job.kind, job.key);
    else schedule(changes, job);
  }
  for (const use of counts) count(changes, use);
}

/** In a transaction of the caller's, which holds what the transitions rest on: they are written now, and stand. */
export async function applyIn(tx: Tx, transitions: readonly Transition[]): Promise<void> {
  for (const transition of transitions) applyTransition(tx, transition);
  await tx.flush();
}

/**
 * Whose the rows are that are born, and for whom money is set going. What is over with its birth begins nothing for a
 * customer that is gone.
 */
function holdCustomers(changes: Changes, { from, row, mirrors, liveCustomers }: Transition): void {
  if (from === undefined && row.customer_id !== null) {
    holdLive(changes, row.customer_id, row.status !== 'COMPLETED');
  }
  for (const { customer_id: id } of mirrors) if (id !== null) holdLive(changes, id, false);
  for (const id of liveCustomers) holdLive(changes, id, true);
}

/** Accounts that an entry moves are held by the ledger's locks; not those of money that is still to come. */
function holdAccounts(changes: Changes, { postings, activeAccounts, openAccounts }: Transition): void {
  for (const id of activeAccounts) {
    const moved = postings.flatMap(({ lines }) => lines).find(({ account }) => account === availOf(id));
    if (moved) requireActive(changes, id);
    else lockAccountStatus(changes, id, 'active');
  }
  for (const id of openAccounts) lockAccountStatus(changes, id, 'open');
}
