import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { findLiveCustomer, lockLiveCustomer } from '#capabilities/customers/store.ts';
import {
  type DocumentRow,
  deleteCustomerDocuments,
  deleteRow,
  findDocument,
  lockDocument,
} from '#capabilities/documents/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { notFound, Refusal } from '#foundation/lib/refusals.ts';
import { discardContents } from '#foundation/uploads/contents.ts';

/** DELETE /documents/{id}: permanent. The file's key is deleted in this commit, the file itself after it. */
export async function deleteDocument(tx: Tx, id: Id<'Document'>): Promise<void> {
  const { content_id } = await lockEditableDocument(tx, id);
  await deleteRow(tx, id);
  await discardContents(tx, [content_id]);
}

/** Deletes the rows and files when a deleted customer is erased. */
export async function eraseDocuments(tx: Tx, customerId: CustomerId): Promise<void> {
  await discardContents(tx, await deleteCustomerDocuments(tx, customerId));
}

/** Finds a document that may be replaced or deleted; refuses with 404 or 409 otherwise (customers.md §5.7). */
export async function findEditableDocument(tx: ReadTx, id: Id<'Document'>): Promise<DocumentRow> {
  const document = await findDocument(tx, id);
  const customer = document && (await findLiveCustomer(tx, document.customer_id));
  return checkEditable(document, customer);
}

/** Locks the customer first: parent before child, in the same order as a submission. */
export async function lockEditableDocument(tx: Tx, id: Id<'Document'>): Promise<DocumentRow> {
  const found = await findDocument(tx, id);
  const customer = found && (await lockLiveCustomer(tx, found.customer_id));
  return checkEditable(customer && (await lockDocument(tx, id)), customer);
}

function checkEditable(document: DocumentRow | undefined, customer: CustomerRow | undefined): DocumentRow {
  if (!document || !customer) throw notFound('NOT_FOUND', 'Document');
  if (document.verification_id !== null) {
    throw new Refusal('CONFLICT', 'The document belongs to a verification that is in progress.');
  }
  if (customer.status === 'APPROVED' || customer.status === 'REJECTED') {
    throw new Refusal(
      'CONFLICT',
      'The customer’s verification has ended; its documents can no longer be changed.',
    );
  }
  return document;
}
