import { purgeRows } from '#foundation/database/rows.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** The factors that must be enrolled; a verified phone number enables text messages without enrolment. */
export type EnrolledFactor = 'TOTP' | 'PASSKEY';

/** An enrolment that was started and can still be confirmed. */
export interface Enrollment {
  readonly customerId: CustomerId;
  readonly factor: EnrolledFactor;
  /** TOTP: the secret; PASSKEY: the challenge that the new passkey must contain. */
  readonly material: Buffer;
  readonly expiresAt: Date;
}

/** Replaces the previous enrolment. */
export async function storeEnrollment(tx: Tx, enrollment: Enrollment): Promise<void> {
  const { customerId, factor, material, expiresAt } = enrollment;
  const sealed = tx.vault.sealFor([customerId], material, sealContext(customerId, factor));
  await tx.sql`
    insert into sca_enrollments (platform_id, customer_id, factor, material, expires_at)
    values (${tx.platformId}, ${customerId}, ${factor}, ${sealed}, ${expiresAt})
    on conflict (platform_id, customer_id, factor) do update
       set material = excluded.material, expires_at = excluded.expires_at`;
}

/** Undefined: none was started, or it was confirmed or has expired. */
export async function findEnrollment(
  tx: ReadTx,
  customerId: CustomerId,
  factor: EnrolledFactor,
): Promise<Enrollment | undefined> {
  const [row] = await tx.sql<{ material: Buffer; expires_at: Date }>`
    select material, expires_at from sca_enrollments
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and factor = ${factor}
       and expires_at > ${tx.now}`;
  if (!row) return undefined;
  const material = tx.vault.open(row.material, sealContext(customerId, factor));
  return { customerId, factor, material, expiresAt: row.expires_at };
}

export async function deleteEnrollment(
  tx: Tx,
  customerId: CustomerId,
  factor: EnrolledFactor,
): Promise<void> {
  await tx.sql`
    delete from sca_enrollments
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and factor = ${factor}`;
}

/** Deletes enrolments that can no longer be confirmed. */
export function purgeEnrollments(tx: Tx, rowsMax: number): Promise<number> {
  return purgeRows(tx, 'sca_enrollments', sql`expires_at <= ${tx.now}`, rowsMax);
}

function sealContext(customerId: CustomerId, factor: EnrolledFactor): string {
  return `sca_enrollments.material:${customerId}:${factor}`;
}
