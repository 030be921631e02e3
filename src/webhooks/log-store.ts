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
 * As a retry that is due now: it stands outside the order of first attempts. One under way, or whose first
 * attempt is still to come, is sent anyway and left alone.
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
