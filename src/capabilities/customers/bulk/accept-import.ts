import assert from 'node:assert/strict';
import { schedulePurge } from '#capabilities/customers/bulk/end-import.ts';
import type { BulkCustomerImportJobAccepted } from '#capabilities/customers/bulk/schemas.ts';
import { insertImport } from '#capabilities/customers/bulk/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { keepUpload, type Upload } from '#foundation/uploads/uploads.ts';

export const IMPORT_JOB = 'customers.import';

export interface ImportPayload {
  readonly id: Id<'Job'>;
}

/**
 * POST /customers/bulk/csv. The sealed file is already in storage; its rows are imported later (customers.md §2.5.27).
 */
export async function acceptImport(tx: Tx, file: Upload | undefined): Promise<BulkCustomerImportJobAccepted> {
  assert(file, 'the schema requires the file');
  await keepUpload(tx, file);
  const { id } = await insertImport(tx, file.contentId);
  scheduleImport(tx, id, 0);
  schedulePurge(tx);
  return { jobId: publicId('Job', id), status: 'PENDING' };
}

export function scheduleImport(tx: Tx, id: Id<'Job'>, afterMs: number): void {
  const payload: ImportPayload = { id };
  schedule(tx, { kind: IMPORT_JOB, payload, afterMs });
}
