import type { Operator } from '../../api/operator/generated/schemas.ts';
import { operator } from '../../api/operator/session.ts';
import { usePages } from '../../api/query.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Screen } from '../../ui/layout.tsx';
import { ChangeButton } from '../../ui/operator/change.tsx';
import { ExportButton } from '../../ui/operator/export.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

const AGAIN_MS = 10_000;

/** Answers: who runs the service, with which roles, and who waits to be confirmed? */
export default function People() {
  const filters = useFilters(FIELDS);
  const query = Object.fromEntries(Object.entries(filters.values).filter(([, value]) => value !== undefined));
  const people = usePages(
    ['listOperators', query],
    (cursor) => operator.listOperators({ ...query, limit: 50, ...(cursor && { cursor }) }),
    { everyMs: AGAIN_MS },
  );
  return (
    <Screen
      title="People"
      answer={sayWaiting(people.rows)}
      actions={
        <>
          <ExportButton operation="exportAccessReview" query={{}} label="Access review" />
          <ChangeButton operation="inviteOperator" label="Invite" kind="primary" />
        </>
      }
    >
      <Filters fields={FIELDS} filters={filters} />
      <PagedTable
        caption="Operators"
        what="The operators could not be loaded."
        pages={people}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/console/operator/people/${id}`}
        empty={<Empty title="Nobody matches these filters." />}
        columns={[
          { title: 'Name', isWide: true, cell: ({ name }) => <Text>{name}</Text> },
          { title: 'E-mail address', cell: ({ email }) => <Text>{email}</Text> },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Roles', cell: ({ roles }) => roles.join(', ') },
          { title: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} clock="real" /> },
        ]}
      />
    </Screen>
  );
}

function sayWaiting(people: readonly Operator[]): string {
  const waiting = people.filter(({ status }) => status === 'JOINED').length;
  if (waiting === 0) return 'The people who run the service. Nobody waits to be confirmed.';
  return waiting === 1 ? 'One person waits to be confirmed.' : `${waiting} people wait to be confirmed.`;
}

const FIELDS: readonly FilterField[] = [
  {
    name: 'status',
    label: 'Status',
    kind: 'select',
    options: ['INVITED', 'JOINED', 'ACTIVE', 'SUSPENDED', 'REMOVED'],
  },
  {
    name: 'role',
    label: 'Role',
    kind: 'select',
    options: ['viewer', 'support', 'compliance', 'finance', 'treasury', 'admin'],
  },
];
