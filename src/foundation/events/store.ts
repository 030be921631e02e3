import type { CommittedEvent, CommittedQueue, EventTaker } from '#foundation/database/outbox.ts';
import { insertOver, isFew } from '#foundation/database/row-sets.ts';
import { AnsweredSql, Sql, type TextRow } from '#foundation/database/sql.ts';
import type { EventType } from '#foundation/events/types.ts';

export interface EventRow extends CommittedEvent {
  /** Other events have no position in the feed, and no entry in the index that listeners read. */
  readonly isHeard: boolean;
  readonly decision: string | null;
  /** The trace in which it was emitted. */
  readonly traceparent: string | null;
  /** The internal account whose balances complete the facts at the commit. */
  readonly accountId?: AccountId | undefined;
}

/** The statement that inserts events in the order in which they were emitted, which becomes the order of `seq`. */
const insertEvents = insertOver<EventRow>({
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
    is_queued: 'true',
  },
});

/** The facts of these events are completed by the statement itself, and come back from it. */
const READ_BACK = 'INTERNAL_ACCOUNT.BALANCE_UPDATED' satisfies EventType;

/**
 * Writes events, and puts them into the queues of their resources. New queues get the taker's lease, unless the commit
 * also writes an event of their platform that is sent only once. Queues are locked in one order, until the
 * commit: otherwise a worker that has sent the last event of a queue could remove it before this one is visible.
 */
export function writeEvents(events: readonly EventRow[], taker: EventTaker | undefined): Sql {
  const insert = insertEvents(events);
  const platformIds = events.map(({ platformId }) => platformId);
  const lease = taker?.lease(platformIds);
  const asked = new Set(events.flatMap(({ once, platformId }) => (once ? platformId : [])));
  const leased = lease?.platformIds.filter((id) => !asked.has(id)) ?? [];
  const { owner, until } = lease && leased.length > 0 ? lease : { owner: null, until: null };
  const queueing = isOneEach(events, leased) ? ONE_EACH : SET;
  const values = [...insert.values, owner, until, ...(queueing === SET ? [leased] : [])];
  const queued = new Sql(partsWithQueues(insert.parts, queueing), values);
  if (!taker || !lease) return queued;
  const known = events.filter(({ accountId }) => accountId === undefined);
  return new AnsweredSql(queued, (rows) => {
    const read = rows.filter(([id]) => id !== null).map(readEvent);
    taker.take(lease, rows.filter(([id]) => id === null).map(readQueue), [...known, ...read]);
  });
}

/** Whether a few events have a queue each, all of them leased or none: then nothing has to be grouped. */
function isOneEach(events: readonly EventRow[], leased: readonly PlatformId[]): boolean {
  const queues = new Set(events.map(({ platformId, resourceId }) => `${platformId} ${resourceId}`));
  if (!isFew(events) || queues.size < events.length) return false;
  return leased.length === 0 || events.every(({ platformId }) => leased.includes(platformId));
}

const BEFORE = 'with written as (';
const QUEUED = ` returning id, platform_id, type, resource_id, facts, decision, created_at),
  queued as (
    insert into webhook_queues as q (platform_id, resource_id, lane, due_at, added, lease_owner, leased_until)`;
/**
 * A queue that waits for a claim is only locked: the claim reads all of its events. The statement returns events of
 * balances, because only it knows the balances. They are the last events of every commit.
 */
const AFTER = `
        on conflict (platform_id, resource_id) do update
       set lane = least(q.lane, excluded.lane), due_at = least(q.due_at, excluded.due_at),
           added = q.added + excluded.added
     where q.lease_owner is not null or q.lane > excluded.lane or q.due_at > excluded.due_at
    returning q.platform_id, q.resource_id, q.lease_owner, q.added)
  select null::uuid, q.platform_id, q.resource_id, q.lease_owner, q.added, null, null::bigint from queued q
  union all
  select w.id, w.platform_id, w.resource_id, null, null, w.facts::text, (extract(epoch from w.created_at) * 1000)::bigint
    from written w where w.type = '${READ_BACK}'`;

/**
 * Queues of accounts come last. A transaction that writes its events in two steps also locks them last, because it
 * announces a payment before the balances that later entries change. Resends lock in the same order.
 */
function inLockOrder(alias: string): string {
  return `${alias}.resource_id like 'InternalAccount:%', ${alias}.platform_id, ${alias}.resource_id`;
}

/** The text around an insert of one event for each queue. The owner and the end of the lease are parameters. */
const ONE_EACH = [
  `${QUEUED}
    select w.platform_id, w.resource_id, case when w.decision is null then 'FIRST' else 'ASKED' end, w.created_at, 1,
           `,
  '::uuid, ',
  `::timestamptz from written w order by ${inLockOrder('w')}${AFTER}`,
] as const;

/** The same for a set, with the leased platforms as a third parameter. */
const SET = [
  `${QUEUED}
    select n.platform_id, n.resource_id, n.lane, n.due_at, n.added, case when n.is_leased then `,
  '::uuid end, case when n.is_leased then ',
  `::timestamptz end
      from (
        select w.platform_id, w.resource_id, min(w.created_at) as due_at, count(*) as added,
               min(case when w.decision is null then 'FIRST' else 'ASKED' end collate "C") as lane,
               w.platform_id = any(`,
  `::uuid[]) as is_leased
          from written w group by w.platform_id, w.resource_id order by ${inLockOrder('w')}) n${AFTER}`,
] as const;

const withQueues = new WeakMap<readonly string[], Map<readonly string[], readonly string[]>>();

/** The same array for the same insert, so that its text is rendered once (`compile`). */
function partsWithQueues(insert: readonly string[], queueing: readonly string[]): readonly string[] {
  const known = withQueues.get(insert) ?? new Map();
  withQueues.set(insert, known);
  const [first, ...rest] = [...insert.slice(0, -1), `${insert.at(-1)}${queueing[0]}`];
  const parts = known.get(queueing) ?? [`${BEFORE}${first}`, ...rest, ...queueing.slice(1)];
  known.set(queueing, parts);
  return parts;
}

function readQueue([, platformId, resourceId, leaseOwner, added]: TextRow): CommittedQueue {
  const ids = { platformId: platformId as PlatformId, resourceId: resourceId as string };
  return { ...ids, leaseOwner: leaseOwner ?? null, added: added == null ? null : BigInt(added) };
}

function readEvent([id, platformId, resourceId, , , facts = null, createdAt]: TextRow): CommittedEvent {
  return {
    ...{ id: id as EventId, platformId: platformId as PlatformId, resourceId: resourceId as string },
    ...{ type: READ_BACK, facts, payload: null, once: false, createdAt: new Date(Number(createdAt)) },
  };
}
