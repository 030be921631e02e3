import type { Sql } from '#database/sql.ts';
import type { Tx } from '#database/tx.ts';
import type { JobHandlers, RunHandler } from '#jobs/handlers.ts';
import type { Draft } from '#payments/machine/draft.ts';
import { JOB } from '#payments/machine/jobs.ts';
import { isOpenQuote } from '#payments/row.ts';
import { applyNotices } from '#payments/settlement/notices.ts';
import { findExpired } from '#payments/store.ts';

/** money.md §2.5. */
export const LIFETIME_MS = 5 * 60_000;

/**
 * Schedules the expiry of a quote: one job for all quotes of a platform that expire in the same second, so that
 * executing a quote has no job to cancel.
 */
export function scheduleExpiry(draft: Draft): void {
  const { expires_at: expiresAt } = draft.row;
  if (!isOpenQuote(draft.row) || expiresAt === null) return;
  const dueAt = new Date(Math.ceil(expiresAt.getTime() / 1000) * 1000);
  draft.schedule(JOB.expire, dueAt.toISOString(), { dueAt });
}

const BATCH_MAX = 500;

/**
 * Marks quotes past their time as `EXPIRED` (money.md §3.1): all of the platform, or those that meet a condition on
 * `transactions`.
 */
export async function expireQuotes(tx: Tx, condition?: Sql): Promise<void> {
  for (;;) {
    const ids = await findExpired(tx, BATCH_MAX, condition);
    await applyNotices(
      tx,
      ids.map((reference) => ({ reference, notices: [{ kind: 'expired' }] })),
    );
    if (ids.length < BATCH_MAX) return;
  }
}

/** Whichever second a job is for, it expires every quote of the platform that is past its time. */
const expire: RunHandler = { run: (tx) => expireQuotes(tx), many: (tx) => expireQuotes(tx) };

export const quoteJobs: JobHandlers = { [JOB.expire]: expire };
