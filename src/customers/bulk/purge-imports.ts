import { deleteErrors, deleteImport, hasImports, lockEndedBefore } from '#customers/bulk/store.ts';
import type { Tx } from '#database/tx.ts';
import type { RunHandler } from '#jobs/handlers.ts';
import { schedule } from '#jobs/schedule.ts';

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
