import { customerDeleted, customerErased } from '#capabilities/customers/announcements.ts';
import { eraseOwners, withdrawOwners } from '#capabilities/customers/owner-store.ts';
import { eraseDocuments } from '#capabilities/documents/delete-document.ts';
import { withdrawDocuments } from '#capabilities/documents/store.ts';
import { eraseErrors, withdrawVerifications } from '#capabilities/verification/store.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';

/** Hides a customer's verifications, documents and owners when it is deleted, and erases them when it is erased. */
export const verificationReactions: Subscription[] = [
  on(customerDeleted, (tx, { customer }) => withdrawOwners(tx, customer.id)),
  on(customerDeleted, (tx, { customer }) => withdrawDocuments(tx, customer.id)),
  on(customerDeleted, (tx, { customer }) => withdrawVerifications(tx, customer.id)),
  on(customerErased, (tx, { customer }) => eraseErrors(tx, customer.id)),
  on(customerErased, (tx, { customer }) => eraseDocuments(tx, customer.id)),
  // After the documents, because some of them belong to owners.
  on(customerErased, (tx, { customer }) => eraseOwners(tx, customer.id)),
];
