import { customerDeleted, customerErased } from '#customers/announcements.ts';
import { on, type Subscription } from '#events/reactions.ts';
import { eraseForCustomer, markDeletedForCustomer } from '#external-accounts/store.ts';

/** External accounts are deleted and erased with their owner, in the same commit. */
export const externalAccountReactions: Subscription[] = [
  on(customerDeleted, (tx, { customer }) => markDeletedForCustomer(tx, customer.id)),
  on(customerErased, (tx, { customer }) => eraseForCustomer(tx, customer.id)),
];
