import type { Tx } from '#foundation/database/tx.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { type InstallationTask, inOneTransaction } from '#foundation/jobs/installation-work.ts';
import { schedule } from '#foundation/jobs/schedule.ts';

/** A trigger on the platform's row schedules its first purge (migrations/0004_jobs.sql); each purge schedules the next. */
const PURGE = 'platform.purge';

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCHES_MAX = 100;
const BATCH_ROWS = 1_000;
const AGAIN_MS = 1_000;

/** Deletes at most `rowsMax` rows of the transaction's platform that are past their retention period; returns how many. */
export type Purge = (tx: Tx, rowsMax: number) => Promise<number>;

/**
 * Every day, each folder whose rows have a retention period deletes its own old rows, in bounded batches: if a batch was
 * full, the next one follows in a second. `onDay` is a platform's other daily work.
 */
export function purgeHandler(
  purges: readonly Purge[],
  onDay: (tx: Tx) => void = () => undefined,
): JobDeclarations {
  return {
    [PURGE]: {
      due: 'upkeep',
      async run(tx) {
        let isMore = false;
        for (const purge of purges) {
          const deleted = await purge(tx, BATCH_ROWS);
          isMore ||= deleted >= BATCH_ROWS;
        }
        if (!isMore) onDay(tx);
        schedule(tx, { kind: PURGE, key: 'daily', afterMs: isMore ? AGAIN_MS : DAY_MS });
      },
    },
  };
}

/** The same for rows that belong to no platform: keys and audit rows of the installation. */
export function purgeTask(name: string, purge: Purge): InstallationTask {
  return inOneTransaction(name, async (tx) => {
    for (let batch = 0; batch < BATCHES_MAX; batch++) if ((await purge(tx, BATCH_ROWS)) < BATCH_ROWS) return;
  });
}
