import type { BatchRow, FileOrderRow } from '#capabilities/bank-files/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Transition } from '#foundation/machine/draft.ts';

/** Batches, and the orders that wait for one. Connectors serve all platforms, so the rows name none. */

const COLUMNS = sql`
  b.connector_id, b.id, b.version, b.updated_at, b.status, b.settlement_account, b.rail, b.kind, b.currency, b.format,
  b.seal_at, b.message_id, b.payment_information_id, b.name, b.content_hash, b.orders, b.total,
  b.execution_day::text as execution_day, b.modifier, b.created_at, b.sealed_at, b.written_at, b.ended_at,
  b.resent_at`;

/** The values that all orders of a batch have in common. */
export interface BatchKey {
  readonly settlement_account: string;
  readonly rail: string;
  readonly kind: FileOrderRow['kind'] & string;
  readonly currency: string;
  readonly oldest: Date;
}

/** Finds orders that wait although no batch is open for them. */
export function listUnbatched(run: Run, connectorId: string): Promise<BatchKey[]> {
  return run<BatchKey>(sql`
    select o.settlement_account, o.rail, o.kind, o.currency, min(o.received_at) as oldest
      from bank_file_orders o
     where o.connector_id = ${connectorId} and o.batch_id is null and o.state = 'RECEIVED'
       and not exists (
         select from bank_file_batches b
          where b.connector_id = o.connector_id and b.settlement_account = o.settlement_account
            and b.rail = o.rail and b.kind = o.kind and b.status = 'OPEN')
     group by o.settlement_account, o.rail, o.kind, o.currency`);
}

/** Writes a new batch, or the change of one. Returns false if another worker was faster. */
export async function applyBatch(run: Run, { from, row }: Transition<BatchRow>): Promise<boolean> {
  const { connector_id, id } = row;
  const rows = await run(
    from === undefined
      ? sql`
        insert into bank_file_batches
          (connector_id, id, version, status, settlement_account, rail, kind, currency, format, seal_at, message_id,
           payment_information_id, name, content_hash, orders, total, execution_day, modifier, created_at, updated_at,
           sealed_at, written_at)
        values (${connector_id}, ${id}, ${row.version}, ${row.status}, ${row.settlement_account}, ${row.rail}, ${row.kind},
                ${row.currency}, ${row.format}, ${row.seal_at}, ${row.message_id}, ${row.payment_information_id},
                ${row.name}, ${row.content_hash}, ${row.orders}, ${row.total}, ${row.execution_day}::date,
                ${row.modifier}, ${row.created_at}, ${row.updated_at}, ${row.sealed_at}, ${row.written_at})
            on conflict do nothing
        returning id`
      : sql`
        update bank_file_batches
           set version = ${row.version}, status = ${row.status}, updated_at = ${row.updated_at}, message_id = ${row.message_id},
               payment_information_id = ${row.payment_information_id}, name = ${row.name},
               content_hash = ${row.content_hash}, orders = ${row.orders}, total = ${row.total},
               execution_day = ${row.execution_day}::date, modifier = ${row.modifier}, sealed_at = ${row.sealed_at},
               written_at = ${row.written_at}, ended_at = ${row.ended_at}
         where connector_id = ${connector_id} and id = ${id} and version = ${from}
        returning id`,
  );
  return rows.length > 0;
}

export async function keepBytes(run: Run, { connector_id, id }: BatchRow, bytes: Buffer): Promise<void> {
  await run(sql`
    update bank_file_batches set bytes = ${bytes} where connector_id = ${connector_id} and id = ${id}`);
}

/** The sealed bytes; undefined once they were destroyed. */
export async function loadBytes(
  run: Run,
  { connector_id, id }: Pick<BatchRow, 'connector_id' | 'id'>,
): Promise<Buffer | undefined> {
  const [row] = await run<{ bytes: Buffer | null }>(sql`
    select b.bytes from bank_file_batches b where b.connector_id = ${connector_id} and b.id = ${id}`);
  return row?.bytes ?? undefined;
}

/** Lists open batches whose cut-off has come. */
export function listDue(run: Run, connectorId: string, now: Date): Promise<BatchRow[]> {
  return run<BatchRow>(sql`
    select ${COLUMNS} from bank_file_batches b
     where b.connector_id = ${connectorId} and b.status = 'OPEN' and b.seal_at <= ${now} order by b.seal_at, b.id`);
}

/** Lists batches that are not in the outbox yet, as far as this database knows. */
export function listUnwritten(run: Run, connectorId: string): Promise<BatchRow[]> {
  return run<BatchRow>(sql`
    select ${COLUMNS} from bank_file_batches b
     where b.connector_id = ${connectorId} and b.status in ('SEALED', 'WRITING') order by b.sealed_at, b.id`);
}

export async function lockBatch(run: Run, connectorId: string, id: string): Promise<BatchRow | undefined> {
  const [row] = await run<BatchRow>(sql`
    select ${COLUMNS} from bank_file_batches b where b.connector_id = ${connectorId} and b.id = ${id} for update`);
  return row;
}

/** Finds a batch by the id of its message or of its payment, as files write them. */
export async function findBatchByFileId(
  run: Run,
  connectorId: string,
  fileId: string,
): Promise<BatchRow | undefined> {
  const [row] = await run<BatchRow>(sql`
    select ${COLUMNS} from bank_file_batches b
     where b.connector_id = ${connectorId} and b.status <> 'OPEN'
       and (b.message_id = ${fileId} or b.payment_information_id = ${fileId})`);
  return row;
}

