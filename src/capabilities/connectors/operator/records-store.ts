import { BREAK_COLUMNS, type BreakRow } from '#capabilities/connectors/break-store.ts';
import { ORDER_COLUMNS } from '#capabilities/connectors/order-store.ts';
import { CONNECTOR_COLUMNS } from '#capabilities/connectors/registry-store.ts';
import type { ConnectorRow, OrderRow } from '#capabilities/connectors/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { COUNT_MAX, keysetPage, type ListKey, type Page, type PageRequest } from '#foundation/http/paging.ts';

/** The lists that operators read of connectors. */

export function pageConnectors<Item>(
  tx: ReadTx,
  request: PageRequest,
  present: (row: ConnectorRow) => Item,
): Promise<Page<Item>> {
  const query = {
    columns: CONNECTOR_COLUMNS,
    from: sql`connectors t cross join lateral (select t.*) c`,
    where: [sql`t.removed_at is null`],
  };
  return keysetPage<ConnectorRow, Item>(tx, request, query, present);
}

export interface WaitingRow {
  readonly connector_id: string;
  readonly open_orders: bigint;
  readonly unknown_orders: bigint;
  readonly oldest_unknown_seconds: bigint;
  readonly open_breaks: bigint;
}

/** Counts the items that wait at these connectors. Each count reads open rows only. */
export async function loadWaiting(
  run: Run,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, WaitingRow>> {
  const rows = await run<WaitingRow>(sql`
    select c.id as connector_id, o.open as open_orders, o.unknown as unknown_orders, o.oldest as oldest_unknown_seconds,
           (select count(*) from connector_breaks b where b.connector_id = c.id and b.resolved_at is null) as open_breaks
      from unnest(${ids}::uuid[]) c (id)
     cross join lateral (
       select count(*) as open, count(*) filter (where o.status = 'ASKED') as unknown,
              coalesce(floor(extract(epoch from
                ${now}::timestamptz - min(o.asked_at) filter (where o.status = 'ASKED'))), 0)::bigint as oldest
         from connector_orders o where o.connector_id = c.id and o.ended_at is null) o`);
  return new Map(rows.map((row) => [row.connector_id, row]));
}

export type ListedOrder = OrderRow & { readonly connector: string | null };

export interface OrderFilters {
  readonly connector?: string | undefined;
  readonly status?: string | undefined;
  readonly transaction?: TransactionId | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/** Orders of one platform, the newest first. */
export function pageOrders<Item>(
  tx: ReadTx,
  request: PageRequest,
  { connector, status, transaction, createdAfter, createdBefore }: OrderFilters,
  present: (row: ListedOrder) => Item,
): Promise<Page<Item>> {
  const query = {
    columns: sql`${ORDER_COLUMNS}, (select c.name from connectors c where c.id = t.connector_id) as connector`,
    from: sql`connector_orders t cross join lateral (select t.*) o`,
    where: [
      sql`t.platform_id = ${tx.platformId}`,
      ...(connector === undefined
        ? []
        : [sql`t.connector_id = (select c.id from connectors c where c.name = ${connector})`]),
      ...(status === undefined ? [] : [sql`t.status = ${status}`]),
      ...(transaction === undefined ? [] : [sql`t.transaction_id = ${transaction}`]),
      ...(createdAfter === undefined ? [] : [sql`t.created_at >= ${createdAfter}`]),
      ...(createdBefore === undefined ? [] : [sql`t.created_at <= ${createdBefore}`]),
    ],
  };
  return keysetPage<ListedOrder, Item>(tx, request, query, present);
}

export interface ListedEventRow {
  readonly connector: string;
  readonly store: string;
  readonly event_id: string;
  readonly seq: bigint;
  readonly type: string;
  readonly about: string;
  readonly at: Date;
  readonly received_at: Date;
  readonly applied_at: Date | null;
  readonly outcome: string | null;
  readonly failures: number;
}

/** Events of one connector or of all, the newest first. Each connector is read along its own index. */
export async function pageEvents<Item>(
  tx: ReadTx,
  request: PageRequest,
  { connector, isApplied }: { connector?: string | undefined; isApplied?: boolean | undefined },
  present: (row: ListedEventRow) => Item,
): Promise<Page<Item>> {
  const { limit, part, countMax = COUNT_MAX } = request;
  const state =
    isApplied === undefined
      ? sql`true`
      : isApplied
        ? sql`e.applied_at is not null`
        : sql`e.applied_at is null`;
  const newest = (columns: Sql, most: number) => sql`
    select ${columns} from connectors c
     cross join lateral (
       select e.store, e.event_id, e.seq, e.type, e.about, e.at, e.received_at, e.applied_at, e.outcome, e.failures
         from connector_events e
        where e.connector_id = c.id and ${state} and ${part?.after ? sql`e.seq < ${part.after[1]}::bigint` : sql`true`}
        order by e.seq desc limit ${most}) e
     where ${connector === undefined ? sql`true` : sql`c.name = ${connector}`}
     order by e.seq desc limit ${most}`;
  const rows = await tx.query<ListedEventRow>(newest(sql`c.name as connector, e.*`, limit + 1));
  const shown = rows.slice(0, limit);
  part?.keys.push(...shown.map(({ received_at: at, seq }): ListKey => [at.toISOString(), seq.toString()]));
  const totalCount = part ? countMax + 1 : await countRows(tx, newest(sql``, countMax + 1));
  return {
    data: shown.map(present),
    hasMore: rows.length > limit,
    ...(totalCount <= countMax && { totalCount }),
  };
}

async function countRows(tx: ReadTx, rows: Sql): Promise<number> {
  const [row] = await tx.query<{ count: bigint }>(sql`select count(*) from (${rows}) matches`);
  return Number(row?.count ?? 0n);
}

export interface BreakFilters {
  readonly connector?: string | undefined;
  readonly kind?: string | undefined;
  readonly isOpen?: boolean | undefined;
}

export function pageBreaks<Item>(
  tx: ReadTx,
  request: PageRequest,
  { connector, kind, isOpen }: BreakFilters,
  present: (row: BreakRow) => Item,
): Promise<Page<Item>> {
  const conditions: Sql[] = [
    ...(connector === undefined
      ? []
      : [sql`t.connector_id = (select c.id from connectors c where c.name = ${connector})`]),
    ...(kind === undefined ? [] : [sql`t.kind = ${kind}`]),
    ...(isOpen === undefined ? [] : [isOpen ? sql`t.resolved_at is null` : sql`t.resolved_at is not null`]),
  ];
  const query = {
    columns: sql`${BREAK_COLUMNS}, t.created_at`,
    from: sql`(select b.*, b.opened_at as created_at from connector_breaks b) t
      cross join lateral (select t.*) b
      join connectors c on c.id = b.connector_id
      left join connector_orders o on o.platform_id = b.platform_id and o.id = b.order_id`,
    where: [sql`true`, ...conditions],
  };
  return keysetPage<BreakRow & { created_at: Date }, Item>(tx, request, query, present);
}
