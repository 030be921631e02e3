import type { ListInternalAccountsQuery } from '@corridor/client';
import { usePages } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { CustomerId, shortId } from '../../ui/id.tsx';
import { Screen } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** Answers: which customers have a wallet of their own? */
export default function Wallets() {
  const filters = useFilters(FIELDS);
  const query = { ...filters.values, type: 'EMBEDDED_WALLET', limit: 50 } as ListInternalAccountsQuery;
  const wallets = usePages(
    ['listInternalAccounts', query],
    (cursor) => corridor.listInternalAccounts({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  return (
    <Screen title="Wallets" answer={sayCount(wallets.total)}>
      <Filters fields={FIELDS} filters={filters} />
      <PagedTable
        caption="Wallets"
        what="The wallets could not be loaded."
        pages={wallets}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/console/wallets/${id}`}
        empty={
          <Empty title={filters.isAny ? 'No wallet matches these filters.' : 'There is no wallet yet.'}>
            <p>A customer with a wallet currency gets a wallet at once.</p>
          </Empty>
        }
        columns={[
          { title: 'Wallet', cell: ({ id }) => <code>{shortId(id)}</code> },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Customer', cell: ({ customerId }) => <CustomerId id={customerId} /> },
          {
            title: 'Available',
            align: 'end',
            cell: ({ balance }) => <Money amount={balance.amount} currency={balance.currency} />,
          },
          { title: 'Opened', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Screen>
  );
}

const FIELDS: readonly FilterField[] = [
  { name: 'customerId', label: 'Customer', kind: 'customer' },
  { name: 'currency', label: 'Currency', kind: 'text', placeholder: 'USD' },
];

function sayCount(total: number | undefined): string {
  const what = 'Only the customer can sign payments from a wallet, with their own credential.';
  if (total === undefined || total === 0) return what;
  return `${total === 1 ? 'One wallet' : `${total} wallets`}. ${what}`;
}
