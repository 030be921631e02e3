import { platformsOf } from '#capabilities/connectors/call-store.ts';
import type {
  RequestChanges,
  RequestKind,
  RequestRow,
} from '#capabilities/connectors/requests/request-row.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';

const COLUMNS = sql`
  r.platform_id, r.kind, r.subject, r.customer_id, r.status, r.connector_id, r.currency, r.account_types, r.body, r.state,
  r.closes, r.call_at, r.caller, r.silences, r.created_at, r.asked_at, r.acknowledged_at, r.ended_at`;
const TABLE = sql`connector_requests o`;

export interface NewRequest
  extends Pick<RequestRow, 'kind' | 'subject' | 'customer_id' | 'currency' | 'account_types'> {
  readonly body: Buffer;
}

/** Stores a request that waits for a route. It replaces one that has ended, and leaves one that is open as it is. */
export async function insertRequest(tx: Tx, request: NewRequest, now: Date): Promise<void> {
  const { kind, subject, customer_id, currency, account_types, body } = request;
  await tx.sql`
    insert into connector_requests
      (platform_id, kind, subject, customer_id, status, currency, account_types, body, call_at, created_at)
    values (${tx.platformId}, ${kind}, ${subject}, ${customer_id}, 'WAITING', ${currency}, ${account_types}::text[],
            ${body}, ${now}, ${now})
        on conflict (platform_id, kind, subject) do update
       set status = 'WAITING', connector_id = null, account_types = excluded.account_types, body = excluded.body,
           state = null, call_at = excluded.call_at, caller = null, caller_until = null, silences = 0,
           created_at = excluded.created_at, asked_at = null, acknowledged_at = null, ended_at = null
     where connector_requests.status in ('ENDED', 'BY_HAND') and not connector_requests.closes`;
}

export async function lockRequest(
  tx: Tx,
  kind: RequestKind,
  subject: string,
): Promise<RequestRow | undefined> {
  const [row] = await tx.sql<RequestRow>`
    select ${COLUMNS} from connector_requests r
     where r.platform_id = ${tx.platformId} and r.kind = ${kind} and r.subject = ${subject} for update`;
  return row;
}

/** The platforms of these subjects that a connector was asked about. */
export async function findRequestPlatforms(
  run: Run,
  connectorId: string,
  subjects: readonly string[],
): Promise<Map<string, PlatformId>> {
  const rows = await run<{ subject: string; platform_id: PlatformId }>(sql`
    select r.subject, r.platform_id from connector_requests r
     where r.subject = any(${subjects}::uuid[]) and r.connector_id = ${connectorId} and r.asked_at is not null`);
  return new Map(rows.map((row) => [row.subject, row.platform_id]));
}

export type UnroutedRequest = Pick<RequestRow, 'platform_id' | 'kind' | 'subject' | 'silences'>;

/** Requests that wait for a route: of each platform the longest waiting first. */
export function listUnroutedRequests(run: Run, now: Date, limit: number): Promise<UnroutedRequest[]> {
  return run<UnroutedRequest>(sql`
    with recursive platform (platform_id) as (${platformsOf(sql`o.status = 'WAITING'`, { from: TABLE })})
    select due.platform_id, due.kind, due.subject, due.silences
      from platform p
     cross join lateral (
       select r.platform_id, r.kind, r.subject, r.silences, r.call_at, row_number() over (order by r.call_at) as turn
         from connector_requests r
        where r.platform_id = p.platform_id and r.status = 'WAITING' and r.call_at <= ${now}
        order by r.call_at limit ${limit}) due
     order by due.turn, due.call_at limit ${limit}`);
}

/** Takes requests that were not sent yet from connectors that are paused, down or removed. */
export async function unrouteStoppedRequests(run: Run, now: Date): Promise<void> {
  await run(sql`
    update connector_requests r set status = 'WAITING', connector_id = null, call_at = ${now}
      from connectors c
     where r.status = 'ROUTED' and c.id = r.connector_id
       and (c.paused_because is not null or c.down_since is not null or c.removed_at is not null)`);
}

