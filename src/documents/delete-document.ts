import type { Tx } from '#database/tx.ts';
import { lockFreeDocument } from '#documents/hold.ts';
import { removeDocument, takeDocuments } from '#documents/store.ts';
import { discardContents } from '#uploads/contents.ts';

/** DELETE /documents/{id}: for good. The file's key goes in this commit, the file after it. */
export async function deleteDocument(tx: Tx, id: string): Promise<void> {
  const { content_id } = await lockFreeDocument(tx, id);
  await removeDocument(tx, id);
  await discardContents(tx, [content_id]);
}

/** With the erasure of a deleted customer: rows and files go. */
export async function eraseDocuments(tx: Tx, customerId: string): Promise<void> {
  await discardContents(tx, await takeDocuments(tx, customerId));
}
