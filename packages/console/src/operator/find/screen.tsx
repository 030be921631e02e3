import type { FoundRecord } from '../../api/operator/generated/schemas.ts';
import { operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Id, placeOf } from '../../ui/id.tsx';
import { Screen } from '../../ui/layout.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { sayField, sayName, Text } from '../../ui/text.tsx';

/** Answers: what is this id, address or reference, and whose is it? */
export default function Find() {
  const filters = useFilters(FIELDS);
  const { value, environment } = filters.values;
  const found = useQuery(
    ['findRecords', value, environment],
    () =>
      operator.findRecords({
        value: value ?? '',
        ...(environment && { environment: environment as 'SANDBOX' }),
      }),
    { isEnabled: value !== undefined },
  );
  return (
    <Screen
      title="Find"
      answer="A whole value finds records of all platforms: an id, an e-mail address, a UMA address, a reference. Each search is recorded."
    >
      <Filters fields={FIELDS} filters={filters} />
      {value !== undefined && (
        <Loaded read={found} what="The value could not be searched for.">
          {({ data }) => <Records rows={data} />}
        </Loaded>
      )}
    </Screen>
  );
}

function Records({ rows }: { rows: readonly FoundRecord[] }) {
  if (rows.length === 0) {
    return (
      <Empty title="No record has this value.">
        <p>
          Only whole values match. People are also found by whole words of their names, among the customers.
        </p>
      </Empty>
    );
  }
  return (
    <Table
      caption="Records with this value"
      rows={rows}
      keyOf={({ resourceId, field }) => `${resourceId} ${field}`}
      linkOf={({ resourceId }) => placeOf(resourceId)}
      columns={[
        { title: 'Kind', cell: ({ kind }) => sayName(sayField(kind)) },
        { title: 'Id', cell: ({ resourceId }) => <Id id={resourceId} /> },
        { title: 'Found by', cell: ({ field }) => sayName(sayField(field)) },
        { title: 'Platform', cell: ({ platformName }) => <Text>{platformName}</Text>, isWide: true },
      ]}
    />
  );
}

const FIELDS: readonly FilterField[] = [
  { name: 'value', label: 'Value', kind: 'text', isPersonal: true },
  {
    name: 'environment',
    label: 'Environment',
    kind: 'select',
    options: ['PRODUCTION', 'SANDBOX'],
    words: { '': 'Production, if there is any' },
  },
];
