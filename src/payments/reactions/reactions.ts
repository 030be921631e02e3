import { accountClosingRequested, accountsClosing } from '#accounts/announcements.ts';
import {
  customerDeleted,
  customerDeleting,
  customerDeletionAsked,
  customerErased,
} from '#customers/announcements.ts';
import { sql } from '#database/sql.ts';
import { on, type Subscription } from '#events/reactions.ts';
import { receivablesOf } from '#ledger/open-items.ts';
import { refuse } from '#lib/refusals.ts';
import { openPrivate, sealPrivate } from '#payments/details.ts';
import { expireQuotes } from '#payments/quotes/expire-quotes.ts';
import {
  eraseFromPayments,
  findBusyAccounts,
  findPaidByOthers,
  goesTo,
  hasUnfinished,
  isBeingPaid,
} from '#payments/reactions/store.ts';
import { replacePrivate } from '#payments/store.ts';

/**
 * What payments have to say when something happens to a customer or an account. A quote whose time is over is marked
 * first: one call may still be about to execute it, at the time at which it began.
 */
export const paymentReactions: Subscription[] = [
  on(customerDeletionAsked, (tx, { customerId }) => expireQuotes(tx, sql`customer_id = ${customerId}`)),
  // customers.md §2.4.26.
  on(customerDeleting, async (tx, { customer }) => {
    if (await hasUnfinished(tx, customer.id)) {
      refuse('CONFLICT', 'The customer has a transaction that has not finished.');
    }
    if (await isBeingPaid(tx, customer.id)) {
      refuse('CONFLICT', 'A payment to the customer is on its way.');
    }
  }),
  // By now its accounts are held, so that nothing is taken back from them any more.
  on(customerDeleted, async (tx, { customer }) => {
    const debts = await receivablesOf(tx, customer.id);
    if (debts.length > 0) {
      refuse(
        'CONFLICT',
        `The customer still owes money in ${debts.map(({ currency }) => currency).join(', ')}.`,
      );
    }
  }),
  // Fees go to the platform's accounts, which only the operator closes.
  on(accountClosingRequested, (tx, { accountId }) => expireQuotes(tx, sql`fee_account = ${accountId}`)),
  on(accountsClosing, async (tx, { accountIds, keepOpen }) => {
    for (const id of await findBusyAccounts(tx, accountIds)) keepOpen(id);
  }),
  on(customerErased, async (tx, erased) => {
    const { customer } = erased;
    await eraseFromPayments(tx, erased);
    await expireQuotes(tx, goesTo(customer.id));
    const paid = await findPaidByOthers(tx, customer.id);
    if (paid.some((row) => row.is_open)) {
      refuse('CONFLICT', 'A payment to the customer has not finished.');
    }
    for (const row of paid) {
      const { destination: _, ...others } = openPrivate(tx.vault, row);
      await replacePrivate(tx, row.id, sealPrivate(tx.vault, row.id, others));
    }
  }),
];
