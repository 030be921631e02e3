import { JOB } from '#capabilities/payments/machine/jobs.ts';
import { applyNotices } from '#capabilities/payments/settlement/notices.ts';
import { findExpired, findLapsed, findUnapproved } from '#capabilities/payments/store.ts';
import type { Sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { JobHandlers, RunHandler } from '#foundation/jobs/handlers.ts';

const BATCH_MAX = 500;

/**
 * Ends everything whose deadline has passed (money.md §3.1), for the whole platform or for rows of `transactions` that
 * meet a condition. Quotes that were not executed become `EXPIRED`; payments that were not authorized or approved
 * become `FAILED`.
 */
export async function endOverdue(tx: Tx, condition?: Sql): Promise<void> {
  await endAll(tx, (limit) => findExpired(tx, limit, condition), 'expired');
  await endAll(tx, (limit) => findLapsed(tx, limit, condition), 'authorizationLapsed');
  await endAll(tx, (limit) => findUnapproved(tx, limit, condition), 'approvalLapsed');
}

async function endAll(
  tx: Tx,
  find: (limit: number) => Promise<TransactionId[]>,
  kind: 'expired' | 'authorizationLapsed' | 'approvalLapsed',
): Promise<void> {
  for (;;) {
    const ids = await find(BATCH_MAX);
    await applyNotices(
      tx,
      ids.map((reference) => ({ reference, notices: [{ kind }] })),
    );
    if (ids.length < BATCH_MAX) return;
  }
}

/** Each job ends everything of the platform whose deadline has passed, whichever second the job is for. */
const end: RunHandler = { run: (tx) => endOverdue(tx), many: (tx) => endOverdue(tx) };

export const quoteJobs: JobHandlers = { [JOB.expire]: end, [JOB.lapse]: end };
