import type { Run } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Environment } from '#foundation/lib/platform.ts';

/** An event that this process has leased, with everything it needs to send it. */
export interface ClaimedEvent {
  readonly platform_id: string;
  readonly environment: Environment;
  /** Sealed. Null if none is configured: then only questions are claimed, and decided without being sent. */
  readonly endpoint: Buffer | null;
  /** The signing key, sealed. */
  readonly key_id: string;
  readonly private_key: Buffer;
  readonly id: string;
  readonly seq: bigint;
  readonly type: string;
  readonly resource_id: string;
  /** Sealed; null until the facts were rendered. */
  readonly payload: Buffer | null;
  readonly facts: unknown;
  /** `data`, being rendered from the facts. */
  rendering?: Promise<string | Error>;
  readonly once: boolean;
  readonly decision: string | null;
  readonly created_at: Date;
  /** Attempts made before this one. */
  readonly attempts: number;
  /** Retries so far, counted from the first attempt or from the operator's resend. */
  readonly retries: number;
  readonly is_first: boolean;
  readonly was_leased: boolean;
  /** More first attempts of the resource wait than were claimed with this one. */
  readonly has_more: boolean;
  readonly claimed_at: Date;
  readonly lease_owner: string;
  /** Extended by every renewal. */
  leased_until: Date;
  /** Its attempt takes so long that the next event of its resource no longer waits for the response. */
  mayBeOvertaken?: boolean;
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

export interface ClaimRequest {
  readonly now: Date;
  readonly until: Date;
  readonly owner: string;
  /** One platform, or all of them beginning after `after`. */
  readonly only?: string | undefined;
  readonly after?: string | undefined;
  /** How many more events this process takes for the named platforms, and for each of the others. */
  readonly capacity: ReadonlyMap<string, Capacity>;
  readonly defaultCapacity: Capacity;
  readonly rowsMax: number;
  /** How long a question waits for a listener's answer. */
  readonly questionMs: number;
}

/** The lease owner of a question that waits for a listener's answer: all listeners together. */
export const LISTENERS = '00000000-0000-0000-0000-000000000001';

export interface Capacity {
  /** Events that can be sent at once: each of a different resource, or a retry. */
  readonly events: number;
  /** Events that wait for an earlier event of their resource. */
  readonly blocked: number;
  readonly questions: number;
}

export interface ClaimResult {
  readonly claimed: ClaimedEvent[];
  readonly stoppedAt: string | undefined;
  /** Events of platforms without an endpoint. */
  readonly skipped: number;
}

/** Platforms visited by one claim. */
const PLATFORMS_MAX = 250;

/** Leases events that are due (claim-webhooks.sql), in event order. */
export async function claimWebhooks(run: Run, claim: ClaimRequest): Promise<ClaimResult> {
  const capacities = [...claim.capacity.values()];
  const rows = await run<ClaimedEvent & { stopped_at: string | null; skipped: number | null }>(sql`
    select * from claim_webhooks(
      ${claim.now}, ${claim.until}, ${claim.owner}, ${claim.only ?? null}, ${claim.after ?? null},
      ${[...claim.capacity.keys()]}::uuid[], ${capacities.map(({ events }) => events)}::integer[],
      ${capacities.map(({ blocked }) => blocked)}::integer[], ${capacities.map(({ questions }) => questions)}::integer[],
      ${claim.defaultCapacity.events}, ${claim.defaultCapacity.blocked}, ${claim.defaultCapacity.questions},
      ${claim.rowsMax}, ${PLATFORMS_MAX}, ${claim.questionMs} * interval '1 millisecond', ${LISTENERS})`);
  const end = rows.pop();
  const lease = { claimed_at: claim.now, leased_until: claim.until, lease_owner: claim.owner };
  const claimed = rows.map((row) => ({ ...row, ...lease })).sort((a, b) => (a.seq < b.seq ? -1 : 1));
  return { claimed, stoppedAt: end?.stopped_at ?? undefined, skipped: end?.skipped ?? 0 };
}

/** The recorded result of one attempt. */
export interface AttemptResult {
  readonly event: Pick<ClaimedEvent, 'platform_id' | 'id' | 'lease_owner'>;
  readonly attempt: number;
  /** `RETRY` becomes `EXHAUSTED` when the next attempt would come too late (platform.md §4.2.3). */
  readonly outcome: 'DELIVERED' | 'ACKED_DUPLICATE' | 'EXHAUSTED' | 'RETRY';
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

const GIVE_UP_AFTER = '7 days';

/**
 * Records attempts and the new states of their events, in one statement. Only the owner of the lease can schedule a
 * retry; a delivery is recorded from any process. Retries are scheduled in the platform's business time. Returns the
 * events that were changed. The look-ups are written so that every plan, even one made while the table was empty, finds
 * an event by its key.
 *
 * A rendered payload is stored only from the owner of the lease. An answer is stored only together with a change of the
 * event, and not if its payload was dropped: an erasure ends the leases of events that may have been rendered with the
 * name of the customer (customers.md §2.4.26b).
 */
export async function recordAttempts(
  run: Run,
  now: Date,
  items: AttemptResult[],
): Promise<{ id: string; state: string }[]> {
  return run(sql`
    with given as (${givenRows(items)}),
    outcomes as materialized (
      select g.platform_id, g.id, g.owner, g.attempt, g.payload, e.retries, t.first_at, t.next_at,
             case when g.outcome <> 'RETRY' then g.outcome
                  when t.next_at > t.first_at + ${GIVE_UP_AFTER}::interval then 'EXHAUSTED'
                  else 'PENDING' end as state
        from given g
       cross join lateral (select clock_offset_ms from platforms where id = g.platform_id limit 1) p
       cross join lateral (
         select * from events where platform_id = g.platform_id and id = g.id limit 1) e
       cross join lateral (
         select coalesce(e.first_attempt_at,
                         coalesce(g.at, ${now}::timestamptz) + p.clock_offset_ms * interval '1 millisecond') as first_at,
                ${now}::timestamptz + (p.clock_offset_ms + g.delay_ms) * interval '1 millisecond' as next_at) t
       where e.state = 'PENDING' and (e.lease_owner = g.owner or g.outcome in ('DELIVERED', 'ACKED_DUPLICATE'))
         and e.attempts = g.attempt - 1),
    changed as (
      update events e
         set state = j.state, attempts = j.attempt, first_attempt_at = j.first_at,
             retries = j.retries + 1,
             payload = case when e.lease_owner = j.owner then coalesce(e.payload, j.payload) else e.payload end,
             facts = case when j.payload is null or e.lease_owner is distinct from j.owner then e.facts end,
             next_attempt_at = case when j.state = 'PENDING' then j.next_at end,
             finished_at = case when j.state = 'PENDING' then null else ${now}::timestamptz end,
             lease_owner = null, leased_until = null
        from outcomes j
       where e.platform_id = j.platform_id and e.id = j.id and e.state = 'PENDING' and e.attempts = j.attempt - 1
         -- Checked again on the locked row: another process may have taken it over while this statement waited.
         and (e.lease_owner = j.owner or j.state in ('DELIVERED', 'ACKED_DUPLICATE'))
      returning e.platform_id, e.id, e.state, j.payload is null or e.payload is not null as keeps_response),
    -- After the change, and so based on the locked row, too.
    logged as (
      insert into webhook_attempts
        (platform_id, event_id, attempt, at, url, duration_ms, status, error, response)
      select g.platform_id, g.id, g.attempt, g.at, g.url, g.duration_ms, g.status, g.error,
             case when c.keeps_response then g.response end
        from given g left join changed c on c.platform_id = g.platform_id and c.id = g.id
       where g.at is not null
      on conflict do nothing)
    select id, state from changed`);
}

function givenRows(items: AttemptResult[]): Sql {
  const sent = items.map((item) => item.sent);
  return sql`
    select * from unnest(
      ${items.map((item) => item.event.platform_id)}::uuid[],
      ${items.map((item) => item.event.id)}::uuid[],
      ${items.map((item) => item.event.lease_owner)}::uuid[],
      ${items.map((item) => item.attempt)}::integer[],
      ${items.map((item) => item.outcome)}::text[],
      ${items.map((item) => Math.round(item.delayMs))}::integer[],
      ${sent.map((row) => row?.at ?? null)}::timestamptz[],
      ${sent.map((row) => row?.url ?? null)}::bytea[],
      ${sent.map((row) => row?.durationMs ?? null)}::integer[],
      ${sent.map((row) => row?.status ?? null)}::smallint[],
      ${sent.map((row) => row?.error ?? null)}::text[],
      ${sent.map((row) => row?.response ?? null)}::bytea[],
      ${items.map((item) => item.payload ?? null)}::bytea[]
    ) as t(platform_id, id, owner, attempt, outcome, delay_ms, at, url, duration_ms, status, error, response, payload)`;
}

/** Ends the leases of events that were not sent, so that any process can claim them. */
export async function releaseEvents(run: Run, leased: readonly ClaimedEvent[]): Promise<void> {
  await run(sql`
    update events e set lease_owner = null, leased_until = null
      from ${givenLeases(leased)}
     where e.platform_id = g.platform_id and e.id = g.id and e.lease_owner = g.owner and e.state = 'PENDING'`);
}

/**
 * Extends leases, and returns the ids of those that it extended. An event whose first attempt takes long leaves the
 * order of first attempts, so that the next event of its resource need not wait for the response: from then on it
 * counts as a retry that is due, and is still leased. Rows that are locked are skipped: they are being recorded, or
 * claimed by another process because the lease has expired.
 */
export function renewLeases(
  run: Run,
  { now, until }: { readonly now: Date; readonly until: Date },
  leased: readonly ClaimedEvent[],
): Promise<{ id: string }[]> {
  return run(sql`
    with mine as materialized (
      select e.platform_id, e.id,
             case when g.may_be_overtaken and e.next_attempt_at is null
                  then ${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond'
                  else e.next_attempt_at end as next_attempt_at
        from ${givenLeases(leased)}
        join events e on e.platform_id = g.platform_id and e.id = g.id
        join platforms p on p.id = g.platform_id
       where e.lease_owner = g.owner and e.state = 'PENDING'
         for update of e skip locked)
    update events e set leased_until = ${until}, next_attempt_at = mine.next_attempt_at
      from mine where e.platform_id = mine.platform_id and e.id = mine.id
    returning e.id`);
}

/** The leases as table `g`, with the whole primary key, so that rows are looked up by it whatever the plan assumes. */
function givenLeases(leased: readonly ClaimedEvent[]): Sql {
  return sql`unnest(
      ${leased.map((event) => event.platform_id)}::uuid[], ${leased.map((event) => event.id)}::uuid[],
      ${leased.map((event) => event.lease_owner)}::uuid[], ${leased.map((event) => event.mayBeOvertaken === true)}::boolean[]
    ) as g(platform_id, id, owner, may_be_overtaken)`;
}

export async function duePlatforms(run: Run, now: Date): Promise<string[]> {
  const rows = await run<{ platform_id: string }>(sql`
    with recursive walk as (
      select null::uuid as platform_id, 0 as hop
      union all
      select least(
          (select e.platform_id from events e
            where e.state = 'PENDING' and e.next_attempt_at is null
              and e.platform_id > coalesce(w.platform_id, '00000000-0000-0000-0000-000000000000')
            order by e.platform_id, e.resource_id, e.seq limit 1),
          (select e.platform_id from events e
            where e.state = 'PENDING' and e.next_attempt_at is not null
              and e.platform_id > coalesce(w.platform_id, '00000000-0000-0000-0000-000000000000')
            order by e.platform_id, e.next_attempt_at limit 1)),
        w.hop + 1
        from walk w where w.hop = 0 or w.platform_id is not null)
    select w.platform_id from walk w join platforms p on p.id = w.platform_id
     where ${dueOn(sql`w.platform_id`, now)}`);
  return rows.map((row) => row.platform_id);
}

export async function isDue(run: Run, platformId: string, now: Date): Promise<boolean> {
  const rows = await run(sql`
    select 1 from platforms p where p.id = ${platformId} and ${dueOn(sql`p.id`, now)}`);
  return rows.length > 0;
}

/** Whether a first attempt is outstanding or a retry is due, leased or not; `p` is the platform. */
function dueOn(platformId: Sql, now: Date): Sql {
  return sql`(
    exists (select from events e
             where e.platform_id = ${platformId} and e.state = 'PENDING' and e.next_attempt_at is null)
    or exists (select from events e
             where e.platform_id = ${platformId} and e.state = 'PENDING'
               and e.next_attempt_at <= ${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond'))`;
}

export async function nextRetryAt(run: Run, platformId: string, after: Date): Promise<Date | undefined> {
  const [row] = await run<{ next_attempt_at: Date }>(sql`
    select next_attempt_at from events
     where platform_id = ${platformId} and state = 'PENDING' and next_attempt_at > ${after}
     order by next_attempt_at limit 1`);
  return row?.next_attempt_at;
}
