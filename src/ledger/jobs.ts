import type { CallHandler, JobHandlers } from '#jobs/handlers.ts';
import { schedule } from '#jobs/schedule.ts';
import { rollUpLedger } from '#ledger/roll-up.ts';

export const ROLL_UP = 'ledger.roll-up';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Once a day. A roll-up looks at which transactions have ended, so it has one of its own: the form of a call,
 * though nobody outside is asked. The first is scheduled by a trigger on the platform's row.
 */
const rollUp: CallHandler = {
  async call(work) {
    await rollUpLedger(work.surroundings.database, work.platform.id);
    return async (tx) => schedule(tx, { kind: ROLL_UP, key: 'daily', afterMs: DAY_MS });
  },
};

export const ledgerJobs: JobHandlers = { [ROLL_UP]: rollUp };
