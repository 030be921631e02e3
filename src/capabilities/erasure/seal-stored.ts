import { scheduleKeyDestruction } from '#capabilities/erasure/destroy-key.ts';
import { listErased } from '#capabilities/erasure/store.ts';
import { type SealingPosition, sealStoredValues } from '#foundation/database/seal-stored.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { strangersOf } from '#foundation/person-keys/people.ts';

const KIND = 'people.seal-stored';

/**
 * Seals the stored values of a platform's people with their keys, a batch per run, while the service runs. The job's
 * payload is its position, so that a worker that dies loses at most one batch. A migration scheduled the job for
 * every platform.
 */
export const sealStoredJobs: JobDeclarations = {
  [KIND]: {
    due: 'upkeep',
    async run(tx, { payload }) {
      const next = await sealStoredValues(
        tx,
        payload as SealingPosition,
        strangersOf(tx.vault, tx.platformId, tx.now),
      );
      if (next) return schedule(tx, { kind: KIND, payload: next, afterMs: 0 });
      // An earlier version left some values of erased customers, for example merchants. Without the key they cannot
      // be opened.
      for (const id of await listErased(tx)) scheduleKeyDestruction(tx, id);
    },
  },
};
