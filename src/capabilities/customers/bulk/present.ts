import type {
  BulkCustomerImportJob,
  BulkCustomerImportJobSummary,
} from '#capabilities/customers/bulk/schemas.ts';
import { findErrors, type ImportRow, type ListedImport } from '#capabilities/customers/bulk/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** An import as GET returns it (customers.md §2.5.30, §2.5.31). */
export async function presentImport(tx: ReadTx, row: ImportRow): Promise<BulkCustomerImportJob> {
  const errors = await findErrors(tx, row.id);
  const { completedAt, ...progress } = presentProgress(row);
  return {
    ...progress,
    ...(errors.length > 0 && {
      errors: errors.map(({ correlation_id: correlationId, code, message, details }) => ({
        correlationId,
        code,
        message,
        ...(details && { details }),
      })),
    }),
    ...(completedAt && { completedAt }),
  };
}

/** An import in a list (customers.md §2.5.32). */
export function presentListed(row: ListedImport): BulkCustomerImportJobSummary {
  return { ...presentProgress(row), createdAt: row.created_at.toISOString() };
}

function presentProgress({ id, status, total, successful, failed, completed_at: completedAt }: ImportRow) {
  return {
    id: publicId('Job', id),
    status,
    progress: { total, processed: successful + failed, successful, failed },
    ...(completedAt && { completedAt: completedAt.toISOString() }),
  };
}
