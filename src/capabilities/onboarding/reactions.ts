import { customerDeleted, customerErased } from '#capabilities/customers/announcements.ts';
import { eraseLinks, revokeLinks } from '#capabilities/onboarding/store.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';

/** Open links end with their customer (customers.md §2.4.26). */
export const onboardingReactions: Subscription[] = [
  on(customerDeleted, (tx, { customer }) => revokeLinks(tx, customer.id)),
  on(customerErased, (tx, { customer }) => eraseLinks(tx, customer.id)),
];
