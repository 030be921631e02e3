import type { Tx } from '#foundation/database/tx.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';
import { recordErasure } from '#foundation/person-keys/agreement-store.ts';
import { forgetKeyed } from '#foundation/person-keys/known-store.ts';

const KIND = 'people.end-months';

export function scheduleEndOfMonths(tx: Tx): void {
  schedule(tx, { kind: KIND, key: 'daily', afterMs: 0 });
}

/**
 * Destroys the keys of months whose data is no longer kept, and those of old files. The installation has no jobs of its own,
 * so the job of each platform looks for its keys as well.
 */
export const endMonthsJobs: JobDeclarations = {
  [KIND]: {
    due: 'upkeep',
    async call(work) {
      const { personKeys } = work.runtime;
      const own = await personKeys.findOldMonths(work.platform.id);
      const months = [...own, ...(await personKeys.findOldMonths(NIL_ID))];
      const erasure = months.length > 0 ? await personKeys.erase(work.platform.id, months) : undefined;
      return async (tx) => {
        if (erasure === undefined) return;
        await recordErasure(tx, erasure);
        await forgetKeyed(tx, months);
      };
    },
  },
};
