import type { Tx } from '#foundation/database/tx.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { findNextKeyed, forgetLost, recordLost } from '#foundation/person-keys/known-store.ts';

const KIND = 'people.check-keys';
const BATCH = 1_000;

export function scheduleCheckOfKeys(tx: Tx): void {
  schedule(tx, { kind: KIND, key: 'daily', payload: {}, afterMs: 0 });
}

/**
 * Looks for people whose key is missing in the database of keys, a batch per run. The start of the service checks only
 * the newest customers of each platform, because all of them would take too long.
 */
export const checkKeysJobs: JobDeclarations = {
  [KIND]: {
    due: 'upkeep',
    async call(work, { payload }) {
      const { after } = payload as { after?: string };
      const people = await work.read((tx) => findNextKeyed(tx, after, BATCH));
      const missing = await work.runtime.personKeys.findLost(people);
      const lost = new Set(missing.map(({ id }) => id));
      const present = people.map(({ id }) => id).filter((id) => !lost.has(id));
      return async (tx) => {
        await forgetLost(tx, present);
        if (lost.size > 0) await recordLost(tx, tx.platformId, [...lost]);
        const last = people.at(-1);
        if (people.length === BATCH && last) {
          schedule(tx, { kind: KIND, key: 'more', payload: { after: last.id }, afterMs: 0 });
        }
      };
    },
  },
};
