import type { Tx } from '#foundation/database/tx.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';

const KIND = 'people.shred-keys';

export function scheduleShredding(tx: Tx): void {
  schedule(tx, { kind: KIND, key: 'daily', afterMs: 0 });
}

/**
 * Removes deleted keys from the files of the database of keys. There is one such database for all platforms: the first
 * job of a day does the work, and the jobs of other platforms find none.
 */
export const shredKeysJobs: JobDeclarations = {
  [KIND]: {
    due: 'upkeep',
    async call(work) {
      await work.runtime.personKeys.shredDeleted();
      return async () => undefined;
    },
  },
};
