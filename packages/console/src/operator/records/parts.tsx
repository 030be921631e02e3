import type { Page } from '../../api/first-page.ts';
import { ROLES } from '../../api/operator/generated/summaries.ts';
import { hasRole, operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Section } from '../../ui/layout.tsx';
import { columnsOf, linkOf } from '../../ui/operator/record.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { ENVIRONMENT, type Fields, type Kind, type Part } from './kind.ts';
import { KINDS } from './kinds.ts';

interface PartsProps {
  readonly kind: Kind;
  readonly id: string;
  readonly record: Fields;
}

/** What belongs to a record: the newest rows of other lists, each with a link to all of them. */
export function Parts({ kind, id, record }: PartsProps) {
  return (
    <>
      {(kind.parts ?? []).map((part) => (
        <OnePart key={part.kind} part={part} id={id} platform={record.platform} />
      ))}
    </>
  );
}

const SHOWN = 10;

function OnePart({ part, id, platform }: { part: Part; id: string; platform: unknown }) {
  const of = KINDS[part.kind] as Kind;
  const isAllowed = hasRole(ROLES[of.list] ?? []);
  const isOfPlatform = of.filters.includes(ENVIRONMENT) && part.by !== 'platform';
  const filters = { [part.by]: id, ...(isOfPlatform && typeof platform === 'string' && { platform }) };
  const rows = useQuery(
    [of.list, filters, 'part'],
    () =>
      (operator[of.list] as unknown as (query: object) => PromiseLike<Page<Fields>>)({
        ...filters,
        limit: SHOWN,
      }),
    { isEnabled: isAllowed },
  );
  if (!isAllowed || (rows.data && (rows.data.data ?? []).length === 0)) return null;
  const title = part.title ?? of.title;
  const all = `/console/operator/${part.kind}?${new URLSearchParams(filters)}`;
  return (
    <Section title={title} actions={rows.data?.hasMore && <a href={all}>All of them</a>}>
      <Loaded read={rows} what={`${of.title} could not be loaded.`} lines={2}>
        {({ data = [] }) => (
          <Table
            caption={title}
            rows={data}
            keyOf={(row) => JSON.stringify(row)}
            linkOf={of.linkOf ?? ((row) => linkOf(row, of.columns[0]))}
            columns={columnsOf(
              data,
              of.columns.filter((name) => name !== part.by && name !== 'platformName'),
              of.clock,
            )}
          />
        )}
      </Loaded>
    </Section>
  );
}
