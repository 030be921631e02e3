import type { Run } from '#database/database.ts';
import { type Sql, sql } from '#database/sql.ts';
import type { Tx } from '#database/tx.ts';
import type { Environment } from '#lib/platform.ts';

/** An event this process has leased, with what it takes to send it. */
export interface Claimed {
  readonly platform_id: string;
  readonly environment: Environment;
  /** Sealed. None: the attempt cannot be made (only questions come this far). */
  readonly endpoint: Buffer | null;
  /** Sealed. */
  readonly private_key: Buffer;
  readonly id: string;
  readonly seq: bigint;
  readonly type: string;
  readonly resource_id: string;
  /** Sealed; null until the facts were rendered. */
  readonly payload: Buffer | null;
  readonly facts: unknown;
  /** `data` in the making, from the facts. */
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
  /** Later with every renewal. */
  leased_until: Date;
  /** Its attempt has gone on for so long that the next event of its resource need not wait for the answer. */
  isOut?: boolean;
}

export interface Claim {
  readonly now: Date;
  readonly until: Date;
  readonly owner: string;
  /** One platform, or all of them beginning after `after`. */
  readonly only?: string | undefined;
  readonly after?: string | undefined;
  /** How much more this process takes for a platform that is not in its usual state, and for any other. */
  readonly room: ReadonlyMap<string, Capacity>;
  readonly usualRoom: Capacity;
  readonly rowsMax: number;
}

export interface Capacity {
  /** Events that may go out at once: each of another resource, or a retry. */
  readonly events: number;
  /** Events that wait behind one of their own resource. */
  readonly behind: number;
  readonly questions: number;
}

export interface ClaimResult {
  readonly claimed: Claimed[];
  readonly stoppedAt: string | undefined;
  /** Events of platforms without an endpoint. */
  readonly skipped: number;
}

/** Platforms visited by one claim. */
const PLATFORMS_MAX = 250;
/** Leases what is due (claim-webhooks.sql), in event order. */
export async function claimWebhooks(run: Run, claim: Claim): Promise<ClaimResult> {
  const rooms = [...claim.room.values()];
  const rows = await run<Claimed & { stopped_at: string | null; skipped: number | null }>(sql`
    select * from claim_webhooks(
      ${claim.now}, ${claim.until}, ${claim.owner}, ${claim.only ?? null}, ${claim.after ?? null},
      ${[...claim.room.keys()]}::uuid[], ${rooms.map(({ events }) => events)}::integer[],
      ${rooms.map(({ behind }) => behind)}::integer[], ${rooms.map(({ questions }) => questions)}::integer[],
      ${claim.usualRoom.events}, ${claim.usualRoom.behind}, ${claim.usualRoom.questions},
      ${claim.rowsMax}, ${PLATFORMS_MAX})`);
  const end = rows.pop();
  const lease = { claimed_at: claim.now, leased_until: claim.until, lease_owner: claim.owner };
  const claimed = rows.map((row) => ({ ...row, ...lease })).sort((a, b) => (a.seq < b.seq ? -1 : 1));
  return { claimed, stoppedAt: end?.stopped_at ?? undefined, skipped: end?.skipped ?? 0 };
}

/** What came of one attempt. */
export interface Attempted {
  readonly event: Pick<Claimed, 'platform_id' | 'id' | 'lease_owner'>;
  readonly attempt: number;
  /** `RETRY` becomes `EXHAUSTED` when the next attempt would come too late (platform.md §4.2.3). */
  readonly outcome: 'DELIVERED' | 'ACKED_DUPLICATE' | 'EXHAUSTED' | 'RETRY';
  readonly delayMs: number;
  /** Sealed: what was rendered of the facts for this attempt. From its record on it is the event. */
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
 * Records attempts and where their events stand now, in one statement. Only the lease's owner decides when to
 * try again; that a receiver took an event is true whoever says so. Times of retries are the platform's.
 * Returns the events that were still to be decided about. The look-ups are written so that no plan, however
 * little it knows of the table, reaches an event by anything but its key.
 */
export async function recordAttempts(
  run: Run,
  now: Date,
  items: Attempted[],
): Promise<{ id: string; state: string }[]> {
  return run(sql`
    with given as (${givenRows(items)}),
    logged as (
      insert into webhook_attempts
        (platform_id, event_id, attempt, at, url, duration_ms, status, error, response)
      select platform_id, id, attempt, at, url, duration_ms, status, error, response from given where at is not null
      on conflict do nothing),
    judged as materialized (
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
         and e.attempts = g.attempt - 1)
    update events e
       set state = j.state, attempts = j.attempt, first_attempt_at = j.first_at,
           retries = j.retries + 1,
           payload = coalesce(e.payload, j.payload),
           facts = case when j.payload is null then e.facts end,
           next_attempt_at = case when j.state = 'PENDING' then j.next_at end,
           finished_at = case when j.state = 'PENDING' then null else ${now}::timestamptz end,
           lease_owner = null, leased_until = null
      from judged j
     where e.platform_id = j.platform_id and e.id = j.id and e.state = 'PENDING' and e.attempts = j.attempt - 1
       -- Asked again of the row as it is now: it may have been taken over while it was waited for.
       and (e.lease_owner = j.owner or j.state in ('DELIVERED', 'ACKED_DUPLICATE'))
    returning e.id, e.state`);
}

function givenRows(items: Attempted[]): Sql {
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

/** Gives back what was leased and not sent, for anyone to take. */
export async function releaseEvents(run: Run, leased: readonly Claimed[]): Promise<void> {
  await run(sql`
    update events e set lease_owner = null, leased_until = null
      from ${givenLeases(leased)}
     where e.platform_id = g.platform_id and e.id = g.id and e.lease_owner = g.owner and e.state = 'PENDING'`);
}

/**
 * Makes leases last until then; tells which ones do. An event that is out for long leaves the order of first attempts:
 * its own has begun, and what follows need not wait for the answer. It then stands among the retries that are due, in
 * the hand of whoever has it. Nobody is waited for: a row that is being recorded, or taken by somebody else because its
 * lease ran out, stays as it is.
 */
export function renewLeases(
  run: Run,
  { now, until }: { readonly now: Date; readonly until: Date },
  leased: readonly Claimed[],
): Promise<{ id: string }[]> {
  return run(sql`
    with mine as materialized (
      select e.platform_id, e.id,
             case when g.is_out and e.next_attempt_at is null
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

/** As `g`, with the whole key, so that rows are reached by it whatever a plan believes about the table's size. */
function givenLeases(leased: readonly Claimed[]): Sql {
  return sql`unnest(
      ${leased.map((event) => event.platform_id)}::uuid[], ${leased.map((event) => event.id)}::uuid[],
      ${leased.map((event) => event.lease_owner)}::uuid[], ${leased.map((event) => event.isOut === true)}::boolean[]
    ) as g(platform_id, id, owner, is_out)`;
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

/** Whether a first attempt is outstanding or a retry is due, in whoever's hands; `p` is the platform. */
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

/** A TEST event that is sent by the caller itself and by nobody else. */
export async function insertOwnTest(
  tx: Tx,
  event: { id: string; resourceId: string; payload: Buffer; owner: string; until: Date },
): Promise<void> {
  await tx.sql`
    insert into events
      (platform_id, id, type, resource_id, payload, once, created_at, lease_owner, leased_until)
    values (${tx.platformId}, ${event.id}, 'TEST', ${event.resourceId}, ${event.payload}, true, ${tx.now},
            ${event.owner}, ${event.until})`;
}
