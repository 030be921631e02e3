import assert from 'node:assert/strict';
import type { VerificationError, VerificationQuery } from '#capabilities/verification/schemas.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { KeysetQuery } from '#foundation/http/paging.ts';

export type RecordStatus =
  | 'RESOLVE_ERRORS'
  | 'IN_PROGRESS'
  | 'PENDING_MANUAL_REVIEW'
  | 'APPROVED'
  | 'REJECTED';

export interface VerificationRow {
  id: Id<'Verification'>;
  customer_id: CustomerId;
  status: RecordStatus;
  errors: VerificationError[];
  created_at: Date;
  updated_at: Date;
}

export interface VerificationOutcome {
  readonly status: RecordStatus;
  readonly errors: readonly VerificationError[];
}

const COLUMNS: Sql = sql`t.id, t.customer_id, t.status, t.errors, t.created_at, t.updated_at`;

/** Verifications of a deleted customer are not found, like the customer itself. */
export async function findVerification(
  tx: ReadTx,
  id: Id<'Verification'>,
): Promise<VerificationRow | undefined> {
  const [row] = await tx.sql<VerificationRow>`
    select ${COLUMNS} from verifications t
     where t.platform_id = ${tx.platformId} and t.id = ${id} and t.withdrawn_at is null`;
  return row;
}

/** A customer has at most one open record. Before changing it, lock the customer's row. */
export async function findOpenVerification(
  tx: ReadTx,
  customerId: CustomerId,
): Promise<VerificationRow | undefined> {
  const [row] = await findOpenVerifications(tx, [customerId]);
  return row;
}

export function findOpenVerifications(
  tx: ReadTx,
  customerIds: readonly CustomerId[],
): Promise<VerificationRow[]> {
  return tx.sql<VerificationRow>`
    select ${COLUMNS} from verifications t
     where t.platform_id = ${tx.platformId} and t.customer_id = any(${customerIds}::uuid[])
       and t.status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW') and t.withdrawn_at is null`;
}

export function listNewestVerifications(
  tx: ReadTx,
  customerId: CustomerId,
  rowsMax: number,
): Promise<VerificationRow[]> {
  return tx.sql<VerificationRow>`
    select ${COLUMNS} from verifications t
     where t.platform_id = ${tx.platformId} and t.customer_id = ${customerId} and t.withdrawn_at is null
     order by t.created_at desc, t.id desc
     limit ${rowsMax}`;
}

export function verificationPage(
  tx: ReadTx,
  { customerId, verificationStatus }: VerificationQuery,
): KeysetQuery {
  const where = [sql`t.platform_id = ${tx.platformId}`, sql`t.withdrawn_at is null`];
  if (customerId !== undefined) where.push(sql`t.customer_id = ${customerId}`);
  if (verificationStatus !== undefined) where.push(sql`t.status = ${verificationStatus}`);
  return { columns: COLUMNS, from: sql`verifications t`, where };
}

export async function insertVerification(
  tx: Tx,
  customerId: CustomerId,
  { status, errors }: VerificationOutcome,
): Promise<VerificationRow> {
  return requireRow(
    await tx.sql<VerificationRow>`
      insert into verifications as t (platform_id, id, customer_id, status, errors, created_at, updated_at)
      values (${tx.platformId}, ${tx.newId('Verification')}, ${customerId}, ${status}, ${JSON.stringify(errors)},
        ${tx.now}, ${tx.now})
      returning ${COLUMNS}`,
  );
}

/** A closed record keeps its result (customers.md §4.2.2), so only an open one is updated. */
export async function updateOutcome(
  tx: Tx,
  id: Id<'Verification'>,
  { status, errors }: VerificationOutcome,
): Promise<VerificationRow> {
  return requireRow(
    await tx.sql<VerificationRow>`
      update verifications t
         set status = ${status}, errors = ${JSON.stringify(errors)}, updated_at = ${tx.now}
       where t.platform_id = ${tx.platformId} and t.id = ${id}
         and t.status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW')
      returning ${COLUMNS}`,
  );
}

/** Called when the customer is deleted. */
export async function withdrawVerifications(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    update verifications set withdrawn_at = ${tx.now}
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and withdrawn_at is null`;
}

/** Called when the customer is erased. The record of the check and its result stay. */
export async function eraseErrors(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    update verifications set errors = '[]'
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and errors <> '[]'`;
}

function requireRow(rows: VerificationRow[]): VerificationRow {
  const [row] = rows;
  assert(row, 'this transaction inserted the row, or has locked the customer of the open row');
  return row;
}
