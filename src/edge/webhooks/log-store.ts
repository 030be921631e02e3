import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { isHeard } from '#foundation/events/emit.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';
import { keptSince } from '#foundation/lib/kept-times.ts';

export const EVENT_STATES = ['PENDING', 'DELIVERED', 'ACKED_DUPLICATE', 'EXHAUSTED', 'SKIPPED'] as const;
export type EventState = (typeof EVENT_STATES)[number];

export interface EventSummaryRow {
  id: EventId;
  type: string;
  resource_id: string;
  state: EventState;
  attempts: number;
  created_at: Date;
  next_attempt_at: Date | null;
  /** The business time at which its content was erased, with the customer that it named. */
  erased_at: Date | null;
}

/**
 * Shows `next_attempt_at` only for events that will be sent. A question has its deadline there, and a finished event may
 * still have the time of its last attempt: neither is sent again.
 */
const SUMMARY = sql`id, type, resource_id, state, attempts, created_at, erased_at,
  case when decision is null and state = 'PENDING' then next_attempt_at end as next_attempt_at`;

/** Newest first by id, which is ordered by time. */
export function listRecent(
  tx: ReadTx,
  state: EventState | undefined,
  limit: number,
): Promise<EventSummaryRow[]> {
  const ofState = state === undefined ? sql`true` : sql`state = ${state}`;
  return tx.sql<EventSummaryRow>`
    select ${SUMMARY} from events where platform_id = ${tx.platformId} and ${ofState}
     order by id desc limit ${limit}`;
}

export interface EventFilter {
  readonly type?: string | undefined;
  readonly state?: EventState | undefined;
  readonly resourceId?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  /** Only events that may be resent: no questions, no events that are sent only once, no erased events. */
  readonly isRepeatable?: boolean;
}

export function pageEvents<Item>(
  tx: ReadTx,
  request: PageRequest,
  filter: EventFilter,
  present: (row: EventSummaryRow) => Item,
): Promise<Page<Item>> {
  const where: Sql[] = [sql`t.platform_id = ${tx.platformId}`];
  if (filter.type !== undefined) where.push(sql`t.type = ${filter.type}`);
  if (filter.state !== undefined) where.push(isIn(filter.state));
  if (filter.resourceId !== undefined) where.push(sql`t.resource_id = ${filter.resourceId}`);
  if (filter.createdAfter) where.push(sql`t.created_at >= ${filter.createdAfter}`);
  if (filter.createdBefore) where.push(sql`t.created_at <= ${filter.createdBefore}`);
  if (filter.isRepeatable) where.push(sql`not t.once and t.decision is null and t.erased_at is null`);
  return keysetPage<EventSummaryRow, Item>(
    tx,
    request,
    { columns: SUMMARY, from: sql`events t`, where },
    present,
  );
}

/** Writes states that have an index as literals, so that the planner uses the index. */
function isIn(state: EventState): Sql {
  if (state === 'EXHAUSTED') return sql`t.state in ('EXHAUSTED', 'SKIPPED') and t.state = 'EXHAUSTED'`;
  if (state === 'SKIPPED') return sql`t.state in ('EXHAUSTED', 'SKIPPED') and t.state = 'SKIPPED'`;
  return sql`t.state = ${state}`;
}

/** An event of a resource; erased events have lost their content, but not their type. */
export type ResourceEventRow = Pick<
  EventSummaryRow,
  'id' | 'type' | 'resource_id' | 'state' | 'attempts' | 'created_at' | 'next_attempt_at'
>;

/** Lists the newest events of these resources, the newest first, along their index. */
export function listEventsAbout(
  tx: ReadTx,
  resourceIds: readonly string[],
  rowsMax: number,
): Promise<ResourceEventRow[]> {
  return tx.sql<ResourceEventRow>`
    select ${SUMMARY} from events
     where platform_id = ${tx.platformId} and resource_id = any(${resourceIds}::text[])
     order by created_at desc, seq desc limit ${rowsMax}`;
}

