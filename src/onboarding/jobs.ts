import type { JobHandlers } from '#jobs/handlers.ts';
import { deleteExpiredLinks, hasLinks } from '#onboarding/store.ts';
import { SWEEP_JOB, SWEEP_SOON_MS, scheduleSweep } from '#onboarding/sweep.ts';

const KEPT_MS = 30 * 24 * 3_600_000;
const BATCH_ROWS = 1_000;

/** Links that expired long ago go; until then their visitors are told that they came too late. */
export const onboardingJobs: JobHandlers = {
  [SWEEP_JOB]: {
    async run(tx) {
      const gone = await deleteExpiredLinks(tx, new Date(tx.now.getTime() - KEPT_MS), BATCH_ROWS);
      if (gone === BATCH_ROWS) scheduleSweep(tx, SWEEP_SOON_MS);
      else if (await hasLinks(tx)) scheduleSweep(tx);
    },
  },
};
