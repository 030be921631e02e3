import { useLocation } from 'preact-iso/router';
import type { Page } from '../../api/first-page.ts';
import type { OperatorOperation } from '../../api/operator/call.ts';
import { operator } from '../../api/operator/session.ts';
import { usePages } from '../../api/query.ts';
import { Filters, type FilterValues, useFilters } from '../../ui/filters.tsx';
import { Screen } from '../../ui/layout.tsx';
import { ChangeButton } from '../../ui/operator/change.tsx';
import { columnsOf, linkOf } from '../../ui/operator/record.tsx';
import { Empty } from '../../ui/states.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { type Kind, kindAt } from './kinds.ts';

type Row = Readonly<Record<string, unknown>>;
type ReadList = (query: Record<string, unknown>) => PromiseLike<Page<Row>>;

const AGAIN_MS = 10_000;

/** Answers: which of them are there, on all platforms? */
export default function Records() {
  const { path } = useLocation();
  const kind = kindAt(path);
  const filters = useFilters(kind.filters);
  const { operation, query } = callFor(kind, filters);
  const rows = usePages(
    [operation, query],
    (cursor) => (operator[operation] as unknown as ReadList)({ ...query, ...(cursor && { cursor }) }),
    // A search by personal data is recorded each time.
    operation === kind.search ? {} : { everyMs: AGAIN_MS },
  );
  return (
    <Screen
      title={kind.title}
      answer={kind.answer}
      actions={kind.create && <ChangeButton operation={kind.create} label="New" kind="primary" />}
    >
      <Filters fields={kind.filters} filters={filters} />
      <PagedTable
        caption={kind.title}
        what={`${kind.title} could not be loaded.`}
        pages={rows}
        keyOf={(row) => String(Object.values(row)[0])}
        linkOf={linkOf}
        empty={
          <Empty title={filters.isAny ? 'Nothing matches these filters.' : 'There is none yet.'}>
            <p>{kind.empty}</p>
          </Empty>
        }
        columns={columnsOf(rows.rows, kind.columns)}
      />
    </Screen>
  );
}

const PAGE = 50;

/** Personal values are searched for by the operation that takes them in its body. */
function callFor(
  kind: Kind,
  { values }: FilterValues,
): { operation: OperatorOperation; query: Record<string, unknown> } {
  const isPersonal = kind.filters.some(({ name, isPersonal }) => isPersonal && values[name] !== undefined);
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  return { operation: (isPersonal && kind.search) || kind.list, query: { ...given, limit: PAGE } };
}
