import { deleteExpiredLinks, hasLinks } from '#capabilities/onboarding/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';

const KEPT_MS = 30 * 24 * 3_600_000;
const BATCH_ROWS = 1_000;
const SWEEP_JOB = 'onboarding.sweep';
const SWEEP_SOON_MS = 1_000;
const DAY_MS = 24 * 3_600_000;

/** Deletes links that expired long ago; until then visitors read that the link has expired. */
export const onboardingJobs: JobDeclarations = {
  [SWEEP_JOB]: {
    due: 'upkeep',
    async run(tx) {
      const gone = await deleteExpiredLinks(tx, new Date(tx.now.getTime() - KEPT_MS), BATCH_ROWS);
      if (gone === BATCH_ROWS) scheduleSweep(tx, SWEEP_SOON_MS);
      else if (await hasLinks(tx)) scheduleSweep(tx);
    },
  },
};

/** Schedules at most one sweep per platform; each sweep schedules the next while there are links. */
export function scheduleSweep(tx: Tx, afterMs = DAY_MS): void {
  schedule(tx, { kind: SWEEP_JOB, key: 'links', afterMs });
}
