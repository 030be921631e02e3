import { Readable } from 'node:stream';
import { type ExportRow, listExport } from '#capabilities/reconciliation/operator/export-store.ts';
import type { BankAccount } from '#capabilities/reconciliation/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';
import { csvCell, csvLine } from '#foundation/records/csv.ts';

/** bank-files.md §7.4 */
const ROWS_MAX = 100_000;

const COLUMNS = {
  ...{ record: 'record', day: 'day', id: 'id', amount: 'amount', currency: 'currency', kind: 'kind' },
  ...{ state: 'state', match: 'match', matchedOn: 'matched_on', about: 'about' },
} as const satisfies Record<string, keyof ExportRow>;

export const EXPORT_COLUMNS = Object.keys(COLUMNS);

/** The rows of a period; a period with too many is refused. */
export async function readExport(
  run: Run,
  account: BankAccount,
  period: { readonly from: string; readonly to: string },
): Promise<ExportRow[]> {
  const rows = await listExport(run, account, period, ROWS_MAX + 1);
  if (rows.length > ROWS_MAX) {
    const message = `the period has more than ${ROWS_MAX.toLocaleString('en')} rows: choose a shorter one`;
    throw invalidFields([{ field: 'to', message }]);
  }
  return rows;
}

export function presentExported(row: ExportRow): Record<string, string | null> {
  return Object.fromEntries(Object.entries(COLUMNS).map(([name, key]) => [name, row[key]]));
}

export function exportAsCsv(rows: readonly ExportRow[]): Readable {
  return Readable.from(csvOf(rows), { objectMode: false });
}

function* csvOf(rows: readonly ExportRow[]): Generator<string> {
  yield csvLine(EXPORT_COLUMNS);
  for (const row of rows) yield csvLine(Object.values(COLUMNS).map((key) => csvCell(row[key])));
}
