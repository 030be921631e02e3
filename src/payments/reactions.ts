import { accountsClosing } from '#accounts/announcements.ts';
import { customerDeleting, customerErased } from '#customers/announcements.ts';
import { on, type Subscription } from '#events/reactions.ts';
import { refuse } from '#lib/refusals.ts';
import { erasePrivate, findBusyAccounts, hasUnfinished } from '#payments/store.ts';

/** What payments have to say when something happens to a customer or an account. */
export const paymentReactions: Subscription[] = [
  // customers.md rule 26.
  on(customerDeleting, async (tx, { customer }) => {
    if (await hasUnfinished(tx, customer.id)) {
      refuse('CONFLICT', 'The customer still has a transaction that is not finished.');
    }
  }),
  on(accountsClosing, async (tx, { accountIds, keepOpen }) => {
    for (const id of await findBusyAccounts(tx, accountIds)) keepOpen(id);
  }),
  on(customerErased, async (tx, { customer }) => erasePrivate(tx, customer.id)),
];
