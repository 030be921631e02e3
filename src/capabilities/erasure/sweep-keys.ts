import { findCustomers } from '#capabilities/erasure/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { recordErasure } from '#foundation/person-keys/agreement-store.ts';

const KIND = 'people.sweep-keys';
const BATCH = 1_000;
const AGAIN_MS = 1_000;

/** Schedules the sweep, as a part of each platform's daily work. */
export function scheduleSweep(tx: Tx): void {
  schedule(tx, { kind: KIND, key: 'daily', afterMs: 0 });
}

/**
 * Deletes the keys of people who never became customers: ids in reserve that no process took, and ids of transactions
 * that failed. It also destroys the keys of months whose data is no longer kept. Each person is read once.
 */
export const sweepKeysJobs: JobDeclarations = {
  [KIND]: {
    due: 'upkeep',
    async call(work) {
      const { personKeys } = work.runtime;
      const { id: platformId } = work.platform;
      const seen = await personKeys.findUnswept(platformId, BATCH);
      const months = await personKeys.findOldMonths(platformId);
      const customers = await work.read((tx) => findCustomers(tx, [...seen, ...months]));
      const isUnused = (person: string): boolean => !customers.has(person);
      if (seen.length > 0) await personKeys.sweep(platformId, seen, seen.filter(isUnused));
      const over = months.filter(isUnused);
      const erasure = over.length > 0 ? await personKeys.erase(platformId, over) : undefined;
      return async (tx) => {
        if (erasure !== undefined) await recordErasure(tx, erasure);
        if (seen.length === BATCH) schedule(tx, { kind: KIND, key: 'more', afterMs: AGAIN_MS });
      };
    },
  },
};