export async function findBatch(run: Run, id: string): Promise<BatchRow | undefined> {
  const [row] = await run<BatchRow>(sql`select ${COLUMNS} from bank_file_batches b where b.id = ${id}`);
  return row;
}

/** The newest first. */
export function listBatches(run: Run, connectorId: string, limit: number): Promise<BatchRow[]> {
  return run<BatchRow>(sql`
    select ${COLUMNS} from bank_file_batches b
     where b.connector_id = ${connectorId} order by b.created_at desc, b.id limit ${limit}`);
}

export async function listBatchNames(run: Run, connectorId: string): Promise<Set<string>> {
  const rows = await run<{ name: string }>(sql`
    select b.name from bank_file_batches b where b.connector_id = ${connectorId} and b.name is not null`);
  return new Set(rows.map(({ name }) => name));
}

/** Deletes a batch that is empty because all its orders were cancelled. */
export async function dropBatch(run: Run, { connector_id, id }: BatchRow): Promise<void> {
  await run(sql`
    delete from bank_file_batches where connector_id = ${connector_id} and id = ${id} and status = 'OPEN'`);
}

/** Counts the NACHA files of one day with the same identification of sender and bank. */
export async function countOfDay(
  run: Run,
  connectorId: string,
  account: string,
  from: Date,
): Promise<number> {
  const [row] = await run<{ count: bigint }>(sql`
    select count(*) as count from bank_file_batches b
     where b.connector_id = ${connectorId} and b.settlement_account = ${account} and b.format = 'NACHA'
       and b.sealed_at >= ${from}`);
  return Number(row?.count ?? 0n);
}

/** Takes this many trace numbers, and returns the first; they begin again at 1 after the last one. */
export async function takeTraces(run: Run, routing: string, count: number, last: number): Promise<number> {
  const [row] = await run<{ last: number }>(sql`
    insert into bank_file_traces (routing, last) values (${routing}, ${count})
        on conflict (routing) do update
       set last = case when bank_file_traces.last + ${count} > ${last} then ${count}
                       else bank_file_traces.last + ${count} end
    returning last`);
  return (row?.last ?? count) - count + 1;
}

/** Lets trace numbers continue after the highest one in a file. */
export async function raiseTraces(run: Run, routing: string, last: number): Promise<void> {
  await run(sql`
    insert into bank_file_traces (routing, last) values (${routing}, ${last})
        on conflict (routing) do update set last = greatest(bank_file_traces.last, excluded.last)`);
}

/** Returns whether one of these trace numbers was used since. */
export async function wereTracesUsed(run: Run, traces: readonly string[], since: Date): Promise<boolean> {
  const [row] = await run<{ used: boolean }>(sql`
    select exists (
      select from bank_file_orders o
       where o.trace_number = any(${traces}::text[]) and o.received_at >= ${since}) as used`);
  return row?.used === true;
}

export async function wishResent(run: Run, batch: BatchRow, at: Date): Promise<void> {
  const { connector_id, id } = batch;
  await run(sql`
    update bank_file_batches set resend_wanted_at = ${at} where connector_id = ${connector_id} and id = ${id}`);
  await markResent(run, batch, at);
  await run(sql`update bank_file_connectors set work_due_at = ${at} where connector_id = ${connector_id}`);
}

/** Remembers for good that the bank may have two copies: its rejection of one says nothing about the other. */
export async function markResent(run: Run, { connector_id, id }: BatchRow, at: Date): Promise<void> {
  await run(sql`
    update bank_file_batches set resent_at = ${at} where connector_id = ${connector_id} and id = ${id}`);
}

export function listToResend(run: Run, connectorId: string): Promise<BatchRow[]> {
  return run<BatchRow>(sql`
    select ${COLUMNS} from bank_file_batches b
     where b.connector_id = ${connectorId} and b.resend_wanted_at is not null order by b.id`);
}

export async function endResending(run: Run, { connector_id, id }: BatchRow): Promise<void> {
  await run(sql`
    update bank_file_batches set resend_wanted_at = null where connector_id = ${connector_id} and id = ${id}`);
}

/** Finds those of these batches whose orders have all ended. */
export function listEnding(run: Run, connectorId: string, ids: readonly string[]): Promise<BatchRow[]> {
  return run<BatchRow>(sql`
    select ${COLUMNS} from bank_file_batches b
     where b.connector_id = ${connectorId} and b.id = any(${ids}::uuid[])
       and b.status in ('WRITTEN', 'ACCEPTED', 'PARTLY', 'REJECTED')
       and not exists (
         select from bank_file_orders o
          where o.connector_id = b.connector_id and o.batch_id = b.id and o.state in ('RECEIVED', 'SENT'))
     order by b.id for update`);
}

/** Destroys the bytes of files that ended long ago. */
export async function destroyBytes(run: Run, endedBefore: Date, rowsMax: number): Promise<number> {
  const rows = await run(sql`
    update bank_file_batches set bytes = null
     where (connector_id, id) in (
       select connector_id, id from bank_file_batches
        where bytes is not null and ended_at < ${endedBefore} limit ${rowsMax})
    returning id`);
  return rows.length;
}
