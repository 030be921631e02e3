import type { Customer, ListCustomersQuery, VerificationStatus } from '@corridor/client';
import { type Page, usePages, useQuery } from '../../api/query.ts';
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

/** Answers: who are my customers, and for whom is something missing? */
export default function Customers() {
  const filters = useFilters(FIELDS);
  const { email, ...others } = filters.values;
  const query = { ...others, limit: 50 } as ListCustomersQuery;
  const customers = usePages(
    ['listCustomers', query, email],
    (cursor) =>
      email === undefined
        ? corridor.listCustomers({ ...query, ...(cursor && { cursor }) })
        : findByEmail(email),
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
        what="The customers could not be read."
        pages={customers}
        keyOf={({ id }) => id}
        linkOf={({ id }) => placeOf(id)}
        empty={
          filters.isAny ? (
            <Empty title="No customer matches." />
          ) : (
            <Empty title="There is no customer yet.">
              <p>Create one here, import a CSV file, or call the API. Each gets its accounts at once.</p>
            </Empty>
          )
        }
        columns={COLUMNS}
      />
    </Screen>
  );
}

/** A whole address finds its customers, whatever the other filters are. */
async function findByEmail(email: string): Promise<Page<Customer>> {
  const { data } = await corridor.search({ q: email });
  const ids = data.map(({ resourceId }) => resourceId).filter((id) => id.startsWith('Customer:'));
  const rows = await Promise.all([...new Set(ids)].map((id) => corridor.getCustomerById(id)));
  return { data: rows, hasMore: false, totalCount: rows.length };
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
  { name: 'region', label: 'Region', kind: 'text' },
  { name: 'currency', label: 'Currency', kind: 'text' },
  {
    name: 'isIncludingDeleted',
    label: 'Deleted',
    kind: 'select',
    options: ['true'],
    words: { true: 'Show them, too' },
  },
];

/** The first line: how many there are, and how many of their verifications wait for something. */
function Answer({ total, isFiltered }: { total: number | undefined; isFiltered: boolean }) {
  const missing = useCount('RESOLVE_ERRORS');
  const reviewed = useCount('PENDING_MANUAL_REVIEW');
  if (total === undefined) return <>Who your customers are, and for whom something is missing.</>;
  return (
    <>
      {isFiltered
        ? `${total} match.`
        : total === 1
          ? 'You have one customer.'
          : `You have ${total} customers.`}{' '}
      {missing > 0 && `${sayCount(missing)} for something that you must send. `}
      {reviewed > 0 && `${sayCount(reviewed)} for a review by hand.`}
      {missing + reviewed === 0 && 'No verification waits for anything.'}
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
  return count === 1 ? 'One verification waits' : `${count} verifications wait`;
}
