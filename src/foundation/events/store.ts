import { insertOver } from '#foundation/database/row-sets.ts';

export interface EventRow {
  readonly platformId: PlatformId;
  /** Other events have no position in the feed, and no entry in the index that listeners read. */
  readonly isHeard: boolean;
  readonly createdAt: Date;
  readonly id: EventId;
  readonly type: string;
  readonly resourceId: string;
  readonly once: boolean;
  readonly decision: string | null;
  /** Sealed; null: rendered from the facts later. */
  readonly payload: Buffer | null;
  readonly facts: string | null;
  /** The internal account whose balances complete the facts at the commit. */
  readonly accountId?: AccountId | undefined;
  /** The trace in which it was emitted. */
  readonly traceparent: string | null;
}

/** The statement that inserts events in the order in which they were emitted, which becomes the order of `seq`. */
export const insertEvents = insertOver<EventRow>({
  table: 'events',
  columns: {
    platform_id: ['uuid', (event) => event.platformId],
    id: ['uuid', (event) => event.id],
    type: ['text', (event) => event.type],
    resource_id: ['text', (event) => event.resourceId],
    payload: ['bytea', (event) => event.payload],
    once: ['boolean', (event) => event.once],
    decision: ['text', (event) => event.decision],
    created_at: ['timestamptz', (event) => event.createdAt],
    traceparent: ['text', (event) => event.traceparent],
  },
  inputs: {
    facts: ['jsonb', (event) => event.facts],
    account_id: ['uuid', (event) => event.accountId],
    is_heard: ['boolean', (event) => event.isHeard],
  },
  computed: {
    facts: `case when r.account_id is null then r.facts
                 else account_facts_at_commit(r.platform_id, r.account_id, r.facts, r.created_at) end`,
    xid: 'case when r.is_heard then feed_place() end',
  },
});
