import type { CheckedBody } from '#capabilities/customers/lifecycle/create-customer.ts';
import { lockLiveCustomer } from '#capabilities/customers/store.ts';
import {
  type DocumentInput,
  documentValues,
  findHolder,
  precheck,
  readDocumentInput,
  requireSuitable,
} from '#capabilities/documents/document-input.ts';
import { presentDocument } from '#capabilities/documents/present.ts';
import { type Document, DocumentUploadRequest } from '#capabilities/documents/schemas.ts';
import { insertDocument } from '#capabilities/documents/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { keepUpload, type Upload } from '#foundation/uploads/uploads.ts';

type Request = CheckedBody<DocumentUploadRequest> & { readonly file: Upload | undefined };

/** POST /documents, and the files of the hosted page. The file is already in storage. */
export async function uploadDocument(work: Work, request: Request): Promise<Document> {
  const input = await work.read(async (tx) => {
    const read = readDocumentInput(tx, DocumentUploadRequest, request);
    requireSuitable(read, (await findHolder(tx, read.fields.documentHolder)).kind);
    return read;
  });
  await precheck(work, input.fields.documentHolder, input);
  return work.write((tx) => addDocument(tx, input));
}

/** Stores row and file in one commit; of concurrent uploads of one type, the database accepts one (customers.md §5.3). */
async function addDocument(tx: Tx, input: DocumentInput<DocumentUploadRequest>): Promise<Document> {
  const holder = await findHolder(tx, input.fields.documentHolder);
  // Locked and checked again, so that the holder cannot be deleted meanwhile.
  await lockLiveCustomer(tx, holder.customerId);
  await findHolder(tx, input.fields.documentHolder);
  const id = tx.newId('Document');
  await keepUpload(tx, input.upload, [holder.customerId]);
  const values = documentValues(tx, { id, customer_id: holder.customerId }, input);
  return presentDocument(tx.vault, await insertDocument(tx, id, holder, values));
}
