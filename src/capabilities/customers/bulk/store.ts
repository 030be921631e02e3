import type { Columns } from '#capabilities/customers/bulk/columns.ts';
import type { Survey } from '#capabilities/customers/bulk/read-file.ts';
import { hashCustomer } from '#capabilities/customers/sealed-customer.ts';
import { allVersionsOf } from '#foundation/database/known-hashes.ts';
import { requireRow } from '#foundation/database/rows.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';

export interface ImportRow {
  id: Id<'Job'>;
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED';
  content_id: Id<'Content'> | null;
  columns: Columns | null;
  total: number;
  position: bigint;
  successful: number;
  failed: number;
  completed_at: Date | null;
}

/** customers.md §2.5. A worker may restart an import that another worker left unfinished. */
export const IMPORT_CHANGES = {
  accepted: { from: ['new'], to: 'PENDING' },
  started: { from: ['PENDING', 'PROCESSING'], to: 'PROCESSING' },
  completed: { from: ['PENDING', 'PROCESSING'], to: 'COMPLETED' },
  failed: { from: ['PENDING', 'PROCESSING'], to: 'FAILED' },
} as const;

const COLUMNS: Sql = sql`id, status, content_id, columns, total, position, successful, failed, completed_at`;

export async function insertImport(tx: Tx, contentId: Id<'Content'>): Promise<ImportRow> {
  const rows = await tx.sql<ImportRow>`
    insert into customer_imports (platform_id, id, status, content_id, created_at)
    values (${tx.platformId}, ${tx.newId()}, ${IMPORT_CHANGES.accepted.to}, ${contentId}, ${tx.now})
    returning ${COLUMNS}`;
  return requireRow(rows);
}

export async function findImport(tx: ReadTx, id: Id<'Job'>): Promise<ImportRow | undefined> {
  const [row] = await tx.sql<ImportRow>`
    select ${COLUMNS} from customer_imports where platform_id = ${tx.platformId} and id = ${id}`;
  return row;
}

/** An import in a list, without its errors. */
export interface ListedImport extends ImportRow {
  created_at: Date;
}

export function listImports<Item>(
  tx: ReadTx,
  request: PageRequest,
  status: ImportRow['status'] | undefined,
  present: (row: ListedImport) => Item,
): Promise<Page<Item>> {
  const where = [
    sql`t.platform_id = ${tx.platformId}`,
    ...(status === undefined ? [] : [sql`t.status = ${status}`]),
  ];
  const columns = sql`${COLUMNS}, t.created_at`;
  return keysetPage(tx, request, { columns, from: sql`customer_imports t`, where }, present);
}

/** Marks the import as started or continued by a worker. Undefined: it has ended. */
export async function markStarted(tx: Tx, id: string): Promise<ImportRow | undefined> {
  const { from, to } = IMPORT_CHANGES.started;
  const [row] = await tx.sql<ImportRow>`
    update customer_imports set status = ${to}
     where platform_id = ${tx.platformId} and id = ${id} and status = any(${from})
    returning ${COLUMNS}`;
  return row;
}

/** Keeps the first result, because two workers that survey the same file get equal results. */
export async function storeSurvey(
  tx: Tx,
  id: Id<'Job'>,
  { columns, position, rows }: Survey,
): Promise<ImportRow | undefined> {
  const [row] = await tx.sql<ImportRow>`
    update customer_imports
       set columns = coalesce(columns, ${JSON.stringify(columns)}::jsonb),
           position = case when columns is null then ${position} else position end, total = ${rows}
     where platform_id = ${tx.platformId} and id = ${id} and status = 'PROCESSING'
    returning ${COLUMNS}`;
  return row;
}

/** Undefined: another worker has imported these rows, or the import has ended. */
export async function lockImportAt(tx: Tx, id: Id<'Job'>, position: bigint): Promise<ImportRow | undefined> {
  const [row] = await tx.sql<ImportRow>`
    select ${COLUMNS} from customer_imports
     where platform_id = ${tx.platformId} and id = ${id} and status = 'PROCESSING' and position = ${position}
       for update`;
  return row;
}

export interface Advance {
  readonly position: number;
  readonly successful: number;
  readonly failed: number;
}