/** One attempt to deliver one of several events, without its address and answer. */
export interface EventAttemptRow extends Omit<AttemptRow, 'url' | 'response'> {
  event_id: EventId;
}

/** Lists the newest attempts to deliver these events, the newest first. */
export function listAttemptsOf(
  tx: ReadTx,
  eventIds: readonly EventId[],
  rowsMax: number,
): Promise<EventAttemptRow[]> {
  return tx.sql<EventAttemptRow>`
    select a.event_id, a.attempt, a.at, a.duration_ms, a.status, a.error
      from webhook_attempts a
     where a.platform_id = ${tx.platformId} and a.event_id = any(${eventIds}::uuid[])
     order by a.at desc, a.event_id desc, a.attempt desc limit ${rowsMax}`;
}

export interface FailedFilter {
  readonly since: Date;
  readonly until: Date;
  readonly includeSkipped: boolean;
  readonly after: { readonly createdAt: Date; readonly id: EventId } | undefined;
}

/**
 * The oldest events that were given up or wait for a retry, each branch along its own index. Events that are sent only
 * once are excluded.
 */
export function findFailed(
  tx: Tx,
  { since, until, includeSkipped, after }: FailedFilter,
  limit: number,
): Promise<{ id: EventId; created_at: Date }[]> {
  const next = after ? sql`(created_at, id) > (${after.createdAt}, ${after.id}::uuid)` : sql`true`;
  const branch = (state: Sql) => sql`(
    select id, created_at from events
     where platform_id = ${tx.platformId} and ${state} and not once and erased_at is null
       and created_at >= ${since} and created_at <= ${until} and ${next}
     order by created_at, id limit ${limit})`;
  const ended = includeSkipped ? sql`true` : sql`state = 'EXHAUSTED'`;
  return tx.sql`
    select * from (
      ${branch(sql`state in ('EXHAUSTED', 'SKIPPED') and ${ended}`)}
      union all
      ${branch(sql`state = 'PENDING' and next_attempt_at is not null`)}) found
     order by created_at, id limit ${limit}`;
}

export interface EventDetailRow extends EventSummaryRow {
  /** Sealed; null until the facts were rendered. */
  payload: Buffer | null;
  facts: unknown;
  decision: string | null;
}

export async function findEvent(tx: ReadTx, id: EventId): Promise<EventDetailRow | undefined> {
  const [row] = await tx.sql<EventDetailRow>`
    select ${SUMMARY}, payload, facts, decision from events where platform_id = ${tx.platformId} and id = ${id}`;
  return row;
}

export interface AttemptRow {
  attempt: number;
  at: Date;
  /** Sealed. */
  url: Buffer;
  duration_ms: number;
  status: number | null;
  error: string | null;
  response: Buffer | null;
}

/** Answers to an erased event are not shown, though an attempt may have been recorded since. */
export function listAttempts(tx: ReadTx, eventId: EventId): Promise<AttemptRow[]> {
  return tx.sql<AttemptRow>`
    select a.attempt, a.at, a.url, a.duration_ms, a.status, a.error,
           case when e.erased_at is null then a.response end as response
      from webhook_attempts a join events e on e.platform_id = a.platform_id and e.id = a.event_id
     where a.platform_id = ${tx.platformId} and a.event_id = ${eventId}
     order by a.attempt`;
}

/**
 * Turns events into retries that are due now, outside the order of first attempts, with all their retries before them. An
 * event that still waits for its first attempt stays as it is. A due retry of a leased queue keeps its time, because it may
 * be being sent. Queues are locked in the order of commits.
 */
