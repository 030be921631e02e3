import { findReceivers, type Receiver } from '#capabilities/platform/listener-store.ts';
import { type FailedFilter, findFailed, reopen, tellAgain } from '#edge/webhooks/log-store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';

/** How many events one transaction requeues. */
const BATCH = 1_000;
const KIND = 'webhooks.resend';

/** The rest of a resend that one transaction could not finish, for its job. */
interface Rest {
  readonly since: string;
  readonly until: string;
  readonly includeSkipped: boolean;
  readonly after: { readonly createdAt: string; readonly id: EventId };
}

/**
 * Sends again, under their ids, all events since a time that were given up or wait for a retry (platform.md §4.7.4). Events
 * that fail later than now are excluded, so that the resend ends. If there are too many for one transaction, a job
 * continues.
 */
export async function resendFailed(
  tx: Tx,
  { since, includeSkipped }: { since: Date; includeSkipped: boolean },
): Promise<{ count: number; hasMore: boolean; sentTo: Receiver[] }> {
  const batch = await resendBatch(tx, { since, until: tx.now, includeSkipped, after: undefined });
  return { ...batch, sentTo: await findReceivers(tx) };
}

async function resendBatch(tx: Tx, filter: FailedFilter): Promise<{ count: number; hasMore: boolean }> {
  const found = await findFailed(tx, filter, BATCH + 1);
  const batch = found.slice(0, BATCH);
  const last = batch.at(-1);
  const hasMore = found.length > BATCH;
  if (last) {
    const ids = batch.map(({ id }) => id);
    await reopen(tx, ids);
    await tellAgain(tx, ids);
  }
  if (last && hasMore) {
    const payload: Rest = {
      since: filter.since.toISOString(),
      until: filter.until.toISOString(),
      includeSkipped: filter.includeSkipped,
      after: { createdAt: last.created_at.toISOString(), id: last.id },
    };
    schedule(tx, { kind: KIND, afterMs: 0, payload });
  }
  tx.afterCommit(() => tx.runtime.wakeWorker());
  return { count: batch.length, hasMore };
}

export const resendJobs: JobDeclarations = {
  [KIND]: {
    due: () => ({ sentence: 'The service queues more failed webhooks to be resent.' }),
    async run(tx, { payload }) {
      const { since, until, includeSkipped, after } = payload as Rest;
      await resendBatch(tx, {
        since: new Date(since),
        until: new Date(until),
        includeSkipped,
        after: { createdAt: new Date(after.createdAt), id: after.id },
      });
    },
  },
};
