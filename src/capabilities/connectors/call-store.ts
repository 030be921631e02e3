import { ORDER_COLUMNS } from '#capabilities/connectors/order-store.ts';
import type { OrderCall, OrderRow } from '#capabilities/connectors/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';

/** The calls that the worker of connectors has to make. Platforms take turns, whatever the others have waiting. */

/**
 * The platforms that have orders of this kind, each found by one look into an index whose first free column is the
 * platform.
 */
export function platformsOf(
  condition: Sql,
  { name = sql`platform`, from = sql`connector_orders o` }: { name?: Sql; from?: Sql } = {},
): Sql {
  return sql`
    (select o.platform_id from ${from} where ${condition} order by o.platform_id limit 1)
    union all
    select (select o.platform_id from ${from}
             where ${condition} and o.platform_id > p.platform_id order by o.platform_id limit 1)
      from ${name} p where p.platform_id is not null`;
}

export type UnroutedOrder = Pick<OrderRow, 'platform_id' | 'id' | 'silences'>;

/** Orders that wait for a route: of each platform the longest waiting first. */
export function listUnrouted(run: Run, now: Date, limit: number): Promise<UnroutedOrder[]> {
  return run<UnroutedOrder>(sql`
    with recursive platform (platform_id) as (${platformsOf(sql`o.status = 'WAITING'`)})
    select due.platform_id, due.id, due.silences
      from platform p
     cross join lateral (
       select o.platform_id, o.id, o.silences, o.call_at, row_number() over (order by o.call_at) as turn
         from connector_orders o
        where o.platform_id = p.platform_id and o.status = 'WAITING' and o.call_at <= ${now}
        order by o.call_at limit ${limit}) due
     order by due.turn, due.call_at limit ${limit}`);
}

/**
 * Takes orders that were not sent yet from connectors that are paused, down or removed, so that they find another
 * route.
 */
export async function unrouteStopped(run: Run, now: Date): Promise<void> {
  await run(sql`
    update connector_orders o
       set status = 'WAITING', connector_id = null, settlement_account = null, body = null, call = null, call_at = ${now}
      from connectors c
     where o.status = 'ROUTED' and o.call is not null and c.id = o.connector_id
       and (c.paused_because is not null or c.down_since is not null or c.removed_at is not null)`);
}

export interface ClaimedCall {
  readonly order: OrderRow;
  readonly call: OrderCall;
}

export interface ClaimWish {
  readonly caller: string;
  readonly now: Date;
  readonly until: Date;
  readonly limit: number;
  /** How many orders may be sent within this second. */
  readonly sendsMax: number;
  /** The store that gets the orders. */
  readonly store: string;
}

/**
 * Leases calls of one connector that are due, for one worker. Platforms take turns. An order that is sent for the first
 * time counts as asked from now on: if this process dies, nobody knows whether the bytes have left.
 */
export async function claimCalls(run: Run, connectorId: string, wish: ClaimWish): Promise<ClaimedCall[]> {
  const { caller, now, until, limit, sendsMax, store } = wish;
  const rows = await run<OrderRow & { made: OrderCall }>(sql`
    with recursive ${dueCalls(connectorId, wish, { isSend: true, limit: Math.min(limit, sendsMax) })},
         ${dueCalls(connectorId, wish, { isSend: false, limit })},
    chosen as (
      select platform_id, id, call from (select * from due_sends union all select * from due_questions) due
       order by turn, call_at limit ${limit})
    update connector_orders o
       set caller = ${caller}, caller_until = ${until}, status = case o.status when 'ROUTED' then 'ASKED' else o.status end,
           asked_at = coalesce(o.asked_at, case chosen.call when 'PUT' then ${now}::timestamptz end),
           asked_store = case chosen.call when 'PUT' then ${store} else o.asked_store end,
           call = case chosen.call when 'PUT' then 'GET' else chosen.call end
      from chosen
     where o.platform_id = chosen.platform_id and o.id = chosen.id
       -- Both are read again if the row has changed meanwhile.
       and o.call = chosen.call and (o.caller_until is null or o.caller_until <= ${now})
    returning ${ORDER_COLUMNS}, chosen.call as made`);
  return rows.map(({ made, ...order }) => ({ order, call: made }));
}

/** The next calls of each platform: those that send an order, or those that ask about one. */
function dueCalls(
  connectorId: string,
  { now }: ClaimWish,
  { isSend, limit }: { isSend: boolean; limit: number },
): Sql {
  const condition = sql`o.connector_id = ${connectorId} and o.call is not null and (o.call = 'PUT') = ${isSend}::boolean`;
  const [platform, due] = isSend ? [sql`sending`, sql`due_sends`] : [sql`asking`, sql`due_questions`];
  return sql`
    ${platform} (platform_id) as (${platformsOf(condition, { name: platform })}),
    ${due} as (
      select next.* from ${platform} p
       cross join lateral (
         select o.platform_id, o.id, o.call, o.call_at, row_number() over (order by o.call_at) as turn
           from connector_orders o
          where o.platform_id = p.platform_id and ${condition} and o.call_at <= ${now}
            and (o.caller_until is null or o.caller_until <= ${now})
          order by o.call_at limit ${limit}) next
       order by next.turn, next.call_at limit ${limit})`;
}

/** How many calls of a connector are leased at the moment. */
export async function countCalls(run: Run, connectorId: string, now: Date): Promise<number> {
  const [row] = await run<{ count: bigint }>(sql`
    select (select count(*) from connector_orders
             where connector_id = ${connectorId} and call is not null and caller_until > ${now})
           + (select count(*) from connector_requests
               where connector_id = ${connectorId} and call_at is not null and caller_until > ${now}) as count`);
  return Number(row?.count ?? 0n);
}

/** Connectors that have calls due. */
export async function listDueConnectors(run: Run, now: Date): Promise<string[]> {
  const rows = await run<{ id: string }>(sql`
    select c.id from connectors c
     where c.removed_at is null
       and (exists (
              select from connector_orders o
               where o.connector_id = c.id and o.call is not null and o.call_at <= ${now}
                 and (o.caller_until is null or o.caller_until <= ${now}))
            or exists (
              select from connector_requests r
               where r.connector_id = c.id and r.call_at <= ${now}
                 and (r.caller_until is null or r.caller_until <= ${now})))`);
  return rows.map(({ id }) => id);
}

/** A store that the connector has changed to is asked about every open order (connectors.md §2.8). */
export async function askAboutAll(run: Run, connectorId: string, now: Date): Promise<void> {
  await run(sql`
    update connector_orders set call = 'GET', call_at = ${now}, caller = null, caller_until = null
     where connector_id = ${connectorId} and status in ('ASKED', 'TAKEN')`);
}

/** The connector is asked about an order that it has, where what it reported cannot be read. */
export async function askAbout(run: Run, connectorId: string, reference: string, now: Date): Promise<void> {
  await run(sql`
    update connector_orders set call = 'GET', call_at = ${now}
     where connector_id = ${connectorId} and reference = ${reference} and status = 'TAKEN' and call = 'GET'`);
}
