import type { Customer, ListCustomersQuery, VerificationStatus } from '@corridor/client';
import { usePages, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { placeOf } from '../../ui/id.tsx';
import { Screen } from '../../ui/layout.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { nameOf, statusOf } from './name.ts';
import { NewCustomer } from './new-customer.tsx';

/** Answers: who are my customers, and which of them still need something? */
export default function Customers() {
  const filters = useFilters(FIELDS);
  const query = { ...filters.values, limit: 50 } as ListCustomersQuery;
  const customers = usePages(
    ['listCustomers', query],
    (cursor) => corridor.listCustomers({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  return (
    <Screen
      title="Customers"
      answer={<Answer total={customers.total} isFiltered={filters.isAny} />}
      actions={<NewCustomer />}
    >
      <Filters fields={FIELDS} filters={filters} />
      <PagedTable
        caption="Customers"
        what="The customers could not be loaded."
        pages={customers}
        keyOf={({ id }) => id}
        linkOf={({ id }) => placeOf(id)}
        empty={
          filters.isAny ? (
            <Empty title="No customer matches these filters." />
          ) : (
            <Empty title="There is no customer yet.">
              <p>
                Create one here, import a CSV file, or call the API. Every customer gets accounts at once.
              </p>
            </Empty>
          )
        }
        columns={COLUMNS}
      />
    </Screen>
  );
}

const COLUMNS = [
  { title: 'Name', isWide: true, cell: (customer: Customer) => <Text>{nameOf(customer)}</Text> },
  { title: 'Verification', cell: (customer: Customer) => <Status value={statusOf(customer)} /> },
  { title: 'Type', cell: ({ customerType }: Customer) => sayName(customerType) },
  { title: 'Your id', cell: ({ platformCustomerId }: Customer) => <Text>{platformCustomerId}</Text> },
  { title: 'Region', cell: ({ region }: Customer) => <Text>{region}</Text> },
  { title: 'Created', cell: ({ createdAt }: Customer) => <Time at={createdAt} /> },
] as const;

const FIELDS: readonly FilterField[] = [
  { name: 'platformCustomerId', label: 'Your id', kind: 'text' },
  { name: 'email', label: 'E-mail', kind: 'text', isPersonal: true },
  { name: 'umaAddress', label: 'UMA address', kind: 'text', isPersonal: true },
  { name: 'customerType', label: 'Type', kind: 'select', options: ['INDIVIDUAL', 'BUSINESS'] },
  { name: 'region', label: 'Region', kind: 'text', placeholder: 'US' },
  { name: 'currency', label: 'Currency', kind: 'text', placeholder: 'USD' },
  {
    name: 'isIncludingDeleted',
    label: 'Deleted',
    kind: 'select',
    options: ['true'],
    words: { '': 'Hidden', true: 'Shown' },
  },
];

/** The first line: how many customers there are, and how many of their verifications are waiting. */
function Answer({ total, isFiltered }: { total: number | undefined; isFiltered: boolean }) {
  const missing = useCount('RESOLVE_ERRORS');
  const reviewed = useCount('PENDING_MANUAL_REVIEW');
  if (total === undefined) return <>Your customers, and what their verifications still need.</>;
  return (
    <>
      {isFiltered
        ? `${total.toLocaleString('en')} ${total === 1 ? 'customer matches' : 'customers match'}.`
        : total <= 1
          ? `You have ${total === 1 ? 'one customer' : 'no customer yet'}.`
          : `You have ${total.toLocaleString('en')} customers.`}{' '}
      {missing > 0 && `${sayCount(missing)} for data or documents from you. `}
      {reviewed > 0 && `${sayCount(reviewed)} for a manual review.`}
      {missing + reviewed === 0 && 'No verification is waiting.'}
    </>
  );
}

function useCount(verificationStatus: VerificationStatus): number {
  const found = useQuery(
    ['listVerifications', verificationStatus],
    () => corridor.listVerifications({ verificationStatus, limit: 1 }),
    { live: 'events' },
  );
  return found.data?.totalCount ?? 0;
}

function sayCount(count: number): string {
  return count === 1 ? 'One verification is waiting' : `${count} verifications are waiting`;
}
