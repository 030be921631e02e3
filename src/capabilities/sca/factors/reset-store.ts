import type { EnrolledFactor } from '#capabilities/sca/enrollment-store.ts';
import type { ResetStatus, ScaFactor } from '#capabilities/sca/schemas.ts';
import { purgeRows } from '#foundation/database/rows.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** The stored status; expiry follows from the time. */
export type StoredStatus = Exclude<ResetStatus, 'EXPIRED'>;

export const FIRST_RESET_STATUS: StoredStatus = 'INITIATED';

export interface Reset {
  readonly id: Id<'ScaReset'>;
  readonly customerId: CustomerId;
  readonly factor: ScaFactor;
  readonly status: StoredStatus;
  readonly expiresAt: Date;
  readonly completedAt: Date | null;
  readonly reenrolledAt: Date | null;
}

interface ResetRow {
  id: Id<'ScaReset'>;
  customer_id: CustomerId;
  factor: ScaFactor;
  status: StoredStatus;
  expires_at: Date;
  completed_at: Date | null;
  reenrolled_at: Date | null;
}

export async function insertReset(
  tx: Tx,
  { id, customerId, factor, expiresAt }: Pick<Reset, 'id' | 'customerId' | 'factor' | 'expiresAt'>,
): Promise<void> {
  await tx.sql`
    insert into sca_resets (platform_id, id, customer_id, factor, status, created_at, expires_at)
    values (${tx.platformId}, ${id}, ${customerId}, ${factor}, ${FIRST_RESET_STATUS}, ${tx.now}, ${expiresAt})`;
}

export function findReset(tx: ReadTx, id: Id<'ScaReset'>): Promise<Reset | undefined> {
  return readReset(tx, id, sql``);
}

/** Finds and locks it until the end of the transaction. */
export function lockReset(tx: Tx, id: Id<'ScaReset'>): Promise<Reset | undefined> {
  return readReset(tx, id, sql`for update`);
}

async function readReset(tx: ReadTx, id: Id<'ScaReset'>, lock: Sql): Promise<Reset | undefined> {
  const [row] = await tx.query<ResetRow>(sql`
    select id, customer_id, factor, status, expires_at, completed_at, reenrolled_at from sca_resets
     where platform_id = ${tx.platformId} and id = ${id} ${lock}`);
  if (!row) return undefined;
  return {
    id: row.id,
    customerId: row.customer_id,
    factor: row.factor,
    status: row.status,
    expiresAt: row.expires_at,
    completedAt: row.completed_at,
    reenrolledAt: row.reenrolled_at,
  };
}

export async function setResetStatus(
  tx: Tx,
  { id }: Pick<Reset, 'id'>,
  status: Exclude<StoredStatus, 'COMPLETED'>,
): Promise<void> {
  await tx.sql`update sca_resets set status = ${status} where platform_id = ${tx.platformId} and id = ${id}`;
}

export async function markResetCompleted(tx: Tx, { id }: Pick<Reset, 'id'>): Promise<void> {
  await tx.sql`
    update sca_resets set status = 'COMPLETED', completed_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${id}`;
}

/** Marks resets that removed the factor as done, once it is enrolled again. */
export async function markReenrolled(tx: Tx, customerId: CustomerId, factor: EnrolledFactor): Promise<void> {
  await tx.sql`
    update sca_resets set reenrolled_at = ${tx.now}
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and factor = ${factor}
       and status = 'COMPLETED' and reenrolled_at is null`;
}

/** Returns when the customer's nth last reset was started, if within this time. */
export async function findResetStart(
  tx: ReadTx,
  customerId: CustomerId,
  { nth, withinMs }: { readonly nth: number; readonly withinMs: number },
): Promise<Date | undefined> {
  const [row] = await tx.sql<{ created_at: Date }>`
    select created_at from sca_resets
     where platform_id = ${tx.platformId} and customer_id = ${customerId}
       and created_at > ${new Date(tx.now.getTime() - withinMs)}
     order by created_at desc offset ${nth - 1} limit 1`;
  return row?.created_at;
}

/** Deletes resets thirty days after their expiry. */
export function purgeResets(tx: Tx, rowsMax: number): Promise<number> {
  return purgeRows(tx, 'sca_resets', sql`expires_at < ${tx.now}::timestamptz - interval '30 days'`, rowsMax);
}