export async function advanceImport(tx: Tx, id: Id<'Job'>, by: Advance): Promise<ImportRow> {
  const rows = await tx.sql<ImportRow>`
    update customer_imports
       set position = ${by.position}, successful = successful + ${by.successful}, failed = failed + ${by.failed}
     where platform_id = ${tx.platformId} and id = ${id} and status = 'PROCESSING'
    returning ${COLUMNS}`;
  return requireRow(rows);
}

/** Ends the import and clears its reference to the file. Undefined: it has already ended. */
export async function markEnded(
  tx: Tx,
  id: string,
  how: 'completed' | 'failed',
): Promise<ImportRow | undefined> {
  const { from, to } = IMPORT_CHANGES[how];
  const [row] = await tx.sql<ImportRow>`
    update customer_imports set status = ${to}, completed_at = ${tx.now}, content_id = null
     where platform_id = ${tx.platformId} and id = ${id} and status = any(${from})
    returning ${COLUMNS}`;
  return row;
}

/** True if a stored error of the import has another code. */
export async function hasOtherErrors(tx: ReadTx, id: Id<'Job'>, code: string): Promise<boolean> {
  const rows = await tx.sql`
    select from customer_import_errors
     where platform_id = ${tx.platformId} and import_id = ${id} and code <> ${code}
     limit 1`;
  return rows.length > 0;
}

/** Locks the oldest import that ended before this time. Ids grow with time, so the primary key finds it first. */
export async function lockEndedBefore(tx: Tx, before: Date): Promise<{ id: Id<'Job'> } | undefined> {
  const [row] = await tx.sql<{ id: Id<'Job'> }>`
    select id from customer_imports
     where platform_id = ${tx.platformId} and completed_at < ${before}
     order by id limit 1 for update`;
  return row;
}

/** Deletes at most `limit` rows and returns their number. */
export async function deleteErrors(tx: Tx, importId: Id<'Job'>, limit: number): Promise<number> {
  const gone = await tx.sql`
    delete from customer_import_errors
     where platform_id = ${tx.platformId} and import_id = ${importId} and row_number in (
       select row_number from customer_import_errors
        where platform_id = ${tx.platformId} and import_id = ${importId}
        order by row_number limit ${limit})
    returning 1`;
  return gone.length;
}

export async function deleteImport(tx: Tx, id: Id<'Job'>): Promise<void> {
  await tx.sql`delete from customer_imports where platform_id = ${tx.platformId} and id = ${id}`;
}

export async function hasImports(tx: ReadTx): Promise<boolean> {
  const rows = await tx.sql`
    select from customer_imports where platform_id = ${tx.platformId} limit 1`;
  return rows.length > 0;
}

/** Returns those of these references and UMA addresses that live customers already have. */
export async function findTakenNames(
  tx: ReadTx,
  references: readonly string[],
  addresses: readonly string[],
): Promise<{ references: string[]; addresses: string[] }> {
  const given = (field: 'reference' | 'uma', values: readonly string[]): Sql => {
    const hashes = values.map((name) => hashCustomer(tx.vault, field, name));
    const names = values.flatMap((name, i) => hashes[i]?.toFind.map(() => name) ?? []);
    return sql`unnest(${names}::text[], ${allVersionsOf(...hashes)})`;
  };
  const ofPlatform = await tx.sql<{ name: string }>`
    select distinct given.name from ${given('reference', references)} as given(name, hash)
     where exists (select from customers c
                    where c.platform_id = ${tx.platformId} and c.deleted_at is null and c.reference_hash = given.hash)
        or exists (select from customers c
                    where c.platform_id = ${tx.platformId} and c.deleted_at is null
                      and c.platform_customer_id = given.name)`;
  // Across platforms: an address belongs to one customer of the whole environment.
  const ofAll = await tx.sql<{ name: string }>`
    select distinct given.name from ${given('uma', addresses)} as given(name, hash)
     where exists (select from customers c
                    where c.environment = ${tx.environment} and c.deleted_at is null and c.uma_hash = given.hash)
        or exists (select from customers c
                    where c.environment = ${tx.environment} and c.deleted_at is null and c.uma_address = given.name)`;
  return { references: ofPlatform.map(({ name }) => name), addresses: ofAll.map(({ name }) => name) };
}