export async function routeRequest(tx: Tx, row: RequestRow, connectorId: string, now: Date): Promise<void> {
  await tx.sql`
    update connector_requests set status = 'ROUTED', connector_id = ${connectorId}, call_at = ${now}, silences = 0
     where platform_id = ${tx.platformId} and kind = ${row.kind} and subject = ${row.subject}`;
}

/** Changes a request, and ends the call of the worker that makes the change. */
export async function changeRequest(
  tx: Tx,
  { kind, subject }: Pick<RequestRow, 'kind' | 'subject'>,
  row: RequestRow,
  changes: RequestChanges,
): Promise<void> {
  const next = { ...row, ...changes };
  await tx.sql`
    update connector_requests
       set status = ${next.status}, state = ${next.state}, call_at = ${next.call_at}, silences = ${next.silences},
           acknowledged_at = ${next.acknowledged_at}, ended_at = ${next.ended_at}, caller = null, caller_until = null
     where platform_id = ${tx.platformId} and kind = ${kind} and subject = ${subject}`;
}

/** The accounts were closed here: what was sent is closed there, too, and what was not sent is not needed any more. */
export async function closeRequests(tx: Tx, accountIds: readonly AccountId[], now: Date): Promise<void> {
  await tx.sql`
    update connector_requests
       set closes = true,
           status = case when asked_at is null then 'ENDED' when status = 'CONFLICT' then status else 'TAKEN' end,
           call_at = case when asked_at is null or status = 'CONFLICT' then null else ${now}::timestamptz end,
           ended_at = case when asked_at is null then ${now}::timestamptz when status = 'CONFLICT' then ended_at end
     where platform_id = ${tx.platformId} and kind = 'ACCOUNT' and subject = any(${accountIds}::uuid[])
       and status <> 'BY_HAND' and state is distinct from 'REFUSED'`;
}

export interface RequestWish {
  readonly caller: string;
  readonly now: Date;
  readonly until: Date;
  readonly limit: number;
}

/** Leases requests of one connector that are due, for one worker. Platforms take turns. */
export function claimRequests(
  run: Run,
  connectorId: string,
  { caller, now, until, limit }: RequestWish,
): Promise<RequestRow[]> {
  const open = sql`o.connector_id = ${connectorId} and o.call_at is not null`;
  return run<RequestRow>(sql`
    with recursive platform (platform_id) as (${platformsOf(open, { from: TABLE })}),
    due as (
      select next.* from platform p
       cross join lateral (
         select r.platform_id, r.kind, r.subject, r.call_at, row_number() over (order by r.call_at) as turn
           from connector_requests r
          where r.platform_id = p.platform_id and r.connector_id = ${connectorId} and r.call_at <= ${now}
            and (r.caller_until is null or r.caller_until <= ${now})
          order by r.call_at limit ${limit}) next
       order by next.turn, next.call_at limit ${limit})
    update connector_requests r
       set caller = ${caller}, caller_until = ${until}, asked_at = coalesce(r.asked_at, ${now}::timestamptz),
           status = case r.status when 'ROUTED' then 'ASKED' else r.status end
      from due
     where r.platform_id = due.platform_id and r.kind = due.kind and r.subject = due.subject and r.call_at is not null
       -- Read again if the row has changed meanwhile.
       and (r.caller_until is null or r.caller_until <= ${now})
    returning ${COLUMNS}`);
}

/** Destroys the bytes of requests that ended before this moment. */
export async function destroyRequestBodies(tx: Tx, endedBefore: Date, rowsMax: number): Promise<number> {
  const rows = await tx.sql`
    update connector_requests set body = null
     where (platform_id, kind, subject) in (
       select platform_id, kind, subject from connector_requests
        where platform_id = ${tx.platformId} and ended_at < ${endedBefore} and body is not null limit ${rowsMax})
    returning subject`;
  return rows.length;
}
