import type { BatchRow, FileOrderRow, FileOrderState } from '#capabilities/bank-files/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

const COLUMNS = sql`
  o.connector_id, o.reference, o.content_hash, o.kind, o.rail, o.settlement_account, o.amount, o.currency, o.content,
  o.state, o.state_at, o.reason, o.expected_at, o.bank_reference, o.batch_id, o.trace_number, o.received_at`;

export async function findOrder(
  run: Run,
  connectorId: string,
  reference: string,
): Promise<FileOrderRow | undefined> {
  const [row] = await run<FileOrderRow>(sql`
    select ${COLUMNS} from bank_file_orders o where o.connector_id = ${connectorId} and o.reference = ${reference}`);
  return row;
}

/** Locks it until the transaction ends. */
export async function lockOrder(
  run: Run,
  connectorId: string,
  reference: string,
): Promise<FileOrderRow | undefined> {
  const [row] = await run<FileOrderRow>(sql`
    select ${COLUMNS} from bank_file_orders o
     where o.connector_id = ${connectorId} and o.reference = ${reference} for update`);
  return row;
}

export function lockOrders(
  run: Run,
  connectorId: string,
  references: readonly string[],
): Promise<FileOrderRow[]> {
  return run<FileOrderRow>(sql`
    select ${COLUMNS} from bank_file_orders o
     where o.connector_id = ${connectorId} and o.reference = any(${references}::uuid[])
     order by o.reference for update`);
}

/** False if the reference is known already. */
export async function insertOrder(run: Run, row: FileOrderRow): Promise<boolean> {
  const rows = await run(sql`
    insert into bank_file_orders
      (connector_id, reference, content_hash, kind, rail, settlement_account, amount, currency, content, state, state_at,
       reason, received_at)
    values (${row.connector_id}, ${row.reference}, ${row.content_hash}, ${row.kind}, ${row.rail},
            ${row.settlement_account}, ${row.amount}, ${row.currency}, ${row.content}, ${row.state}, ${row.state_at},
            ${row.reason}, ${row.received_at})
        on conflict (connector_id, reference) do nothing
    returning reference`);
  return rows.length > 0;
}

/** Orders that wait for this batch, the first that came first. They are locked, so that none is cancelled meanwhile. */
export function lockWaiting(run: Run, batch: BatchRow, limit: number): Promise<FileOrderRow[]> {
  return run<FileOrderRow>(sql`
    select ${COLUMNS} from bank_file_orders o
     where o.connector_id = ${batch.connector_id} and o.settlement_account = ${batch.settlement_account}
       and o.rail = ${batch.rail} and o.kind = ${batch.kind} and o.batch_id is null and o.state = 'RECEIVED'
     order by o.seq limit ${limit} for update`);
}

/** Fixes the orders of a batch; its bytes have what they contain. */
export async function putIntoBatch(
  run: Run,
  batch: BatchRow,
  orders: readonly { reference: string; traceNumber: string | null }[],
): Promise<void> {
  await run(sql`
    update bank_file_orders o set batch_id = ${batch.id}, place = chosen.place, trace_number = chosen.trace, content = null
      from unnest(${orders.map(({ reference }) => reference)}::uuid[],
                  ${orders.map((_, index) => index + 1)}::integer[],
                  ${orders.map(({ traceNumber }) => traceNumber)}::text[]) as chosen (reference, place, trace)
     where o.connector_id = ${batch.connector_id} and o.reference = chosen.reference`);
}

export function lockOrdersOf(run: Run, connectorId: string, batchId: string): Promise<FileOrderRow[]> {
  return run<FileOrderRow>(sql`
    select ${COLUMNS} from bank_file_orders o
     where o.connector_id = ${connectorId} and o.batch_id = ${batchId} order by o.reference for update`);
}

export function listByTraces(
  run: Run,
  connectorId: string,
  traces: readonly string[],
): Promise<FileOrderRow[]> {
  return run<FileOrderRow>(sql`
    select ${COLUMNS} from bank_file_orders o
     where o.trace_number = any(${traces}::text[]) and o.connector_id = ${connectorId}
     order by o.received_at desc`);
}

export interface StateChange {
  readonly reference: string;
  readonly state: FileOrderState;
  readonly at: Date;
  readonly reason: string | null;
  readonly bankReference: string | null;
  readonly expectedAt: Date | null;
  readonly settleAt: Date | null;
}

export async function changeStates(
  run: Run,
  connectorId: string,
  changes: readonly StateChange[],
): Promise<void> {
  const column = <Value>(of: (change: StateChange) => Value) => changes.map(of);
  await run(sql`
    update bank_file_orders o
       set state = changed.state, state_at = changed.at, reason = coalesce(changed.reason, o.reason),
           bank_reference = coalesce(changed.bank_reference, o.bank_reference),
           expected_at = coalesce(changed.expected_at, o.expected_at),
           settle_at = coalesce(changed.settle_at, o.settle_at),
           content = case when changed.state in ('RECEIVED') then o.content end
      from unnest(${column(({ reference }) => reference)}::uuid[], ${column(({ state }) => state)}::text[],
                  ${column(({ at }) => at)}::timestamptz[], ${column(({ reason }) => reason)}::text[],
                  ${column(({ bankReference }) => bankReference)}::text[],
                  ${column(({ expectedAt }) => expectedAt)}::timestamptz[],
                  ${column(({ settleAt }) => settleAt)}::timestamptz[])
           as changed (reference, state, at, reason, bank_reference, expected_at, settle_at)
     where o.connector_id = ${connectorId} and o.reference = changed.reference`);
}

/** Payouts that count as settled, because their bank sends no statements. */
export async function listToSettle(
  run: Run,
  connectorId: string,
  now: Date,
  limit: number,
): Promise<string[]> {
  const rows = await run<{ reference: string }>(sql`
    select o.reference from bank_file_orders o
     where o.connector_id = ${connectorId} and o.state = 'SENT' and o.settle_at <= ${now}
     order by o.settle_at limit ${limit}`);
  return rows.map(({ reference }) => reference);
}
