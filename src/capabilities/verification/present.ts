import type { Verification } from '#capabilities/verification/schemas.ts';
import type { VerificationRow } from '#capabilities/verification/store.ts';
import { publicId } from '#foundation/lib/ids.ts';

export function presentVerification(row: VerificationRow): Verification {
  return {
    id: publicId('Verification', row.id),
    customerId: publicId('Customer', row.customer_id),
    verificationStatus: row.status,
    errors: row.errors,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
