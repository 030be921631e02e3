import assert from 'node:assert/strict';
import type { Fingerprint } from '#capabilities/verification/fingerprint.ts';
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
  /** The fingerprint of the submission. Absent for decisions without a submission, and for those of earlier versions. */
  submitted?: Fingerprint | undefined;
  created_at: Date;
  updated_at: Date;
}

/**
 * A verification as it is stored. Reviewers may write into errors, so errors are sealed for the customer, with the
 * fingerprint of what was submitted. A verification without either, or of an earlier version, has its errors in clear text.
 */
export type StoredVerification = Omit<VerificationRow, 'errors' | 'submitted'> & {
  readonly errors: VerificationError[] | null;
  readonly details: Buffer | null;
};

/** Opens the verifications of one read. The keys of several people are fetched in one trip. */
export async function openVerifications(
  { vault, runtime }: Pick<ReadTx, 'vault' | 'runtime'>,
  rows: readonly StoredVerification[],
): Promise<VerificationRow[]> {
  if (rows.length > 1) await runtime.personKeys.loadFor(rows.map(({ details }) => details));
  return rows.map(({ details, errors, ...row }) => {
    const text = details === null ? undefined : vault.openKept(details, contextOf(row.id));
    return { ...row, ...(text === undefined ? { errors: errors ?? [] } : parseDetails(text)) };
  });
}

type Details = Pick<VerificationRow, 'errors' | 'submitted'>;

/** Earlier versions sealed only the errors. */
function parseDetails(text: string): Details {
  const parsed = JSON.parse(text) as Details | VerificationError[];
  return Array.isArray(parsed) ? { errors: parsed } : parsed;
}

/** Returns the two columns of the details; one of them is null. */
function sealDetails(
  { vault }: Tx,
  id: Id<'Verification'>,
  customerId: CustomerId,
  { errors, submitted }: Pick<VerificationOutcome, 'errors' | 'submitted'>,
): { readonly errors: string | null; readonly details: Buffer | null } {
  if (errors.length === 0 && submitted === undefined) return { errors: '[]', details: null };
  const text = JSON.stringify({ errors, submitted });
  return { errors: null, details: vault.sealFor([customerId], text, contextOf(id)) };
}

function contextOf(id: Id<'Verification'>): string {
  return `verifications.details:${id}`;
}

export interface VerificationOutcome {
  readonly status: RecordStatus;
  readonly errors: readonly VerificationError[];
  /** Absent: nothing was submitted; the record keeps what it has. */
  readonly submitted?: Fingerprint | undefined;
}

const COLUMNS: Sql = sql`t.id, t.customer_id, t.status, t.errors, t.details, t.created_at, t.updated_at`;

/** Verifications of a deleted customer are not found, like the customer itself. */
export async function findVerification(
  tx: ReadTx,
  id: Id<'Verification'>,
): Promise<VerificationRow | undefined> {
  const rows = await tx.sql<StoredVerification>`
    select ${COLUMNS} from verifications t
     where t.platform_id = ${tx.platformId} and t.id = ${id} and t.withdrawn_at is null`;
  return (await openVerifications(tx, rows))[0];
}

/** A customer has at most one open record. Before changing it, lock the customer's row. */
export async function findOpenVerification(
  tx: ReadTx,
  customerId: CustomerId,
): Promise<VerificationRow | undefined> {
  const [row] = await findOpenVerifications(tx, [customerId]);
  return row;
}

export async function findOpenVerifications(
  tx: ReadTx,
  customerIds: readonly CustomerId[],
): Promise<VerificationRow[]> {
  const rows = await tx.sql<StoredVerification>`
    select ${COLUMNS} from verifications t
     where t.platform_id = ${tx.platformId} and t.customer_id = any(${customerIds}::uuid[])
       and t.status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW') and t.withdrawn_at is null`;
  return openVerifications(tx, rows);
}

export async function listNewestVerifications(
  tx: ReadTx,
  customerId: CustomerId,
  rowsMax: number,
): Promise<VerificationRow[]> {
  const rows = await tx.sql<StoredVerification>`
    select ${COLUMNS} from verifications t
     where t.platform_id = ${tx.platformId} and t.customer_id = ${customerId} and t.withdrawn_at is null
     order by t.created_at desc, t.id desc
     limit ${rowsMax}`;
  return openVerifications(tx, rows);
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
  outcome: VerificationOutcome,
): Promise<VerificationRow> {
  const id = tx.newId('Verification');
  const sealed = sealDetails(tx, id, customerId, outcome);
  const rows = await tx.sql<StoredVerification>`
    insert into verifications as t (platform_id, id, customer_id, status, errors, details, created_at, updated_at)
    values (${tx.platformId}, ${id}, ${customerId}, ${outcome.status}, ${sealed.errors}, ${sealed.details},
      ${tx.now}, ${tx.now})
    returning ${COLUMNS}`;
  return requireRow(await openVerifications(tx, rows));
}

/** A closed record keeps its result (customers.md §4.2.2), so only an open one is updated. */
export async function updateOutcome(
  tx: Tx,
  { id, customer_id, submitted: before }: Pick<VerificationRow, 'id' | 'customer_id' | 'submitted'>,
  { status, errors, submitted = before }: VerificationOutcome,
): Promise<VerificationRow> {
  const sealed = sealDetails(tx, id, customer_id, { errors, submitted });
  const rows = await tx.sql<StoredVerification>`
    update verifications t
       set status = ${status}, errors = ${sealed.errors}, details = ${sealed.details}, updated_at = ${tx.now}
     where t.platform_id = ${tx.platformId} and t.id = ${id}
       and t.status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW')
    returning ${COLUMNS}`;
  return requireRow(await openVerifications(tx, rows));
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
    update verifications set errors = '[]', details = null
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and errors is distinct from '[]'`;
}

function requireRow(rows: VerificationRow[]): VerificationRow {
  const [row] = rows;
  assert(row, 'this transaction inserted the row, or has locked the customer of the open row');
  return row;
}
