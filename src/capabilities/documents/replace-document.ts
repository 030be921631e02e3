import type { CheckedBody } from '#capabilities/customers/lifecycle/create-customer.ts';
import {
  deleteDocument,
  findEditableDocument,
  lockEditableDocument,
} from '#capabilities/documents/delete-document.ts';
import {
  type DocumentInput,
  documentValues,
  findHolder,
  precheck,
  readDocumentInput,
  requireSuitable,
} from '#capabilities/documents/document-input.ts';
import { documentHolderOf, presentDocument } from '#capabilities/documents/present.ts';
import { type Document, DocumentReplaceRequest } from '#capabilities/documents/schemas.ts';
import { updateDocument } from '#capabilities/documents/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { discardContents } from '#foundation/uploads/contents.ts';
import { keepUpload, type Upload } from '#foundation/uploads/uploads.ts';

type Request = CheckedBody<DocumentReplaceRequest> & { readonly file: Upload | undefined };

/**
 * PUT /documents/{id}: replaces the file and the fields of a document (customers.md §5.6). Further documents that the
 * new one replaces (`superseded`) are deleted in the same commit, so that a refusal deletes nothing.
 */
export async function replaceDocument(
  work: Work,
  id: Id<'Document'>,
  request: Request,
  superseded: readonly Id<'Document'>[] = [],
): Promise<Document> {
  const { input, holder } = await work.read(async (tx) => {
    const read = readDocumentInput(tx, DocumentReplaceRequest, request);
    const whose = documentHolderOf(await findEditableDocument(tx, id));
    requireSuitable(read, (await findHolder(tx, whose)).kind);
    return { input: read, holder: whose };
  });
  await precheck(work, holder, input);
  return work.write(async (tx) => {
    for (const other of superseded) await deleteDocument(tx, other);
    return updateFile(tx, id, input);
  });
}

/** Checks again whether the document may be replaced, because a submission may have come first. */
async function updateFile(tx: Tx, id: Id<'Document'>, input: DocumentInput): Promise<Document> {
  const { content_id: former, customer_id } = await lockEditableDocument(tx, id);
  await keepUpload(tx, input.upload, [customer_id]);
  const row = await updateDocument(tx, { id, customer_id }, documentValues(tx, { id, customer_id }, input));
  await discardContents(tx, [former]);
  return presentDocument(tx.vault, row);
}
