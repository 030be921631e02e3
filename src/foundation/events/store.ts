import type { CommittedEvent, CommittedQueue, EventTaker } from '#foundation/database/outbox.ts';
import { type ItemColumns, insertOver, isFew } from '#foundation/database/row-sets.ts';
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

const COLUMNS: ItemColumns<EventRow> = {
  platform_id: ['uuid', (event) => event.platformId],
  id: ['uuid', (event) => event.id],
  type: ['text', (event) => event.type],
  resource_id: ['text', (event) => event.resourceId],
  payload: ['bytea', (event) => event.payload],
  once: ['boolean', (event) => event.once],
  decision: ['text', (event) => event.decision],
  created_at: ['timestamptz', (event) => event.createdAt],
  traceparent: ['text', (event) => event.traceparent],
};
const FACTS: ItemColumns<EventRow> = { facts: ['jsonb', (event) => event.facts] };
const IS_HEARD: ItemColumns<EventRow> = { is_heard: ['boolean', (event) => event.isHeard] };
const COMPUTED = { xid: 'case when r.is_heard then feed_place() end', is_queued: 'true' };

/** The statement that inserts events in the order in which they were emitted, which becomes the order of `seq`. */
const insertEvents = insertOver<EventRow>({
  table: 'events',
  columns: { ...COLUMNS, ...FACTS },
  inputs: IS_HEARD,
  computed: COMPUTED,
});

/** The same if there are events of balances among them: it reads those balances. */
const insertWithBalances = insertOver<EventRow>({
  table: 'events',
  columns: COLUMNS,
  inputs: { ...FACTS, ...IS_HEARD, account_id: ['uuid', (event) => event.accountId] },
  computed: { facts: 'case when r.account_id is null then r.facts else a.facts end', ...COMPUTED },
  joined: `left join lateral account_facts_at_commit(r.platform_id, r.account_id, r.facts, r.created_at) a
             on r.account_id is not null`,
});

/** The facts of these events are completed by the statement itself, and come back from it. */
const READ_BACK = 'INTERNAL_ACCOUNT.BALANCE_UPDATED' satisfies EventType;

/**
 * Writes events, and puts them into the queues of their resources. New queues get the taker's lease, unless the commit
 * also writes an event of their platform that is sent only once. Queues are locked in one order, until the
 * commit: otherwise a worker that has sent the last event of a queue could remove it before this one is visible.
 */
export function writeEvents(events: readonly EventRow[], taker: EventTaker | undefined): Sql {
  const hasBalances = events.some(({ accountId }) => accountId !== undefined);
  const insert = (hasBalances ? insertWithBalances : insertEvents)(events);
  const platformIds = events.map(({ platformId }) => platformId);
  const lease = taker?.lease(platformIds);
  const asked = new Set(events.flatMap(({ once, platformId }) => (once ? platformId : [])));
  const leased = lease?.platformIds.filter((id) => !asked.has(id)) ?? [];
  const { owner, until } = lease && leased.length > 0 ? lease : { owner: null, until: null };
  const isEach = isOneEach(events, leased);
  const told = !taker ? 'nothing' : hasBalances ? 'balances' : 'queues';
  const values = [...insert.values, owner, until, ...(isEach ? [] : [leased])];
  const queued = new Sql(partsWithQueues(insert.parts, (isEach ? ONE_EACH : SET)[told]), values);
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

/**
 * What a statement tells: a taker gets the queues, and the events of balances, because only the statement knows the
 * balances. They are the last events of every commit.
 */
type Told = 'nothing' | 'queues' | 'balances';

const BEFORE = 'with written as (';
const INTO_QUEUES = `
    insert into webhook_queues as q (platform_id, resource_id, lane, due_at, added, lease_owner, leased_until)`;
/** A queue that waits for a claim is only locked: the claim reads all of its events. */
const IF_QUEUED = `
        on conflict (platform_id, resource_id) do update
       set lane = least(q.lane, excluded.lane), due_at = least(q.due_at, excluded.due_at),
           added = q.added + excluded.added
     where q.lease_owner is not null or q.lane > excluded.lane or q.due_at > excluded.due_at`;
const TELL_QUEUES = `
    returning q.platform_id, q.resource_id, q.lease_owner, q.added)
  select null::uuid, q.platform_id, q.resource_id, q.lease_owner, q.added, null, null::bigint from queued q`;
const TELL_BALANCES = `
  union all
  select w.id, w.platform_id, w.resource_id, null, null, w.facts::text, (extract(epoch from w.created_at) * 1000)::bigint
    from written w where w.type = '${READ_BACK}'`;

/** The text around an insert of events, which puts these rows into queues. */
function queueing([first, ...rest]: readonly [string, ...string[]]): Record<Told, readonly string[]> {
  const around = (returned: string, after: string) => [
    ` returning platform_id, resource_id, decision, created_at${returned}${INTO_QUEUES}${first}`,
    ...rest.slice(0, -1),
    `${rest.at(-1)}${IF_QUEUED}${after}`,
  ];
  return {
    nothing: around(')', ''),
    queues: around('), queued as (', TELL_QUEUES),
    balances: around(', id, type, facts), queued as (', `${TELL_QUEUES}${TELL_BALANCES}`),
  };
}

/**
 * Queues of accounts come last. A transaction that writes its events in two steps also locks them last, because it
 * announces a payment before the balances that later entries change. Resends lock in the same order.
 */
function inLockOrder(alias: string): string {
  return `${alias}.resource_id like 'InternalAccount:%', ${alias}.platform_id, ${alias}.resource_id`;
}

/** One event for each queue. The owner and the end of the lease are parameters. */
const ONE_EACH = queueing([
  `
    select w.platform_id, w.resource_id, case when w.decision is null then 'FIRST' else 'ASKED' end, w.created_at, 1,
           `,
  '::uuid, ',
  `::timestamptz from written w order by ${inLockOrder('w')}`,
]);

/** The same for a set, with the leased platforms as a third parameter. */
const SET = queueing([
  `
    select n.platform_id, n.resource_id, n.lane, n.due_at, n.added, case when n.is_leased then `,
  '::uuid end, case when n.is_leased then ',
  `::timestamptz end
      from (
        select w.platform_id, w.resource_id, min(w.created_at) as due_at, count(*) as added,
               min(case when w.decision is null then 'FIRST' else 'ASKED' end collate "C") as lane,
               w.platform_id = any(`,
  `::uuid[]) as is_leased
          from written w group by w.platform_id, w.resource_id order by ${inLockOrder('w')}) n`,
]);

const withQueues = new WeakMap<readonly string[], Map<readonly string[], readonly string[]>>();

/** The same array for the same insert, so that its text is rendered once (`compile`). */
function partsWithQueues(insert: readonly string[], queueing: readonly string[]): readonly string[] {
  const known = withQueues.get(insert) ?? new Map();
  withQueues.set(insert, known);
  const made = known.get(queueing);
  if (made) return made;
  const [first, ...rest] = [...insert.slice(0, -1), `${insert.at(-1)}${queueing[0]}`];
  const parts = [`${BEFORE}${first}`, ...rest, ...queueing.slice(1)];
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
