import type { Tx } from '#foundation/database/tx.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { recordErasure } from '#foundation/person-keys/agreement-store.ts';
import { forgetKeyed } from '#foundation/person-keys/known-store.ts';

const KIND = 'people.end-months';

export function scheduleEndOfMonths(tx: Tx): void {
  schedule(tx, { kind: KIND, key: 'daily', afterMs: 0 });
}

/** Destroys the keys of months whose data is no longer kept. */
export const endMonthsJobs: JobDeclarations = {
  [KIND]: {
    due: 'upkeep',
    async call(work) {
      const { personKeys } = work.runtime;
      const months = await personKeys.findOldMonths(work.platform.id);
      const erasure = months.length > 0 ? await personKeys.erase(work.platform.id, months) : undefined;
      return async (tx) => {
        if (erasure === undefined) return;
        await recordErasure(tx, erasure);
        await forgetKeyed(tx, months);
      };
    },
  },
};
