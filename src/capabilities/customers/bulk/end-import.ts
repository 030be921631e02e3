import { insertErrors } from '#capabilities/customers/bulk/error-store.ts';
import { presentImport } from '#capabilities/customers/bulk/present.ts';
import type { RowError } from '#capabilities/customers/bulk/read-row.ts';
import {
  deleteErrors,
  deleteImport,
  findImport,
  hasImports,
  lockEndedBefore,
  markEnded,
} from '#capabilities/customers/bulk/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { emit } from '#foundation/events/emit.ts';
import type { RunHandler } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { discardContents } from '#foundation/uploads/contents.ts';

/**
 * Sets the final status, emits the event and discards the file, in one commit (customers.md §2.5.31). The import fails
 * if the file is faulty, even if some rows were imported, or if no customer was created.
 */
export async function endImport(tx: Tx, id: Id<'Job'>, fault?: RowError): Promise<void> {
  const found = await findImport(tx, id);
  if (!found) return;
  const isDone = fault === undefined && found.successful > 0;
  const ended = await markEnded(tx, id, isDone ? 'completed' : 'failed');
  // Another worker ended it first and emitted the event.
  if (!ended) return;
  if (fault) await insertErrors(tx, id, [{ ...fault, row: 0 }]);
  if (found.content_id !== null) await discardContents(tx, [found.content_id]);
  const data = await presentImport(tx, ended);
  const type = isDone ? 'BULK_UPLOAD.COMPLETED' : 'BULK_UPLOAD.FAILED';
  emit(tx, { type, resourceId: publicId('Job', id), data });
}

export const PURGE_IMPORTS = 'customers.purge-imports';

const DAY_MS = 24 * 3_600_000;
const SOON_MS = 1_000;
/** As long as the import's final event is kept. */
const KEPT_MS = 30 * DAY_MS;
const BATCH_ROWS = 1_000;

/** Schedules at most one purge per platform; each purge schedules the next while there are imports. */
export function schedulePurge(tx: Tx, afterMs = DAY_MS): void {
  schedule(tx, { kind: PURGE_IMPORTS, key: 'imports', afterMs });
}

/** Deletes imports that ended long ago: first the errors of their rows, a batch at a time, then the import. */
export const purgeImports: RunHandler = {
  async run(tx) {
    const old = await lockEndedBefore(tx, new Date(tx.now.getTime() - KEPT_MS));
    if (old && (await deleteErrors(tx, old.id, BATCH_ROWS)) < BATCH_ROWS) await deleteImport(tx, old.id);
    if (old) schedulePurge(tx, SOON_MS);
    else if (await hasImports(tx)) schedulePurge(tx);
  },
};
