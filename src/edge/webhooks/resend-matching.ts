import { findReceivers, type Receiver } from '#capabilities/platform/listener-store.ts';
import { type EventFilter, pageEvents, reopen, tellAgain } from '#edge/webhooks/log-store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Work } from '#foundation/database/work.ts';
import type { ListKey } from '#foundation/http/paging.ts';

/** How many events one transaction requeues. */
const BATCH = 1_000;

export interface ResendWish {
  readonly filter: EventFilter;
  /** The most events to resend, the newest first. */
  readonly limit: number;
  /** Only counts them. */
  readonly isDry: boolean;
  readonly reason: string | undefined;
}

/** The operator sends a platform's events again under their ids, in transactions of bounded size (platform.md §4.2.6a). */
export async function resendMatching(
  work: Work,
  { filter, limit, isDry, reason }: ResendWish,
): Promise<{ count: number; hasMore: boolean; sentTo: readonly Receiver[] }> {
  let count = 0;
  let after: ListKey | undefined;
  let hasMore = true;
  while (hasMore && count < limit) {
    const keys: ListKey[] = [];
    const size = Math.min(BATCH, limit - count);
    const request = { list: 'resend', filters: {}, limit: size, cursor: undefined, part: { after, keys } };
    const batch = await work.write(async (tx) => {
      keys.length = 0;
      const page = await pageEvents(tx, request, { ...filter, isRepeatable: true }, ({ id }) => id);
      if (isDry || page.data.length === 0) return page;
      await tellAgain(tx, page.data);
      await reopen(tx, page.data);
      const { state, createdAfter, createdBefore } = filter;
      const details = { count: page.data.length, state, createdAfter, createdBefore, reason };
      audit(tx, { action: 'webhook resend', customerId: null, details });
      tx.afterCommit(() => tx.runtime.wakeWorker());
      return page;
    });
    count += batch.data.length;
    hasMore = batch.hasMore;
    after = keys.at(-1);
  }
  return { count, hasMore, sentTo: await work.read(findReceivers) };
}
