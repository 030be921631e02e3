import { stateAfter } from '#edge/webhooks/retry-schedule.ts';
import type { ClaimedEvent } from '#edge/webhooks/store.ts';
import type { Run } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Lease } from '#foundation/jobs/leases.ts';
import type { QueueTable } from '#foundation/jobs/queues-store.ts';

export const WEBHOOK_QUEUES: QueueTable = { table: sql`webhook_queues`, lane: sql`lane` };

/** The lease of the queue of one resource: until it ends, only this process sends the resource's events. */
export interface QueueLease extends Lease {
  readonly platform_id: string;
  readonly resource_id: string;
  readonly owner: string;
  /** The claimed events that are not finished. */
  readonly events: Set<ClaimedEvent>;
  /** The latest event that was claimed. */
  last_seq: bigint;
  /** More events are being claimed: the lease does not end before they are known. */
  isClaiming?: boolean;
  /** A result could not be recorded: the lease is left to expire, because the event may have been sent. */
  isBroken?: boolean;
}

/** How many resources and events to take for a platform. */
export interface Capacity {
  readonly resources: number;
  /** Events that wait for an earlier event of their resource. */
  readonly blocked: number;
  readonly questions: number;
}

export interface ClaimRequest {
  readonly now: Date;
  readonly until: Date;
  readonly owner: string;
  readonly capacity: ReadonlyMap<string, Capacity>;
  readonly rowsMax: number;
  /** Leases under which more events can be taken. */
  readonly held: readonly QueueLease[];
}

type ClaimedRow = Omit<ClaimedEvent, 'lease' | 'claimed_at'> & { readonly lease_owner: string };

/** Leases queues with due events (claim-webhooks.sql), and returns their events in event order. */
export async function claimWebhooks(run: Run, claim: ClaimRequest): Promise<ClaimedEvent[]> {
  const capacities = [...claim.capacity.values()];
  const held = claim.held.map(({ platform_id, resource_id, owner, last_seq, events }) => {
    const has_retries = [...events].some(({ is_first }) => !is_first);
    return { platform_id, resource_id, owner, last_seq: String(last_seq), has_retries };
  });
  const rows = await run<ClaimedRow>(sql`
    select * from claim_webhooks(
      ${claim.now}, ${claim.until}, ${claim.owner}, ${[...claim.capacity.keys()]}::uuid[],
      ${capacities.map(({ resources }) => resources)}::integer[],
      ${capacities.map(({ blocked }) => blocked)}::integer[],
      ${capacities.map(({ questions }) => questions)}::integer[], ${claim.rowsMax}, ${JSON.stringify(held)}::jsonb)`);
  const leases = new Map(claim.held.map((lease) => [nameOf(lease), lease]));
  return rows
    .sort((a, b) => (a.seq < b.seq ? -1 : 1))
    .map(({ lease_owner: owner, ...row }) => {
      const { platform_id, resource_id } = row;
      const name = nameOf({ platform_id, resource_id, owner });
      const known = leases.get(name);
      const lease = known ?? { platform_id, resource_id, owner, events: new Set(), ...until(claim) };
      leases.set(name, lease);
      const event = { ...row, claimed_at: claim.now, lease };
      lease.events.add(event);
      lease.last_seq = row.seq > lease.last_seq ? row.seq : lease.last_seq;
      return event;
    });
}

function until({ until: leased_until }: ClaimRequest) {
  return { leased_until, last_seq: 0n };
}

type QueueName = Pick<QueueLease, 'platform_id' | 'resource_id' | 'owner'>;

function nameOf({ platform_id, resource_id, owner }: QueueName): string {
  return `${platform_id} ${owner} ${resource_id}`;
}

