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
    <Screen title="Find" answer="Searches all platforms for one exact value. Each search is recorded.">
      <Filters fields={FIELDS} filters={filters} />
      {value !== undefined && (
        <Loaded read={found} what="The value could not be searched for.">
          {({ data, isTruncated }) => <Records rows={data} isTruncated={isTruncated} />}
        </Loaded>
      )}
    </Screen>
  );
}

interface RecordsProps {
  readonly rows: readonly FoundRecord[];
  readonly isTruncated: boolean;
}

function Records({ rows, isTruncated }: RecordsProps) {
  if (rows.length === 0) {
    return (
      <Empty title="No record has this value.">
        <p>
          Only whole values match: an id, an e-mail address, a phone number with its country code, whole words
          of a name, a UMA address, or a reference.
        </p>
      </Empty>
    );
  }
  return (
    <>
      {isTruncated && <p>There are more records. The newest of each kind are shown.</p>}
      <Found rows={rows} />
    </>
  );
}

function Found({ rows }: { rows: readonly FoundRecord[] }) {
  return (
    <Table
      caption="Records with this value"
      rows={rows}
      keyOf={({ resourceId, field }) => `${resourceId} ${field}`}
      linkOf={({ resourceId }) => placeOf(resourceId)}
      columns={[
        { title: 'Kind', cell: ({ kind }) => KINDS[kind] ?? sayField(kind) },
        { title: 'Id', cell: ({ resourceId }) => <Id id={resourceId} /> },
        { title: 'Found by', cell: ({ field }) => sayField(field) },
        { title: 'Platform', cell: ({ platformName }) => <Text>{platformName}</Text>, isWide: true },
        { title: 'Environment', cell: ({ environment }) => environment && sayName(environment) },
      ]}
    />
  );
}

/** Kinds by the words of the screens that show them. */
const KINDS: Readonly<Record<string, string>> = {
  AgentAction: 'Action of an agent',
  BeneficialOwner: 'Beneficial owner',
  ExternalAccount: 'External account',
  InternalAccount: 'Account',
  Job: 'Import',
  JournalEntry: 'Entry of the ledger',
  RequestLog: 'Request',
  StablecoinOperation: 'Mint or burn',
  StablecoinProviderAccount: 'Link of a stablecoin',
  Transaction: 'Payment',
  Webhook: 'Event',
};

const FIELDS: readonly FilterField[] = [
  {
    ...{ name: 'value', label: 'Value', kind: 'text', isPersonal: true },
    placeholder: 'Id, e-mail, phone, name, reference',
  },
  {
    name: 'environment',
    label: 'Environment',
    kind: 'select',
    options: ['PRODUCTION', 'SANDBOX'],
    words: { '': 'Both' },
  },
];
