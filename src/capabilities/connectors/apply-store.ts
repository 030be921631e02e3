import type { StoredEvent } from '#capabilities/connectors/event-store.ts';
import type { Run } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';

/**
 * Which events are applied next (connectors.md §6.4). Fresh events follow the connector's mark in the order of the list.
 * One that fails is set aside, and so is what follows it about the same thing; then the mark passes them.
 */

type Place = Pick<StoredEvent, 'connector_id' | 'seq'>;

const EVENT = sql`e.connector_id, e.store, e.event_id, e.seq, e.type, e.about, e.body, e.failures`;

/** The next fresh events, in the order of the list. */
export function listFresh(run: Run, connectorId: string, limit: number): Promise<StoredEvent[]> {
  return run<StoredEvent>(sql`
    select ${EVENT} from connector_events e
     where e.connector_id = ${connectorId} and e.applied_at is null and not e.is_aside
       and e.seq > (select c.applied_to from connectors c where c.id = ${connectorId})
     order by e.seq limit ${limit}`);
}

/** Events that were set aside and are due. What follows them about the same thing has no time yet. */
export function listAside(run: Run, connectorId: string, now: Date, limit: number): Promise<StoredEvent[]> {
  return run<StoredEvent>(sql`
    select ${EVENT} from connector_events e
     where e.connector_id = ${connectorId} and e.is_aside and e.applied_at is null and e.due_at <= ${now}
     order by e.due_at, e.seq limit ${limit}`);
}

/**
 * Sets events aside that follow one that is aside, and returns them. The lock waits for a worker that is just applying
 * that one: an event is set aside before that worker looks for the next one, or stays fresh.
 */
export async function setFollowersAside(
  run: Run,
  connectorId: string,
  events: readonly Pick<StoredEvent, 'seq' | 'about'>[],
): Promise<Set<bigint>> {
  if (events.length === 0) return new Set();
  const seqs = events.map(({ seq }) => seq);
  const rows = await run<{ seq: bigint }>(sql`
    with seen as materialized (${firstAside(connectorId, [...new Set(events.map(({ about }) => about))])}),
         heads as materialized (
           select p.about from connector_events p
            where p.connector_id = ${connectorId} and p.seq = any(array(select seq from seen)) and p.applied_at is null
            order by p.seq for share),
         moved as (
           update connector_events e set is_aside = true, due_at = null from heads
            where e.connector_id = ${connectorId} and e.seq = any(${seqs}::bigint[]) and e.about = heads.about
              and not e.is_aside and e.applied_at is null)
    select e.seq from unnest(${seqs}::bigint[], ${events.map(({ about }) => about)}::text[]) as e (seq, about)
      join seen on seen.about = e.about`);
  return new Set(rows.map(({ seq }) => seq));
}

/** Finds, for each of these things, the first event that is set aside. */
function firstAside(connectorId: string, abouts: readonly string[]): Sql {
  return sql`
    select h.seq, h.about from unnest(${[...abouts]}::text[]) as named (about)
     cross join lateral (
       select e.seq, e.about from connector_events e
        where e.connector_id = ${connectorId} and e.about = named.about and e.is_aside and e.applied_at is null
        order by e.seq limit 1) h`;
}

/** Moves the connector's mark up to the first fresh event. The events of a connector get their numbers one page at a time. */
export async function moveMark(run: Run, connectorId: string, handledTo: bigint): Promise<void> {
  await run(sql`
    update connectors c set applied_to = greatest(c.applied_to, coalesce((
             select e.seq - 1 from connector_events e
              where e.connector_id = ${connectorId} and e.applied_at is null and not e.is_aside and e.seq > c.applied_to
              order by e.seq limit 1), ${handledTo}::bigint))
     where c.id = ${connectorId}`);
}

/** Marks the events as applied, in the commit that applies them. Returns those that no other worker has applied. */
export async function claimEvents(
  run: Run,
  connectorId: string,
  events: readonly Pick<StoredEvent, 'seq'>[],
): Promise<Set<bigint>> {
  const rows = await run<{ seq: bigint }>(sql`
    select seq from connector_events
     where connector_id = ${connectorId} and seq = any(${events.map(({ seq }) => seq)}::bigint[]) and applied_at is null
     order by seq for update`);
  return new Set(rows.map(({ seq }) => seq));
}

/** Content that this version does not understand stays for a later one, and a reversal for the credit that may come. */
export async function markApplied(run: Run, event: Place, outcome: string, now: Date): Promise<void> {
  await markAll(run, event.connector_id, [event], outcome, now);
}

/** Marks events of which nothing follows, together. Their content stays. */
export async function markKept(
  run: Run,
  connectorId: string,
  events: readonly Place[],
  now: Date,
): Promise<void> {
  await markAll(run, connectorId, events, 'kept', now);
}

async function markAll(
  run: Run,
  connectorId: string,
  events: readonly Place[],
  outcome: string,
  now: Date,
): Promise<void> {
  const rows = await run<{ about: string; is_aside: boolean }>(sql`
    update connector_events
       set applied_at = ${now}, due_at = null, outcome = ${outcome},
           body = case when ${outcome} in ('kept', 'malformed', 'unknown credit') then body else null end
     where connector_id = ${connectorId} and seq = any(${events.map(({ seq }) => seq)}::bigint[]) and applied_at is null
    returning about, is_aside`);
  const aside = rows.filter((row) => row.is_aside).map(({ about }) => about);
  if (aside.length === 0) return;
  // The next event about each thing, which waited for these, is due now.
  await run(sql`
    update connector_events set due_at = least(due_at, ${now})
     where connector_id = ${connectorId} and applied_at is null
       and seq = any(array(select seq from (${firstAside(connectorId, aside)}) next))`);
}

/** The event waits for its time, and what follows about the same thing waits for it. */
export async function postponeEvent(run: Run, event: Place, dueAt: Date): Promise<void> {
  await run(sql`
    update connector_events set failures = failures + 1, due_at = ${dueAt}, is_aside = true
     where connector_id = ${event.connector_id} and seq = ${event.seq} and applied_at is null`);
}

/**
 * connectors.md §6.10: reversals that came before their credit are applied again, after the commit of the credit. Returns
 * whether there are any.
 */
export async function reopenReversals(
  run: Run,
  connectorId: string,
  creditId: string,
  now: Date,
): Promise<boolean> {
  const rows = await run(sql`
    update connector_events set applied_at = null, outcome = null, due_at = ${now}, is_aside = true
     where connector_id = ${connectorId} and about = ${creditId.toLowerCase()} and outcome = 'unknown credit'
       and body is not null
    returning seq`);
  return rows.length > 0;
}
