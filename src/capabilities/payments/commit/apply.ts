import { applyTransition as apply } from '#capabilities/accounts/apply-transition.ts';
import { availAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import { lockAccountStatus, requireActive } from '#capabilities/accounts/post-entry.ts';
import { lockCustomerAgainstDeletion } from '#capabilities/customers/commit-store.ts';
import { columnsOf, TRANSACTIONS } from '#capabilities/payments/columns.ts';
import { eventFacts } from '#capabilities/payments/events.ts';
import type { PaymentTransition } from '#capabilities/payments/machine/draft.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { useCounter } from '#foundation/counters/store.ts';
import type { Changes, Tx } from '#foundation/database/tx.ts';
import { emitFacts } from '#foundation/events/emit.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Passes every part of a transition to its writer, to be committed as a whole. */
export function applyTransition(changes: Changes, transition: PaymentTransition): void {
  apply<TransactionRow, PaymentTransition>(changes, transition, {
    write(to, part) {
      to.collect(TRANSACTIONS.writer, { from: part.from, row: columnsOf(part.row) });
      requireCustomers(to, part);
      requireAccounts(to, part);
      for (const use of part.counts) useCounter(to, use);
    },
    emit(to, { type, row, decision, extra }) {
      const resourceId = publicId('Transaction', row.id);
      emitFacts(to, { type, resourceId, facts: eventFacts(row, extra), decision });
    },
  });
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
