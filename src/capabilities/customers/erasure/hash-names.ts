import { findUnhashedNames, writeNameHashes } from '#capabilities/customers/erasure/hash-names-store.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';

const KIND = 'customers.hash-names';
const BATCH = 200;

/**
 * Makes the hashes of names that an earlier version did not make, a batch per run, while the service runs. The rows
 * without hashes are the work that is left, so the job stores no progress (migrations/0096_hashes_of_names.sql).
 */
export const hashNamesJobs: JobDeclarations = {
  [KIND]: {
    due: 'upkeep',
    async run(tx) {
      const rows = await findUnhashedNames(tx, BATCH);
      if (rows.length === 0) return;
      const { personKeys } = tx.runtime;
      personKeys.requireHeld(rows.map(({ id }) => id));
      for (const row of rows) await writeNameHashes(tx, row);
      schedule(tx, { kind: KIND, payload: {}, afterMs: 0 });
    },
  },
};
