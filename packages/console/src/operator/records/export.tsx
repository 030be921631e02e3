import type { OperatorOperation } from '../../api/operator/call.ts';
import { saveFile } from '../../api/operator/file.ts';
import { useMutation } from '../../api/query.ts';
import { Failed } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';

interface ExportProps {
  readonly operation: OperatorOperation;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Saves all rows of a list, masked like the list, as a CSV file. It is recorded who exported what (operator.md §6.2). */
export function ExportButton({ operation, query }: ExportProps) {
  const { limit: _page, ...filters } = query;
  const saving = useMutation(
    () => saveFile(operation, [], { ...filters, format: 'csv' }),
    () => toast('The file was saved.'),
  );
  return (
    <>
      <button type="button" aria-disabled={saving.isRunning} onClick={() => saving.run(undefined)}>
        {saving.isRunning ? 'Exporting…' : 'Export'}
      </button>
      {saving.failure && <Failed what="It was not exported." failure={saving.failure} />}
    </>
  );
}
