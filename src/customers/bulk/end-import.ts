import { showImport } from '#customers/bulk/present.ts';
import type { RowError } from '#customers/bulk/read-row.ts';
import { endImport, findImport, insertErrors } from '#customers/bulk/store.ts';
import type { Tx } from '#database/tx.ts';
import { emit } from '#events/emit.ts';
import { publicId } from '#lib/ids.ts';
import { discardContents } from '#uploads/contents.ts';

/**
 * The end of an import: its state, its event and the file that goes, in one commit (customers.md §2.5.31). With a fault
 * of the file it fails whatever was done before; else at least one customer has to have come of it.
 */
export async function endImportOf(tx: Tx, id: string, fault?: RowError): Promise<void> {
  const found = await findImport(tx, id);
  if (!found) return;
  const isDone = fault === undefined && found.successful > 0;
  const ended = await endImport(tx, id, isDone ? 'COMPLETED' : 'FAILED');
  // Another worker was faster: it has told, too.
  if (!ended) return;
  if (fault) await insertErrors(tx, id, [{ ...fault, row: 0 }]);
  if (found.content_id !== null) await discardContents(tx, [found.content_id]);
  const data = await showImport(tx, ended);
  const type = isDone ? 'BULK_UPLOAD.COMPLETED' : 'BULK_UPLOAD.FAILED';
  emit(tx, { type, resourceId: publicId('Job', id), data });
}
