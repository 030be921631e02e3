import { customerDeleted, customerErased } from '#customers/announcements.ts';
import { eraseOwners, withdrawOwners } from '#customers/owner-store.ts';
import { eraseDocuments } from '#documents/delete-document.ts';
import { withdrawDocuments } from '#documents/store.ts';
import { on, type Subscription } from '#events/reactions.ts';
import { eraseErrors, withdrawVerifications } from '#verification/store.ts';

/** A customer's verifications, documents and owners are hidden when it is deleted, and erased when it is erased. */
export const verificationReactions: Subscription[] = [
  on(customerDeleted, (tx, { customer }) => withdrawOwners(tx, customer.id)),
  on(customerDeleted, (tx, { customer }) => withdrawDocuments(tx, customer.id)),
  on(customerDeleted, (tx, { customer }) => withdrawVerifications(tx, customer.id)),
  on(customerErased, (tx, { customer }) => eraseErrors(tx, customer.id)),
  on(customerErased, (tx, { customer }) => eraseDocuments(tx, customer.id)),
  // After the documents, some of which belong to owners.
  on(customerErased, (tx, { customer }) => eraseOwners(tx, customer.id)),
];