export async function reopen(tx: Tx, ids: readonly EventId[]): Promise<void> {
  await tx.sql`
    with reopened as (
      update events e
         set state = 'PENDING', finished_at = null, retries = 0, first_attempt_at = ${tx.now},
             next_attempt_at = case when e.state = 'PENDING' and e.next_attempt_at <= ${tx.now} and exists (
               select from webhook_queues q
                where q.platform_id = e.platform_id and q.resource_id = e.resource_id
                  and q.leased_until > ${new Date(tx.runtime.clock.now())})
               then e.next_attempt_at else ${tx.now} end
        from unnest(${ids}::uuid[]) as g(id)
       where e.platform_id = ${tx.platformId} and e.id = g.id and e.erased_at is null
         and (e.state <> 'PENDING' or e.next_attempt_at is not null)
      returning e.platform_id, e.resource_id)
    insert into webhook_queues as q (platform_id, resource_id, lane, due_at)
    select r.platform_id, r.resource_id, 'RETRY', ${tx.now}::timestamptz from reopened r
     group by 1, 2 order by r.resource_id like 'InternalAccount:%', 1, 2
    on conflict (platform_id, resource_id) do update set due_at = least(q.due_at, excluded.due_at)`;
}

/** Gives events a second place in the feed, so that listeners receive them again. Without listeners there is no feed. */
export async function tellAgain(tx: Tx, ids: readonly EventId[]): Promise<void> {
  if (!isHeard(tx)) return;
  await tx.sql`
    update events e set resent_xid = feed_place(), resent_at = ${new Date(tx.runtime.clock.now())}
      from unnest(${ids}::uuid[]) as g(id)
     where e.platform_id = ${tx.platformId} and e.id = g.id and e.erased_at is null`;
}

/** Deletes at most `rowsMax` old attempts from the log; returns how many. */
export async function purgeAttempts(tx: Tx, rowsMax: number): Promise<number> {
  const deleted = await tx.sql`
    with old as materialized (
      select platform_id, event_id, attempt from webhook_attempts
       where platform_id = ${tx.platformId} and at < ${keptSince(tx.runtime, 'webhookDays')}
       limit ${rowsMax} for update skip locked)
    delete from webhook_attempts a using old
     where a.platform_id = old.platform_id and a.event_id = old.event_id and a.attempt = old.attempt
    returning 1`;
  return deleted.length;
}

/**
 * Deletes old events with their attempts, and returns how many events. It deletes the events of a transaction in their order,
 * because the last one that is left has to be the last one that was written (money.md §12.9). So an event waits until the
 * earlier ones of its transaction are old, too, and they are deleted together. This may be more than `rowsMax` events.
 */
export async function purgeEvents(tx: Tx, rowsMax: number): Promise<number> {
  const isOld = sql`e.finished_at < ${keptSince(tx.runtime, 'webhookDays')}`;
  const hasEarlier = (condition: Sql) => sql`
    e.resource_id like 'Transaction:%' and exists (
      select from events b
       where b.platform_id = e.platform_id and b.resource_id = e.resource_id and b.seq < e.seq and ${condition})`;
  const deleted = await tx.sql`
    with old as materialized (
      select id, resource_id from events e
       where e.platform_id = ${tx.platformId} and ${isOld}
         and not (${hasEarlier(sql`(b.finished_at < ${keptSince(tx.runtime, 'webhookDays')}) is not true`)})
       limit ${rowsMax} for update skip locked),
    beside as materialized (
      select id from events e
       where e.platform_id = ${tx.platformId} and ${isOld}
         and e.resource_id in (select o.resource_id from old o where o.resource_id like 'Transaction:%')
         for update skip locked),
    chosen as materialized (select id from old union select id from beside),
    log as (
      delete from webhook_attempts a using chosen c where a.platform_id = ${tx.platformId} and a.event_id = c.id)
    delete from events e using chosen c
     where e.platform_id = ${tx.platformId} and e.id = c.id
       and not (${hasEarlier(sql`b.id not in (select id from chosen)`)})
    returning 1`;
  return deleted.length;
}