/** Extends leases, and returns those that it extended. Queues that a commit has locked are left to the next renewal. */
export async function renewQueues(
  run: Run,
  leases: readonly QueueLease[],
  leasedUntil: Date,
): Promise<QueueLease[]> {
  const rows = await run<QueueName>(sql`
    with mine as materialized (
      select q.platform_id, q.resource_id
        from ${givenQueues(leases)}
        join webhook_queues q on q.platform_id = g.platform_id and q.resource_id = g.resource_id
       where q.lease_owner = g.owner
         for no key update of q skip locked)
    update webhook_queues q set leased_until = ${leasedUntil}
      from mine where q.platform_id = mine.platform_id and q.resource_id = mine.resource_id
    returning q.platform_id, q.resource_id, q.lease_owner as owner`);
  const renewed = new Set(rows.map(nameOf));
  return leases.filter((lease) => renewed.has(nameOf(lease)));
}

/**
 * Ends leases (settle_webhooks in claim-webhooks.sql); the owner of a queue without a lease is null. Returns whether any
 * of the queues has due events, and the queues that were locked and must be settled later.
 */
export async function settleQueues<
  Queue extends Omit<QueueName, 'owner'> & { readonly owner: string | null },
>(run: Run, now: Date, queues: readonly Queue[]): Promise<{ isDue: boolean; locked: Queue[] }> {
  const rows = await run<{ platform_id: string; resource_id: string; is_locked: boolean | null }>(sql`
    select * from settle_webhooks(
      ${now}, ${queues.map((queue) => queue.platform_id)}::uuid[],
      ${queues.map((queue) => queue.resource_id)}::text[], ${queues.map((queue) => queue.owner)}::uuid[])`);
  const locked = new Set(rows.filter((row) => row.is_locked).map((row) => nameOf({ ...row, owner: '' })));
  return {
    isDue: rows.some((row) => row.is_locked === false),
    locked: queues.filter((queue) => locked.has(nameOf({ ...queue, owner: '' }))),
  };
}

/** Gives up events of a platform without an endpoint (platform.md §4.2.5). */
export async function skipEvents(run: Run, now: Date, events: readonly ClaimedEvent[]): Promise<void> {
  await run(sql`
    update events e set state = ${stateAfter('SKIPPED')}, finished_at = ${now}
      from ${givenEvents(events)}
     where e.platform_id = g.platform_id and e.id = g.id and e.state = 'PENDING'`);
}

/**
 * Leaves questions to the platform's listeners (platform.md §4.8.7), unless their time is over, and returns those. Until
 * the end of their time they wait like retries; a worker that claims them then decides without an answer.
 */
export async function awaitListeners(
  run: Run,
  { now, questionMs }: { readonly now: Date; readonly questionMs: number },
  events: readonly ClaimedEvent[],
): Promise<ClaimedEvent[]> {
  const rows = await run<{ id: string }>(sql`
    update events e set next_attempt_at = t.until
      from ${givenEvents(events)}
      join platforms p on p.id = g.platform_id
     cross join lateral (
       select f.created_at + ${questionMs} * interval '1 millisecond' as until from events f
        where f.platform_id = g.platform_id and f.id = g.id limit 1) t
     where e.platform_id = g.platform_id and e.id = g.id and e.state = 'PENDING' and e.next_attempt_at is null
       and t.until > ${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond'
    returning e.id`);
  const ids = new Set(rows.map(({ id }) => id));
  return events.filter(({ id }) => ids.has(id));
}

/** The whole primary key comes out of a list, so that rows are looked up by it whatever the plan assumes. */
function givenEvents(events: readonly ClaimedEvent[]): Sql {
  return sql`unnest(${events.map((event) => event.platform_id)}::uuid[], ${events.map((event) => event.id)}::uuid[])
    as g(platform_id, id)`;
}

function givenQueues(queues: readonly QueueName[]): Sql {
  return sql`unnest(
      ${queues.map((queue) => queue.platform_id)}::uuid[], ${queues.map((queue) => queue.resource_id)}::text[],
      ${queues.map((queue) => queue.owner)}::uuid[]) as g(platform_id, resource_id, owner)`;
}
