import type { CheckedBody } from '#customers/create-customer.ts';
import { lockLiveCustomer } from '#customers/store.ts';
import type { Tx } from '#database/tx.ts';
import type { Work } from '#database/work.ts';
import { findHolder } from '#documents/holder.ts';
import { checkSuitable, documentValues, type Offer, precheck, readOffer } from '#documents/offer.ts';
import { presentDocument } from '#documents/present.ts';
import { type Document, DocumentUploadRequest } from '#documents/schemas.ts';
import { insertDocument } from '#documents/store.ts';
import { keepUpload, type Upload } from '#uploads/uploads.ts';

type Request = CheckedBody<DocumentUploadRequest> & { readonly files: Upload | undefined };

/** POST /documents, also for the files of the hosted page. The file lies in the storage already. */
export async function uploadDocument(work: Work, request: Request): Promise<Document> {
  const offer = await work.read(async (tx) => {
    const read = readOffer(tx, DocumentUploadRequest, request);
    checkSuitable(read, (await findHolder(tx, read.fields.documentHolder)).kind);
    return read;
  });
  await precheck(work, offer.fields.documentHolder, offer);
  return work.write((tx) => addDocument(tx, offer));
}

/** Row and file in one commit; of two uploads of one type the database lets one through (customers.md §5.3). */
export async function addDocument(tx: Tx, offer: Offer<DocumentUploadRequest>): Promise<Document> {
  const holder = await findHolder(tx, offer.fields.documentHolder);
  // Locked and looked at again, so that the holder cannot be deleted in between.
  await lockLiveCustomer(tx, holder.customerId);
  await findHolder(tx, offer.fields.documentHolder);
  const id = tx.newId();
  await keepUpload(tx, offer.upload);
  return presentDocument(tx.vault, await insertDocument(tx, id, holder, documentValues(tx, id, offer)));
}
