import type { Run } from '#database/database.ts';
import { gather } from '#lib/gather.ts';
import { type Attempted, type Claimed, recordAttempts, releaseEvents } from '#webhooks/store.ts';

/** How an event leaves this process's hand; what leaves at the same time shares a trip. */
export interface Leases {
  record(event: Claimed, attempted: Attempted): Promise<unknown>;
  release(event: Claimed): Promise<unknown>;
}

/** Each event is settled under the name that it is leased to: a process may have had several. */
export function createLeases(query: Run, now: () => Date): Leases {
  const record = gather(
    async (items: { event: Claimed; attempted: Attempted }[]) => {
      for (const [owner, own] of Map.groupBy(items, ({ event }) => event.lease_owner)) {
        const attempts = own.map(({ attempted }) => attempted);
        await recordAttempts(query, now(), owner, attempts);
      }
      return items;
    },
    { lanes: 2 },
  );
  const release = gather(async (events: Claimed[]) => {
    for (const [owner, own] of Map.groupBy(events, (event) => event.lease_owner)) {
      await releaseEvents(query, owner, own);
    }
    return events;
  });
  return { record: (event, attempted) => record({ event, attempted }), release };
}
