import type { EventState } from '#edge/webhooks/log-store.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** The position of a listener: the place of the last event that it received. A resent event has a second place. */
export interface FeedPosition {
  readonly xid: bigint;
  readonly seq: bigint;
  readonly isResent: boolean;
  readonly known?: HeardEvents | undefined;
}

/**
 * Events after the position that existed when the listener started, so that it skips them: all with places before `top`,
 * by their `seq`, each range without its end.
 */
export interface HeardEvents {
  readonly top: bigint;
  readonly ranges: readonly (readonly [from: bigint, end: bigint])[];
}

export interface FeedRow {
  readonly id: EventId;
  readonly seq: bigint;
  readonly type: string;
  readonly resource_id: string;
  readonly created_at: Date;
  /** Sealed; null until the facts were rendered. */
  readonly payload: Buffer | null;
  readonly facts: unknown;
  readonly decision: string | null;
  readonly state: EventState;
  readonly place: string;
  /** When it was resent, in real time, if this is its second place. */
  readonly resent_at: Date | null;
}

/** The events after the position, and the place of the latest finished transaction. */
export interface Heard {
  readonly rows: FeedRow[];
  readonly latest: bigint;
}

/**
 * Returns the events after the position, ordered by place and `seq`, which is the order of each resource. It stops before
 * the oldest running transaction: below it no transaction can still insert an event, so none is missed.
 */
export async function findHeard(tx: ReadTx, position: FeedPosition, limit: number): Promise<Heard> {
  const rows = await tx.query<{ top: string; id: EventId | null } & Omit<FeedRow, 'id'>>(
    heardStatement(tx.platformId, position, limit),
  );
  const found = rows.filter((row): row is typeof row & FeedRow => row.id !== null);
  return { rows: found, latest: BigInt(rows[0]?.top ?? 0) - 1n };
}

/** Reads first deliveries and resent events, each along its index, at most a page. */
export function heardStatement(platformId: PlatformId, position: FeedPosition, limit: number): Sql {
  const { xid, seq, isResent, known } = position;
  const place = sql`${String(xid)}::text::xid8`;
  const columns = sql`e.id, e.seq, e.type, e.resource_id, e.created_at, e.payload, e.facts, e.decision, e.state`;
  // At the same place, an event comes before its own resend.
  const resentAfter = isResent ? seq : seq - 1n;
  const unknown = known ? sql`and not e.seq <@ ${multirange(known)}::text::int8multirange` : sql``;
  return sql`
    with bounds as materialized (
      select pg_snapshot_xmin(s) as upto, pg_snapshot_xmax(s) as top from pg_current_snapshot() as s)
    select b.top::text as top, heard.*
      from bounds b left join lateral (
        (select ${columns}, e.xid::text as place, null::timestamptz as resent_at, e.xid as at
           from events e
          where e.platform_id = ${platformId} and (e.xid, e.seq) > (${place}, ${seq}::bigint) and e.xid < b.upto
            and e.erased_at is null ${unknown}
          order by e.xid, e.seq limit ${limit})
        union all
        (select ${columns}, e.resent_xid::text as place, e.resent_at, e.resent_xid as at
           from events e
          where e.platform_id = ${platformId} and (e.resent_xid, e.seq) > (${place}, ${resentAfter}::bigint)
            and e.resent_xid < b.upto and e.erased_at is null
          order by e.resent_xid, e.seq limit ${limit})
        order by at, seq, resent_at nulls first limit ${limit}) heard on true
     order by heard.at, heard.seq, heard.resent_at nulls first`;
}

/** A long-running transaction lets many events become known. Events beyond this limit are delivered. */
export const KNOWN_ROWS_MAX = 10_000;
/** Limits the ranges, because a cursor is part of a URL. */
export const KNOWN_RANGES_MAX = 100;

/**
 * The position of a new listener, which receives events from now on. It starts after the last event below the oldest
 * running transaction, because that one may still insert there, and skips the events that already exist after it.
 */
export async function findBeginning(tx: ReadTx): Promise<FeedPosition> {
  const last = await findLast(tx);
  const [row] = await tx.sql<{ top: string; ranges: string | null }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as top,
           (select range_agg(int8range(known.seq, known.seq, '[]'))::text
              from (select e.seq from events e
                     where e.platform_id = ${tx.platformId}
                       and (e.xid, e.seq) > (${String(last.xid)}::text::xid8, ${last.seq}::bigint)
                     order by e.xid, e.seq limit ${KNOWN_ROWS_MAX}) known) as ranges`;
  const ranges = [...(row?.ranges?.matchAll(/\[(\d+),(\d+)\)/g) ?? [])]
    .slice(0, KNOWN_RANGES_MAX)
    .map(([, from = '', end = '']) => [BigInt(from), BigInt(end)] as const);
  return { ...last, ...(ranges.length > 0 && { known: { top: BigInt(row?.top ?? 0), ranges } }) };
}

async function findLast(tx: ReadTx): Promise<FeedPosition> {
  const [row] = await tx.sql<{ place: string; seq: bigint; is_resent: boolean }>`
    with bounds as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as upto)
    select last.xid::text as place, last.seq, last.is_resent
      from bounds b cross join lateral (
        (select e.xid, e.seq, false as is_resent from events e
          where e.platform_id = ${tx.platformId} and e.xid < b.upto order by e.xid desc, e.seq desc limit 1)
        union all
        (select e.resent_xid, e.seq, true from events e
          where e.platform_id = ${tx.platformId} and e.resent_xid < b.upto
          order by e.resent_xid desc, e.seq desc limit 1)) last
     order by last.xid desc, last.seq desc, last.is_resent desc limit 1`;
  return { xid: BigInt(row?.place ?? 0), seq: row?.seq ?? 0n, isResent: row?.is_resent ?? false };
}

function multirange({ ranges }: HeardEvents): string {
  return `{${ranges.map(([from, end]) => `[${from},${end})`).join()}}`;
}

export interface QuestionRow {
  readonly id: EventId;
  readonly type: string;
  readonly resource_id: string;
  readonly decision: string;
  readonly created_at: Date;
  readonly attempts: number;
}

/**
 * Takes a question for a listener's answer, until the commit. The question must wait for listeners, or must not be leased
 * yet while there is no endpoint. A question after its deadline, or one sent to the endpoint, is not taken.
 */
export async function takeQuestion(
  tx: Tx,
  id: EventId,
  questionMs: number,
): Promise<QuestionRow | undefined> {
  const [row] = await tx.sql<QuestionRow>`
    select e.id, e.type, e.resource_id, e.decision, e.created_at, e.attempts from events e
     where e.platform_id = ${tx.platformId} and e.id = ${id} and e.state = 'PENDING' and e.decision is not null
       and e.created_at + ${questionMs} * interval '1 millisecond' > ${tx.now}
       and (e.next_attempt_at is not null
            or (select c.webhook_endpoint from platform_configs c where c.platform_id = e.platform_id) is null)
       for update of e`;
  return row;
}
