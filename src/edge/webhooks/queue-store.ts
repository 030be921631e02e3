import { stateAfter } from '#edge/webhooks/retry-schedule.ts';
import type { ClaimedEvent } from '#edge/webhooks/store.ts';
import type { Run } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Lease, QueueTable } from '#foundation/jobs/queues-store.ts';

export const WEBHOOK_QUEUES: QueueTable = {
  ...{ table: sql`webhook_queues`, key: sql`resource_id`, keyType: sql`text` },
  lane: sql`lane`,
};

/** The lease of the queue of one resource: until it ends, only this process sends the resource's events. */
export interface QueueLease extends Lease {
  /** The resource. */
  readonly key: string;
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
  const held = claim.held.map(({ platform_id, key, owner, last_seq, events }) => {
    const has_retries = [...events].some(({ is_first }) => !is_first);
    return { platform_id, resource_id: key, owner, last_seq: String(last_seq), has_retries };
  });
  const rows = await run<ClaimedRow>(sql`
    select * from claim_webhooks(
      ${claim.now}, ${claim.until}, ${claim.owner}, ${[...claim.capacity.keys()]}::uuid[],
      ${capacities.map(({ resources }) => resources)}::integer[],
      ${capacities.map(({ blocked }) => blocked)}::integer[],
      ${capacities.map(({ questions }) => questions)}::integer[], ${claim.rowsMax}, ${JSON.stringify(held)}::jsonb)`);
  const leases = new Map(claim.held.map((lease) => [`${lease.owner} ${lease.key}`, lease]));
  return rows
    .sort((a, b) => (a.seq < b.seq ? -1 : 1))
    .map(({ lease_owner: owner, ...row }) => {
      const { platform_id, resource_id: key, seq } = row;
      const lease = leases.get(`${owner} ${key}`) ?? {
        ...{ platform_id, key, owner, leased_until: claim.until },
        ...{ events: new Set(), last_seq: 0n },
      };
      leases.set(`${owner} ${key}`, lease);
      const event = { ...row, claimed_at: claim.now, lease };
      lease.events.add(event);
      lease.last_seq = seq > lease.last_seq ? seq : lease.last_seq;
      return event;
    });
}

/**
 * Ends leases (settle_webhooks in claim-webhooks.sql). Returns whether any of the queues has due events, and the queues
 * that were locked and must be settled later.
 */
export async function settleQueues(
  run: Run,
  now: Date,
  leases: readonly Lease[],
): Promise<{ isDue: boolean; locked: Set<Lease | undefined> }> {
  const rows = await run<{ locked: bigint | null; is_due: boolean }>(sql`
    select * from settle_webhooks(
      ${now}, ${leases.map((lease) => lease.platform_id)}::uuid[], ${leases.map((lease) => lease.key)}::text[],
      ${leases.map((lease) => lease.owner)}::uuid[])`);
  const locked = new Set(rows.map((row) => leases[Number(row.locked) - 1]));
  return { isDue: rows.some((row) => row.is_due), locked };
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
