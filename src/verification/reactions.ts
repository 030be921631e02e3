import { customerDeleted, customerErased } from '#customers/announcements.ts';
import { eraseOwners, withdrawOwners } from '#customers/owners/store.ts';
import { eraseDocuments } from '#documents/delete-document.ts';
import { withdrawDocuments } from '#documents/store.ts';
import { on, type Subscription } from '#events/reactions.ts';
import { eraseErrors, withdrawVerifications } from '#verification/store.ts';

/** What a customer leaves behind: unknown once it is deleted, gone once it is erased. */
export const verificationReactions: Subscription[] = [
  on(customerDeleted, (tx, { customer }) => withdrawOwners(tx, customer.id)),
  on(customerDeleted, (tx, { customer }) => withdrawDocuments(tx, customer.id)),
  on(customerDeleted, (tx, { customer }) => withdrawVerifications(tx, customer.id)),
  on(customerErased, (tx, { customer }) => eraseErrors(tx, customer.id)),
  on(customerErased, (tx, { customer }) => eraseDocuments(tx, customer.id)),
  // After the documents: some of them are the owners'.
  on(customerErased, (tx, { customer }) => eraseOwners(tx, customer.id)),
];
