import type { CheckedBody } from '#customers/create-customer.ts';
import type { Tx } from '#database/tx.ts';
import type { Work } from '#database/work.ts';
import { deleteDocument } from '#documents/delete-document.ts';
import { findFreeDocument, lockFreeDocument } from '#documents/hold.ts';
import { findHolder } from '#documents/holder.ts';
import { checkSuitable, documentValues, type Offer, precheck, readOffer } from '#documents/offer.ts';
import { holderOf, presentDocument } from '#documents/present.ts';
import { type Document, DocumentReplaceRequest } from '#documents/schemas.ts';
import { storeDocument } from '#documents/store.ts';
import { discardContents } from '#uploads/contents.ts';
import { keepUpload, type Upload } from '#uploads/uploads.ts';

type Request = CheckedBody<DocumentReplaceRequest> & { readonly files: Upload | undefined };

/**
 * PUT /documents/{id}: another file and other words, the same document (customers.md §5.6). What the new one stands for
 * as well, `superseded`, goes in the same commit: a refusal takes nothing away.
 */
export async function replaceDocument(
  work: Work,
  id: string,
  request: Request,
  superseded: readonly string[] = [],
): Promise<Document> {
  const { offer, holder } = await work.read(async (tx) => {
    const read = readOffer(tx, DocumentReplaceRequest, request);
    const whose = holderOf(await findFreeDocument(tx, id));
    checkSuitable(read, (await findHolder(tx, whose)).kind);
    return { offer: read, holder: whose };
  });
  await precheck(work, holder, offer);
  return work.write(async (tx) => {
    for (const other of superseded) await deleteDocument(tx, other);
    return exchangeDocument(tx, id, offer);
  });
}

/** In one commit; whether the document is free is asked again, since a submission may have come first. */
export async function exchangeDocument(tx: Tx, id: string, offer: Offer): Promise<Document> {
  const { content_id: former } = await lockFreeDocument(tx, id);
  await keepUpload(tx, offer.upload);
  const row = await storeDocument(tx, id, documentValues(tx, id, offer));
  await discardContents(tx, [former]);
  return presentDocument(tx.vault, row);
}
