import type { OperatorOperation } from '../../api/operator/call.ts';
import { saveFile } from '../../api/operator/file.ts';
import { useMutation } from '../../api/query.ts';
import { Failed } from '../states.tsx';
import { toast } from '../toast.tsx';

interface ExportProps {
  readonly operation: OperatorOperation;
  /** Path parameters, in the order of the path. */
  readonly params?: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly label?: string;
}

/** Saves all rows of a list, masked like the list, as a CSV file. It is recorded who exported what (operator.md §6.2). */
export function ExportButton({ operation, params = [], query, label = 'Export' }: ExportProps) {
  const { limit: _page, ...filters } = query;
  const saving = useMutation(
    () => saveFile(operation, params, filters),
    () => toast('The file was saved.'),
  );
  return (
    <>
      <button type="button" aria-disabled={saving.isRunning} onClick={() => saving.run(undefined)}>
        {saving.isRunning ? 'Exporting…' : label}
      </button>
      {saving.failure && <Failed what="It was not exported." failure={saving.failure} />}
    </>
  );
}
