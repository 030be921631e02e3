import { sql } from '#database/sql.ts';
import type { ReadTx, Tx } from '#database/tx.ts';

export type EventState = 'PENDING' | 'DELIVERED' | 'ACKED_DUPLICATE' | 'EXHAUSTED' | 'SKIPPED';

export interface EventSummary {
  id: string;
  type: string;
  resource_id: string;
  state: EventState;
  attempts: number;
  created_at: Date;
  next_attempt_at: Date | null;
}

const SUMMARY = sql`id, type, resource_id, state, attempts, created_at, next_attempt_at`;

/** Newest first by id, which is ordered by time. */
export function listRecent(
  tx: ReadTx,
  state: EventState | undefined,
  limit: number,
): Promise<EventSummary[]> {
  const ofState = state === undefined ? sql`true` : sql`state = ${state}`;
  return tx.sql<EventSummary>`
    select ${SUMMARY} from events where platform_id = ${tx.platformId} and ${ofState}
     order by id desc limit ${limit}`;
}

export async function findEvent(
  tx: ReadTx,
  id: string,
): Promise<(EventSummary & { payload: Buffer | null; decision: string | null }) | undefined> {
  const [row] = await tx.sql<EventSummary & { payload: Buffer | null; decision: string | null }>`
    select ${SUMMARY}, payload, decision from events where platform_id = ${tx.platformId} and id = ${id}`;
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

export function listAttempts(tx: ReadTx, eventId: string): Promise<AttemptRow[]> {
  return tx.sql<AttemptRow>`
    select attempt, at, url, duration_ms, status, error, response
      from webhook_attempts
     where platform_id = ${tx.platformId} and event_id = ${eventId}
     order by attempt`;
}

/**
 * Makes the event a retry that is due now, which is outside the order of first attempts. An event that is being sent, or
 * whose first attempt is still to come, is left as it is: it will be sent anyway.
 */
export async function reopen(tx: Tx, id: string): Promise<void> {
  await tx.sql`
    update events
       set state = 'PENDING', finished_at = null, retries = 0, first_attempt_at = ${tx.now},
           next_attempt_at = ${tx.now}, lease_owner = null, leased_until = null
     where platform_id = ${tx.platformId} and id = ${id}
       and (state <> 'PENDING' or next_attempt_at is not null)
       and (leased_until is null or leased_until <= ${new Date(tx.runtime.clock.now())})`;
}

/** The log is kept for 30 days, and an event for 30 days after it was finished (platform.md §4.2.6). */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Deletes old attempts from the log, at most so many; returns how many. */
export async function purgeAttempts(tx: Tx, rowsMax: number): Promise<number> {
  const deleted = await tx.sql`
    with old as materialized (
      select platform_id, event_id, attempt from webhook_attempts
       where platform_id = ${tx.platformId} and at < ${new Date(tx.runtime.clock.now() - KEPT_MS)}
       limit ${rowsMax} for update skip locked)
    delete from webhook_attempts a using old
     where a.platform_id = old.platform_id and a.event_id = old.event_id and a.attempt = old.attempt
    returning 1`;
  return deleted.length;
}

/** Deletes old events with what the log still has of them, at most so many; returns how many. */
export async function purgeEvents(tx: Tx, rowsMax: number): Promise<number> {
  const deleted = await tx.sql`
    with old as materialized (
      select platform_id, id from events
       where platform_id = ${tx.platformId} and finished_at < ${new Date(tx.runtime.clock.now() - KEPT_MS)}
       limit ${rowsMax} for update skip locked),
    log as (
      delete from webhook_attempts a using old where a.platform_id = old.platform_id and a.event_id = old.id)
    delete from events e using old where e.platform_id = old.platform_id and e.id = old.id
    returning 1`;
  return deleted.length;
}
