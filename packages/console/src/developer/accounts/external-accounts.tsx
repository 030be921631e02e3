import type { ExternalAccount, ListCustomerExternalAccountsQuery } from '@corridor/client';
import { useLocation } from 'preact-iso/router';
import { beneficiaryOf, endOf } from '../../api/names.ts';
import { usePages } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { CustomerId, placeOf } from '../../ui/id.tsx';
import { Screen, Section } from '../../ui/layout.tsx';
import { NewReceiver } from '../../ui/new-receiver.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { type Column, PagedTable } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

/** Answers: whom can my platform and my customers pay? `?new=<id of a customer>` opens the form for this customer. */
export default function ExternalAccounts() {
  const { query, route } = useLocation();
  const filters = useFilters(FIELDS);
  return (
    <Screen
      title="External accounts"
      answer="The accounts outside the service, at banks and in wallets, that you and your customers pay."
      actions={
        <NewReceiver
          customerId={query.new}
          onDone={({ id }) => route(placeOf(id) ?? '/console/external-accounts')}
        />
      }
    >
      <Filters fields={FIELDS} filters={filters} />
      <Own currency={filters.values.currency} />
      <OfCustomers values={filters.values} />
    </Screen>
  );
}

function Own({ currency }: { currency: string | undefined }) {
  const query = { ...(currency && { currency }), limit: 50 };
  const accounts = usePages(
    ['listPlatformExternalAccounts', query],
    (cursor) => corridor.listPlatformExternalAccounts({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  return (
    <Section title="Your platform’s receivers">
      <PagedTable
        caption="External accounts of your platform"
        what="The external accounts could not be loaded."
        pages={accounts}
        keyOf={({ id }) => id}
        linkOf={({ id }) => placeOf(id)}
        empty={<Empty title="Your platform has no receiver here." />}
        columns={COLUMNS}
      />
    </Section>
  );
}

interface OfCustomersProps {
  readonly values: Readonly<Record<string, string | undefined>>;
}

function OfCustomers({ values }: OfCustomersProps) {
  const query = { ...values, limit: 50 } as ListCustomerExternalAccountsQuery;
  const accounts = usePages(
    ['listCustomerExternalAccounts', query],
    (cursor) => corridor.listCustomerExternalAccounts({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  return (
    <Section title="Customers’ receivers">
      <PagedTable
        caption="External accounts of customers"
        what="The external accounts could not be loaded."
        pages={accounts}
        keyOf={({ id }) => id}
        linkOf={({ id }) => placeOf(id)}
        empty={<Empty title="No customer has a receiver here." />}
        columns={[
          ...COLUMNS,
          { title: 'Customer', cell: ({ customerId }: ExternalAccount) => <CustomerId id={customerId} /> },
        ]}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<ExternalAccount>[] = [
  {
    title: 'Receiver',
    isWide: true,
    cell: (account) => <Text>{beneficiaryOf(account) ?? sayName(account.accountInfo.accountType)}</Text>,
  },
  { title: 'Account', cell: (account) => <Text>{endOf(account)}</Text> },
  { title: 'Currency', cell: ({ currency }) => currency },
  { title: 'Status', cell: ({ status }) => <Status value={status} /> },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const FIELDS: readonly FilterField[] = [
  { name: 'customerId', label: 'Customer', kind: 'customer' },
  { name: 'currency', label: 'Currency', kind: 'text' },
];
