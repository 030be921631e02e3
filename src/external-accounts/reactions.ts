import { customerDeleted, customerErased } from '#customers/announcements.ts';
import { on, type Subscription } from '#events/reactions.ts';
import { eraseOf, markDeletedOf } from '#external-accounts/store.ts';

/** What happens to external accounts when something happens to their owner, in the same commit. */
export const externalAccountReactions: Subscription[] = [
  on(customerDeleted, (tx, { customer }) => markDeletedOf(tx, customer.id)),
  on(customerErased, (tx, { customer }) => eraseOf(tx, customer.id)),
];
