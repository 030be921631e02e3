import { customerDeleted, customerErased } from '#capabilities/customers/announcements.ts';
import { eraseForCustomer, markDeletedForCustomer } from '#capabilities/external-accounts/store.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';

/** External accounts are deleted and erased with their owner, in the same commit. */
export const externalAccountReactions: Subscription[] = [
  on(customerDeleted, (tx, { customer }) => markDeletedForCustomer(tx, customer.id)),
  on(customerErased, (tx, { customer }) => eraseForCustomer(tx, customer.id)),
];
