import type { BulkCustomerImportJob } from '#capabilities/customers/bulk/schemas.ts';
import { findErrors, type ImportRow } from '#capabilities/customers/bulk/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** An import as GET returns it (customers.md §2.5.30, §2.5.31). */
export async function presentImport(tx: ReadTx, row: ImportRow): Promise<BulkCustomerImportJob> {
  const { id, status, total, successful, failed, completed_at: completedAt } = row;
  const errors = await findErrors(tx, id);
  return {
    id: publicId('Job', id),
    status,
    progress: { total, processed: successful + failed, successful, failed },
    ...(errors.length > 0 && {
      errors: errors.map(({ correlation_id: correlationId, code, message, details }) => ({
        correlationId,
        code,
        message,
        ...(details && { details }),
      })),
    }),
    ...(completedAt && { completedAt: completedAt.toISOString() }),
  };
}
