import type { OrderChanges } from '#capabilities/connectors/apply-report.ts';
import type { OrderRow } from '#capabilities/connectors/row.ts';
import type { OrderKind } from '#foundation/connector-protocol/capabilities.ts';
import type { Run } from '#foundation/database/database.ts';
import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

export const ORDER_COLUMNS = sql`
  o.platform_id, o.id, o.reference, o.transaction_id, o.customer_id, o.kind, o.status, o.connector_id,
  o.settlement_account, o.rail, o.amount, o.currency, o.body, o.state, o.state_at, o.reason, o.expected_at, o.bank_reference,
  o.transaction_hash, o.call, o.call_at, o.caller, o.silences, o.is_cancelled, o.not_taken_since, o.leaves, o.created_at,
  o.asked_at, o.asked_store, o.acknowledged_at, o.ended_at`;

export interface NewOrder {
  readonly platformId: PlatformId;
  readonly id: string;
  readonly reference: string;
  readonly transactionId: TransactionId;
  readonly customerId: CustomerId | null;
  readonly kind: OrderKind;
  readonly amount: bigint;
  readonly currency: string;
}

/** Stores an order that waits for a route. If the transaction has one of this kind already, nothing changes. */
export async function placeOrder(run: Run, order: NewOrder, now: Date): Promise<void> {
  await run(sql`
    insert into connector_orders
      (platform_id, id, reference, transaction_id, customer_id, kind, status, amount, currency, call_at, created_at)
    select ${order.platformId}, ${order.id}, ${order.reference}, ${order.transactionId}, ${order.customerId},
           ${order.kind}, 'WAITING', ${order.amount}, ${order.currency}, ${now}, ${now}
     where not exists (
       select from connector_orders o
        where o.platform_id = ${order.platformId} and o.transaction_id = ${order.transactionId} and o.kind = ${order.kind})
        on conflict (reference) where status <> 'LEFT' do nothing`);
}

/** Places the same order again, after a connector has cancelled it for good. */
export async function placeAgain(tx: Tx, order: OrderRow, id: string, now: Date): Promise<void> {
  await tx.sql`
    insert into connector_orders
      (platform_id, id, reference, transaction_id, customer_id, kind, status, amount, currency, call_at, is_cancelled, created_at)
    values (${order.platform_id}, ${id}, ${order.reference}, ${order.transaction_id}, ${order.customer_id},
            ${order.kind}, 'WAITING', ${order.amount}, ${order.currency}, ${now}, ${order.is_cancelled}, ${now})`;
}

export async function lockOrder(tx: Tx, id: string): Promise<OrderRow | undefined> {
  const [row] = await tx.sql<OrderRow>`
    select ${ORDER_COLUMNS} from connector_orders o where o.platform_id = ${tx.platformId} and o.id = ${id} for update`;
  return row;
}

/** The order that a connector knows under this reference; locked until the transaction ends. */
export async function lockOrderAt(
  tx: Tx,
  connectorId: string,
  reference: string,
): Promise<OrderRow | undefined> {
  const [row] = await tx.sql<OrderRow>`
    select ${ORDER_COLUMNS} from connector_orders o
     where o.platform_id = ${tx.platformId} and o.connector_id = ${connectorId} and o.reference = ${reference}
       for update`;
  return row;
}

/** The same without a lock, across platforms: a connector names no platform. */
export async function findOrderAt(
  run: Run,
  connectorId: string,
  reference: string,
): Promise<Pick<OrderRow, 'platform_id' | 'id'> | undefined> {
  const [row] = await run<Pick<OrderRow, 'platform_id' | 'id'>>(sql`
    select platform_id, id from connector_orders
     where connector_id = ${connectorId} and reference = ${reference} order by created_at desc limit 1`);
  return row;
}

/** The subject of a break, once it was sent to a connector. */
export interface OrderBreak extends Pick<OrderRow, 'transaction_id' | 'kind'> {
  /** The name of the connector. */
  connector: string;
  settlement_account: string;
  rail: string;
}

/** Finds the order of an open break of this platform, and locks both until the transaction ends. */
export async function lockOrderBreak(tx: Tx, breakId: string): Promise<OrderBreak | undefined> {
  const [row] = await tx.sql<OrderBreak>`
    select o.transaction_id, o.kind, o.settlement_account, o.rail, c.name as connector
      from connector_breaks b
      join connectors c on c.id = b.connector_id
      join connector_orders o on o.platform_id = b.platform_id and o.id = b.order_id
     where b.platform_id = ${tx.platformId} and b.id = ${breakId} and b.resolved_at is null
       and o.settlement_account is not null and o.rail is not null
       for update of b, o`;
  return row;
}

/** The platforms of these orders, across platforms: a connector names no platform. */
export async function findOrderPlatforms(
  run: Run,
  connectorId: string,
  references: readonly string[],
): Promise<Map<string, PlatformId>> {
  const rows = await run<{ reference: string; platform_id: PlatformId }>(sql`
    select reference, platform_id from connector_orders
     where connector_id = ${connectorId} and reference = any(${references}::uuid[])`);
  return new Map(rows.map((row) => [row.reference, row.platform_id]));
}

/** The orders of a transaction, in the order in which they were made. */
export function listOrders(tx: ReadTx, transactionId: TransactionId): Promise<OrderRow[]> {
  return tx.sql<OrderRow>`
    select ${ORDER_COLUMNS} from connector_orders o
     where o.platform_id = ${tx.platformId} and o.transaction_id = ${transactionId}
     order by o.created_at, o.id`;
}

