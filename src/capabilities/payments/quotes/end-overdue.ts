import { JOB } from '#capabilities/payments/machine/jobs.ts';
import { applyNotices } from '#capabilities/payments/settlement/notices.ts';
import { findOverdue } from '#capabilities/payments/store.ts';
import type { Sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { JobDeclarations, RunHandler } from '#foundation/jobs/handlers.ts';

const BATCH_MAX = 500;

const ENDS = [
  ['expires_at', 'expired'],
  ['authorize_by', 'authorizationLapsed'],
  ['approve_by', 'approvalLapsed'],
] as const;

/**
 * Ends everything whose deadline has passed (money.md §3.1), for the whole platform or for rows of `transactions` that
 * meet a condition. Quotes that were not executed become `EXPIRED`; payments that were not authorized or approved
 * become `FAILED`.
 */
export async function endOverdue(tx: Tx, condition?: Sql): Promise<void> {
  for (const [deadline, kind] of ENDS) {
    let ids: TransactionId[];
    do {
      ids = await findOverdue(tx, deadline, BATCH_MAX, condition);
      await applyNotices(
        tx,
        ids.map((reference) => ({ reference, notices: [{ kind }] })),
      );
    } while (ids.length === BATCH_MAX);
  }
}

/** Each job ends everything of the platform whose deadline has passed, whichever second the job is for. */
const end: RunHandler = { run: (tx) => endOverdue(tx), many: (tx) => endOverdue(tx) };

const ending = { ...end, due: 'elsewhere' } as const;

export const quoteJobs: JobDeclarations = { [JOB.expire]: ending, [JOB.lapse]: ending };
