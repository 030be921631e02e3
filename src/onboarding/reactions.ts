import { customerDeleted, customerErased } from '#customers/announcements.ts';
import { on, type Subscription } from '#events/reactions.ts';
import { eraseLinks, revokeLinks } from '#onboarding/store.ts';

/** Open links end with their customer (customers.md §2.4.26). */
export const onboardingReactions: Subscription[] = [
  on(customerDeleted, (tx, { customer }) => revokeLinks(tx, customer.id)),
  on(customerErased, (tx, { customer }) => eraseLinks(tx, customer.id)),
];
