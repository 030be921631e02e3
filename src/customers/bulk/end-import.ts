import { showImport } from '#customers/bulk/present.ts';
import type { RowError } from '#customers/bulk/read-row.ts';
import {
  deleteErrors,
  deleteImport,
  endImport,
  findImport,
  hasImports,
  insertErrors,
  lockEndedBefore,
} from '#customers/bulk/store.ts';
import type { Tx } from '#database/tx.ts';
import { emit } from '#events/emit.ts';
import type { RunHandler } from '#jobs/handlers.ts';
import { schedule } from '#jobs/schedule.ts';
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

export const PURGE_IMPORTS = 'customers.purge-imports';

const DAY_MS = 24 * 3_600_000;
const SOON_MS = 1_000;
/** As long as the event that told of the end. */
const KEPT_MS = 30 * DAY_MS;
const BATCH_ROWS = 1_000;

/** One purge waits at a time; a platform's first import starts the round. */
export function schedulePurge(tx: Tx, afterMs = DAY_MS): void {
  schedule(tx, { kind: PURGE_IMPORTS, key: 'imports', afterMs });
}

/** Imports that ended long ago go, and before them what they had to say of their rows, so many at a time. */
export const purgeImports: RunHandler = {
  async run(tx) {
    const old = await lockEndedBefore(tx, new Date(tx.now.getTime() - KEPT_MS));
    if (old && (await deleteErrors(tx, old.id, BATCH_ROWS)) < BATCH_ROWS) await deleteImport(tx, old.id);
    if (old) schedulePurge(tx, SOON_MS);
    else if (await hasImports(tx)) schedulePurge(tx);
  },
};