/** The same, locked until the transaction ends. */
export function lockOrders(tx: Tx, transactionId: TransactionId): Promise<OrderRow[]> {
  return tx.sql<OrderRow>`
    select ${ORDER_COLUMNS} from connector_orders o
     where o.platform_id = ${tx.platformId} and o.transaction_id = ${transactionId}
     order by o.created_at, o.id for update`;
}

export interface Routed {
  readonly connectorId: string;
  readonly settlementAccount: string;
  readonly rail: string;
  readonly body: Buffer;
}

/** Commits connector, settlement account and bytes. Nothing was sent yet (connectors.md §4.1). */
export async function routeOrder(tx: Tx, id: string, route: Routed, now: Date): Promise<void> {
  await tx.sql`
    update connector_orders
       set status = 'ROUTED', connector_id = ${route.connectorId}, settlement_account = ${route.settlementAccount},
           rail = ${route.rail}, body = ${route.body}, call = 'PUT', call_at = ${now}, silences = 0
     where platform_id = ${tx.platformId} and id = ${id}`;
}

/** Ends an order of which no connector heard, or hands it to the operator. */
export async function endUnsent(tx: Tx, id: string, status: 'ENDED' | 'BY_HAND', now: Date): Promise<void> {
  await tx.sql`
    update connector_orders
       set status = ${status}, connector_id = null, settlement_account = null, body = null, call = null, call_at = null,
           ended_at = ${now}
     where platform_id = ${tx.platformId} and id = ${id}`;
}

/** The order is looked at again then. `silences` counts how often it was postponed. */
export async function postponeRoute(
  run: Run,
  { platform_id, id }: Pick<OrderRow, 'platform_id' | 'id'>,
  at: Date,
): Promise<void> {
  await run(sql`
    update connector_orders set call_at = ${at}, silences = silences + 1
     where platform_id = ${platform_id} and id = ${id} and status = 'WAITING'`);
}

/** The columns that a step may change, with the types of their values. */
const TYPES: Readonly<Record<keyof OrderChanges, string>> = {
  status: 'text',
  state: 'text',
  state_at: 'timestamptz',
  reason: 'text',
  expected_at: 'timestamptz',
  bank_reference: 'text',
  transaction_hash: 'text',
  call: 'text',
  call_at: 'timestamptz',
  silences: 'integer',
  not_taken_since: 'timestamptz',
  leaves: 'boolean',
  asked_store: 'text',
  acknowledged_at: 'timestamptz',
  ended_at: 'timestamptz',
};

/** Writes the changes, and ends the lease of the worker that made the call. */
export async function changeOrder(
  tx: Tx,
  id: string,
  changes: OrderChanges,
  { endsCall = false } = {},
): Promise<void> {
  const assignments: Sql[] = Object.entries(changes).map(
    ([name, value]) => sql`${rawSql(name)} = ${value}::${rawSql(TYPES[name as keyof OrderChanges])}`,
  );
  if (endsCall) assignments.push(sql`caller = null, caller_until = null`);
  if (assignments.length === 0) return;
  const all = assignments.reduce((left, right) => sql`${left}, ${right}`);
  await tx.sql`update connector_orders set ${all} where platform_id = ${tx.platformId} and id = ${id}`;
}

/** The platform wants the order cancelled. The worker asks from then on, unless the answer is recorded before. */
export async function wishCancelled(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.sql`
    update connector_orders set is_cancelled = true, call = 'CANCEL', call_at = ${at}
     where platform_id = ${tx.platformId} and id = ${id}`;
}

/** The platform of these orders, and whether one of them is open; across platforms. */
export async function findOrdersAt(
  run: Run,
  references: readonly string[],
): Promise<{ platformId: PlatformId; isOpen: boolean } | undefined> {
  const [row] = await run<{ platform_id: PlatformId; open: boolean }>(sql`
    select platform_id, bool_or(status in ('WAITING', 'ROUTED', 'ASKED', 'TAKEN', 'CONFLICT')) as open
      from connector_orders where reference = any(${references}::uuid[]) group by platform_id`);
  return row && { platformId: row.platform_id, isOpen: row.open };
}

/** Whether such an entry of the payment names another settlement account of a connector than this one. */
export async function isBookedElsewhere(
  tx: Tx,
  {
    transactionId,
    entries,
    account,
  }: { readonly transactionId: TransactionId; readonly entries: readonly string[]; readonly account: string },
): Promise<boolean> {
  const rows = await tx.sql`
    select 1 from ledger_entries e cross join lateral unnest(e.accounts) as a (account)
     where e.platform_id = ${tx.platformId} and e.transaction_id = ${transactionId}
       and ledger_kind(e.kind) = any(${entries}::text[])
       and a.account like 'RAIL:%.%:%' and split_part(a.account, ':', 3) <> ${account} limit 1`;
  return rows.length > 0;
}

/** Destroys the bytes of orders that ended long ago (connectors.md §4.10). */
export async function destroyBodies(tx: Tx, endedBefore: Date, rowsMax: number): Promise<number> {
  const rows = await tx.sql`
    update connector_orders set body = null
     where platform_id = ${tx.platformId} and id in (
       select id from connector_orders
        where platform_id = ${tx.platformId} and body is not null and ended_at < ${endedBefore} limit ${rowsMax})
    returning id`;
  return rows.length;
}
