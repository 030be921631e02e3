import { type Sql, sql } from '#foundation/database/sql.ts';

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
  /** The trace in which it was emitted. */
  readonly traceparent: string | null;
}

/** The statement that inserts events in the order in which they were emitted, which becomes the order of `seq`. */
export function insertEvents(rows: readonly EventRow[]): Sql {
  return sql`
    insert into events (platform_id, id, type, resource_id, payload, facts, once, decision, created_at,
                        traceparent, xid)
    select e.platform_id, e.id, e.type, e.resource_id, e.payload, e.facts, e.once, e.decision, e.created_at,
           e.traceparent, case when e.is_heard then feed_place() end
      from unnest(
      ${rows.map((row) => row.platformId)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.type)}::text[], ${rows.map((row) => row.resourceId)}::text[],
      ${rows.map((row) => row.payload)}::bytea[], ${rows.map((row) => row.facts)}::jsonb[],
      ${rows.map((row) => row.once)}::boolean[], ${rows.map((row) => row.decision)}::text[],
      ${rows.map((row) => row.createdAt)}::timestamptz[], ${rows.map((row) => row.traceparent)}::text[],
      ${rows.map((row) => row.isHeard)}::boolean[])
      as e (platform_id, id, type, resource_id, payload, facts, once, decision, created_at, traceparent, is_heard)`;
}
