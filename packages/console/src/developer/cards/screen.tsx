import type { Card, ListCardsQuery } from '@corridor/client';
import { usePages } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { CustomerId, Id, placeOf } from '../../ui/id.tsx';
import { Screen } from '../../ui/layout.tsx';
import { sayCard } from '../../ui/resources.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { NewCard } from './new-card.tsx';

/** Answers: which cards are there, and which of them can pay? */
export default function Cards() {
  const filters = useFilters(FIELDS);
  const query = { ...filters.values, limit: 50 } as ListCardsQuery;
  const cards = usePages(
    ['listCards', query],
    (cursor) => corridor.listCards({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  return (
    <Screen title="Cards" answer={sayCards(cards.rows, cards.total)} actions={<NewCard />}>
      <Filters fields={FIELDS} filters={filters} />
      <PagedTable
        caption="Cards"
        what="The cards could not be loaded."
        pages={cards}
        keyOf={({ id }) => id}
        linkOf={({ id }) => placeOf(id)}
        empty={
          <Empty title={filters.isAny ? 'No card matches these filters.' : 'There is no card yet.'}>
            <p>A card belongs to a verified customer, and one of the customer’s accounts funds it.</p>
          </Empty>
        }
        columns={[
          { title: 'Card', cell: sayCard },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Your id', cell: ({ platformCardId }) => <Text>{platformCardId}</Text> },
          { title: 'Customer', cell: ({ customerId }) => <CustomerId id={customerId} /> },
          { title: 'Funding account', cell: ({ fundingSource }) => <Id id={fundingSource} /> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Screen>
  );
}

const FIELDS: readonly FilterField[] = [
  {
    name: 'status',
    label: 'Status',
    kind: 'select',
    options: ['PROCESSING', 'ACTIVE', 'FROZEN', 'CLOSED'],
  },
  { name: 'platformCardId', label: 'Your id', kind: 'text' },
  { name: 'customerId', label: 'Customer', kind: 'customer' },
  { name: 'accountId', label: 'Account', kind: 'text', placeholder: 'InternalAccount:…' },
];

function sayCards(rows: readonly Card[], total: number | undefined): string {
  if (rows.length === 0) return 'Cards pay from a customer’s account, within limits that you set.';
  const active = rows.filter(({ status }) => status === 'ACTIVE').length;
  const shown = total !== undefined && total > rows.length ? ` of the ${rows.length} shown` : '';
  return `${total ?? rows.length} in total; ${active}${shown} can pay now.`;
}
