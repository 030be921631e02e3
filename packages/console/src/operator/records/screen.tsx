import { useLocation } from 'preact-iso/router';
import type { Page } from '../../api/first-page.ts';
import type { OperatorOperation } from '../../api/operator/call.ts';
import { operator } from '../../api/operator/session.ts';
import { usePages } from '../../api/query.ts';
import { Filters, type FilterValues, useFilters } from '../../ui/filters.tsx';
import { Screen } from '../../ui/layout.tsx';
import { ChangeButton } from '../../ui/operator/change.tsx';
import { ExportButton } from '../../ui/operator/export.tsx';
import { columnsOf, linkOf } from '../../ui/operator/record.tsx';
import { Empty } from '../../ui/states.tsx';
import { PagedTable } from '../../ui/table.tsx';
import type { Fields, Kind } from './kind.ts';
import { kindAt } from './kinds.ts';

type ReadList = (query: Record<string, unknown>) => PromiseLike<Page<Fields>>;

const AGAIN_MS = 10_000;
const PAGE = 50;

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
      actions={
        <>
          {operation === kind.list && (
            <ExportButton operation={operation} query={{ ...query, format: 'csv' }} />
          )}
          {kind.create && <ChangeButton operation={kind.create} label="New" kind="primary" />}
        </>
      }
    >
      {kind.views && <Views views={kind.views} />}
      <Filters fields={kind.filters} filters={filters} />
      <PagedTable
        caption={kind.title}
        what={`${kind.title} could not be loaded.`}
        pages={rows}
        keyOf={(row) => JSON.stringify(row)}
        linkOf={kind.linkOf ?? ((row) => linkOf(row, kind.columns[0]))}
        empty={
          <Empty title={filters.isAny ? 'Nothing matches these filters.' : 'There is none yet.'}>
            <p>{kind.empty}</p>
          </Empty>
        }
        columns={columnsOf(rows.rows, kind.columns, kind.clock)}
      />
    </Screen>
  );
}

function Views({ views }: { views: NonNullable<Kind['views']> }) {
  const { path, query } = useLocation();
  return (
    <nav class="views" aria-label="Views">
      {[{ name: 'All', filters: {} }, ...views].map(({ name, filters }) => {
        const search = new URLSearchParams(filters).toString();
        const isThis = new URLSearchParams(query).toString() === search;
        return (
          <a
            key={name}
            href={search === '' ? path : `${path}?${search}`}
            aria-current={isThis ? 'page' : undefined}
          >
            {name}
          </a>
        );
      })}
    </nav>
  );
}

/** Personal values are searched for by the operation that takes them in its body. */
function callFor(
  kind: Kind,
  { values }: FilterValues,
): { operation: OperatorOperation; query: Record<string, unknown> } {
  const isPersonal = kind.filters.some(({ name, isPersonal }) => isPersonal && values[name] !== undefined);
  const given = kind.filters.flatMap((field) => {
    const value = values[field.name];
    return value === undefined
      ? []
      : [[field.name, field.kind === 'date' ? timeOf(field.name, value) : value]];
  });
  return {
    operation: (isPersonal && kind.search) || kind.list,
    query: { ...Object.fromEntries(given), limit: PAGE },
  };
}

/** A day as the time at which it begins or, for the end of a span, as its last moment. */
function timeOf(name: string, day: string): string {
  return `${day}T${name.endsWith('Before') ? '23:59:59.999' : '00:00:00.000'}Z`;
}
