import { type ErrorRow, findErrors } from '#capabilities/customers/bulk/error-store.ts';
import type {
  BulkCustomerImportJob,
  BulkCustomerImportJobSummary,
} from '#capabilities/customers/bulk/schemas.ts';
import type { ImportRow, ListedImport } from '#capabilities/customers/bulk/store.ts';
import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { describing, strangersOf } from '#foundation/person-keys/people.ts';

/** An import as GET returns it (customers.md §2.5.30, §2.5.31). */
export async function presentImport(tx: ReadTx, row: ImportRow): Promise<BulkCustomerImportJob> {
  const errors = await findErrors(tx, row.id);
  const { completedAt, ...progress } = presentProgress(row);
  const shown: BulkCustomerImportJob = {
    ...progress,
    ...(errors.length > 0 && {
      errors: errors.map(({ correlationId, code, message, details }) => ({
        correlationId,
        code,
        message,
        ...(details && { details }),
      })),
    }),
    ...(completedAt && { completedAt }),
  };
  return errors.length === 0 ? shown : describing(shown, peopleOf(tx, errors));
}

/** Errors that name more people than this are sealed for the strangers of the month: a value has a limit of people. */
const PEOPLE_MAX = 200;

/** Finds the people to whom the platform's references in the errors belong. */
function peopleOf(tx: ReadTx, errors: readonly ErrorRow[]): PersonId[] {
  const strangers = strangersOf(tx.vault, tx.platformId, tx.now);
  const people = new Set([strangers, ...errors.flatMap((error) => error.people)]);
  return people.size > PEOPLE_MAX ? [strangers] : [...people];
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
