import { accountsClosing } from '#accounts/announcements.ts';
import { customerDeleting, customerErased } from '#customers/announcements.ts';
import { sql } from '#database/sql.ts';
import { on, type Subscription } from '#events/reactions.ts';
import { refuse } from '#lib/refusals.ts';
import { expireQuotes } from '#payments/expire-quotes.ts';
import { openPrivate, sealPrivate } from '#payments/private.ts';
import {
  eraseFromPayments,
  findBusyAccounts,
  findPaidByOthers,
  goesTo,
  hasUnfinished,
  replacePrivate,
} from '#payments/store.ts';

/**
 * What payments have to say when something happens to a customer or an account. A quote whose time is over is marked
 * first: one call may still be about to execute it, at the time at which it began.
 */
export const paymentReactions: Subscription[] = [
  // customers.md rule 26.
  on(customerDeleting, async (tx, { customer }) => {
    await expireQuotes(tx, sql`customer_id = ${customer.id}`);
    if (await hasUnfinished(tx, customer.id)) {
      refuse('CONFLICT', 'The customer still has a transaction that is not finished.');
    }
  }),
  on(accountsClosing, async (tx, { accountIds, keepOpen }) => {
    await expireQuotes(tx, sql`fee_account = any(${accountIds}::uuid[])`);
    for (const id of await findBusyAccounts(tx, accountIds)) keepOpen(id);
  }),
  on(customerErased, async (tx, erased) => {
    const { customer } = erased;
    await eraseFromPayments(tx, erased);
    await expireQuotes(tx, goesTo(customer.id));
    const paid = await findPaidByOthers(tx, customer.id);
    if (paid.some((row) => row.is_open)) {
      refuse('CONFLICT', 'A payment to the customer is not finished.');
    }
    for (const row of paid) {
      const { destination: _, ...others } = openPrivate(tx.vault, row);
      await replacePrivate(tx, row.id, sealPrivate(tx.vault, row.id, others));
    }
  }),
];
