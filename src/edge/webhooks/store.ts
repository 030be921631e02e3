import { GIVE_UP_AFTER_MS, type Outcome, stateAfter } from '#edge/webhooks/retry-schedule.ts';
import type { SealedTarget } from '#edge/webhooks/target-store.ts';
import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { Run } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Lease } from '#foundation/jobs/queues-store.ts';
import type { Environment } from '#foundation/lib/platform.ts';

/** An event that this process has leased, with everything it needs to send it. */
export interface ClaimedEvent {
  readonly platform_id: PlatformId;
  readonly environment: Environment;
  /**
   * The endpoint and key, as the claim has read them. Without an endpoint, only questions are claimed, and decided without
   * being sent. An event that was handed over by its commit has no target yet.
   */
  readonly target?: SealedTarget & { readonly at: Date };
  readonly id: EventId;
  readonly type: string;
  readonly resource_id: string;
  /** Sealed; null until the facts were rendered. */
  readonly payload: Buffer | null;
  readonly facts: unknown;
  /** `data`, being rendered from the facts. */
  rendering?: Promise<{ readonly text: string; readonly describes: readonly PersonId[] } | Error>;
  readonly once: boolean;
  readonly decision: string | null;
  readonly created_at: Date;
  /** Attempts made before this one. */
  readonly attempts: number;
  /** Retries so far, counted from the first attempt or from the operator's resend. */
  readonly retries: number;
  readonly is_first: boolean;
  /** It has no endpoint to be sent to, and is skipped or left to a listener. */
  readonly is_ended: boolean;
  /** It was leased before, so it may have been sent, or was left to a listener. */
  readonly was_leased: boolean;
  /** The lease of its resource's queue. */
  readonly lease: QueueLease;
  /** Its attempt takes so long that the next event of its resource no longer waits for the response. */
  mayBeOvertaken?: boolean;
}

/** The lease of the queue of one resource: until it ends, only this process sends the resource's events. */
export interface QueueLease extends Lease {
  /** The resource. */
  readonly key: string;
  /** The events in hand that are not finished. */
  readonly events: Set<ClaimedEvent>;
  /** The queue's count of added events at which all its first attempts were in hand; undefined: unknown. */
  added?: bigint | undefined;
  /** A statement that may end the lease is under way. */
  isSettling?: boolean;
  /** More events are being claimed: the lease does not end before they are known. */
  isClaiming?: boolean;
  /** A result could not be recorded: the lease is left to expire, because the event may have been sent. */
  isBroken?: boolean;
}

/** The trace in which an event was emitted, if traces were kept then. */
export async function findTraceparent(
  run: Run,
  { platform_id, id }: Pick<ClaimedEvent, 'platform_id' | 'id'>,
): Promise<string | undefined> {
  const [row] = await run<{ traceparent: string | null }>(
    sql`select traceparent from events where platform_id = ${platform_id} and id = ${id}`,
  );
  return row?.traceparent ?? undefined;
}

/** The owner of the results that listeners report: they need no lease. */
export const LISTENERS = '00000000-0000-0000-0000-000000000001';

/** The recorded result of one attempt. */
export interface AttemptResult {
  readonly event: Pick<ClaimedEvent, 'platform_id' | 'id' | 'resource_id'> & {
    readonly lease: Pick<QueueLease, 'owner'>;
  };
  readonly attempt: number;
  /** `RETRY` becomes `EXHAUSTED` when the next attempt would come too late (platform.md §4.2.3). */
  readonly outcome: Outcome;
  readonly delayMs: number;
  /** The payload rendered from the facts for this attempt, sealed. Later attempts send the same. */
  readonly payload?: Buffer | undefined;
  /** Absent when nothing was sent. */
  readonly sent?: {
    readonly at: Date;
    /** Sealed. */
    readonly url: Buffer;
    readonly durationMs: number;
    readonly status: number | undefined;
    readonly error: string | undefined;
    /** Sealed. */
    readonly response: Buffer | undefined;
  };
}

/**
 * Records attempts and the new states of their events, in one statement. Only the owner of the queue's lease can schedule
 * a retry; a delivery is recorded from any process. Retries are scheduled in the platform's business time. Returns the
 * events that were changed (record_webhooks in claim-webhooks.sql).
 *
 * The queue is locked so that no other process leases it meanwhile, and new events can still be added. A rendered payload
 * is stored only from the owner of the lease. An answer is stored only together with a change of the event, and not if its
 * payload was dropped: an erasure ends the leases of events that may have been rendered with the name of the customer
 * (customers.md §2.4.26b).
 */
export function recordAttempts(
  run: Run,
  now: Date,
  items: readonly AttemptResult[],
): Promise<{ id: EventId; state: string }[]> {
  return run(recordStatement(now, items));
}

export function recordStatement(now: Date, items: readonly AttemptResult[]): Sql {
  const sent = items.map((item) => item.sent);
  return sql`
    select r.id, r.state from record_webhooks(
      ${now}, ${GIVE_UP_AFTER_MS} * interval '1 millisecond', ${LISTENERS},
      ${items.map((item) => item.event.platform_id)}::uuid[],
      ${items.map((item) => item.event.id)}::uuid[],
      ${items.map((item) => item.event.resource_id)}::text[],
      ${items.map((item) => item.event.lease.owner)}::uuid[],
      ${items.map((item) => item.attempt)}::integer[],
      ${items.map((item) => stateAfter(item.outcome))}::text[],
      ${items.map((item) => Math.round(item.delayMs))}::integer[],
      ${sent.map((row) => row?.at ?? null)}::timestamptz[],
      ${sent.map((row) => row?.url ?? null)}::bytea[],
      ${sent.map((row) => row?.durationMs ?? null)}::integer[],
      ${sent.map((row) => row?.status ?? null)}::smallint[],
      ${sent.map((row) => row?.error ?? null)}::text[],
      ${sent.map((row) => row?.response ?? null)}::bytea[],
      ${items.map((item) => item.payload ?? null)}::bytea[]) r`;
}
