import { customerDeleted, customerErased } from '#capabilities/customers/announcements.ts';
import { cancelCustomerInvitations, eraseFromInvitations } from '#capabilities/invitations/store.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';

/** Cancels a deleted customer's invitations (platform.md §5.6), and erases an erased one's (customers.md §2.4.26a). */
export const invitationReactions: Subscription[] = [
  on(customerDeleted, (tx, { customer }) => cancelCustomerInvitations(tx, customer.id)),
  on(customerErased, eraseFromInvitations),
];
