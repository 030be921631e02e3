import { type CustomerRow, findLiveCustomer, lockLiveCustomer } from '#customers/store.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { type DocumentRow, findDocument, lockDocument } from '#documents/store.ts';
import { notFound, Refusal } from '#lib/refusals.ts';

/** A document that may be replaced or deleted; 404 or 409 otherwise (customers.md §5.7). */
export async function findFreeDocument(tx: ReadTx, id: string): Promise<DocumentRow> {
  const document = await findDocument(tx, id);
  const customer = document && (await findLiveCustomer(tx, document.customer_id));
  return checkFree(document, customer);
}

/** The same, held for this transaction. Parent before child: a submission locks them in this order, too. */
export async function lockFreeDocument(tx: Tx, id: string): Promise<DocumentRow> {
  const found = await findDocument(tx, id);
  const customer = found && (await lockLiveCustomer(tx, found.customer_id));
  return checkFree(customer && (await lockDocument(tx, id)), customer);
}

function checkFree(document: DocumentRow | undefined, customer: CustomerRow | undefined): DocumentRow {
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
