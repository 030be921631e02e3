import type { InternalAccount, ListInternalAccountsQuery } from '@corridor/client';
import { usePages, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { CustomerId, placeOf } from '../../ui/id.tsx';
import { Screen, Section } from '../../ui/layout.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { ACCOUNT_COLUMNS } from '../../ui/resources.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { PagedTable, Table } from '../../ui/table.tsx';

/** Answers: where is the money, and how much of it can be spent? */
export default function Accounts() {
  const filters = useFilters(FIELDS);
  const query = { ...filters.values, limit: 50 } as ListInternalAccountsQuery;
  const customers = usePages(
    ['listInternalAccounts', query],
    (cursor) => corridor.listInternalAccounts({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  const own = useQuery(
    ['listPlatformInternalAccounts'],
    async () => (await corridor.listPlatformInternalAccounts()).data,
    { live: 'events' },
  );
  return (
    <Screen title="Accounts" answer={sayMoney(own.data, customers.total)}>
      <Section title="Your platform’s accounts">
        <Loaded read={own} what="The platform’s accounts could not be loaded.">
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="Your platform has no account yet." />
            ) : (
              <Table
                caption="Accounts of your platform"
                rows={rows}
                keyOf={({ id }) => id}
                linkOf={({ id }) => placeOf(id)}
                columns={ACCOUNT_COLUMNS}
              />
            )
          }
        </Loaded>
      </Section>
      <Section title="Customer accounts">
        <Filters fields={FIELDS} filters={filters} />
        <PagedTable
          caption="Accounts of customers"
          what="The customer accounts could not be loaded."
          pages={customers}
          keyOf={({ id }) => id}
          linkOf={({ id }) => placeOf(id)}
          empty={
            <Empty title={filters.isAny ? 'No account matches these filters.' : 'There is no account yet.'}>
              <p>Every new customer gets one account per currency at once.</p>
            </Empty>
          }
          columns={[
            ...ACCOUNT_COLUMNS,
            { title: 'Customer', cell: ({ customerId }: InternalAccount) => <CustomerId id={customerId} /> },
          ]}
        />
      </Section>
    </Screen>
  );
}

const FIELDS: readonly FilterField[] = [
  { name: 'customerId', label: 'Customer', kind: 'customer' },
  { name: 'currency', label: 'Currency', kind: 'text', placeholder: 'USD' },
  {
    name: 'type',
    label: 'Kind',
    kind: 'select',
    options: ['INTERNAL_FIAT', 'INTERNAL_CRYPTO', 'EMBEDDED_WALLET'],
    words: { INTERNAL_FIAT: 'Fiat', INTERNAL_CRYPTO: 'Crypto', EMBEDDED_WALLET: 'Wallet' },
  },
];

function sayMoney(own: readonly InternalAccount[] | undefined, count: number | undefined): string {
  const filled = (own ?? []).filter(({ totalBalance }) => totalBalance.amount > 0);
  const sums = filled.map(({ totalBalance }) => formatMoney(totalBalance.amount, totalBalance.currency));
  const mine =
    sums.length > 0 ? `Your platform holds ${sums.join(', ')}` : 'Your platform holds no money of its own';
  return count === undefined
    ? `${mine}.`
    : `${mine}. Your customers have ${count.toLocaleString('en')} ${count === 1 ? 'account' : 'accounts'}.`;
}
