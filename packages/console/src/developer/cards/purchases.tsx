import type { TransactionOneOf } from '@corridor/client';
import type { Pages } from '../../api/query.ts';
import { placeOf } from '../../ui/id.tsx';
import { Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

export type CardTransaction = Extract<TransactionOneOf, { type: 'CARD' }>;

export function Purchases({ purchases }: { purchases: Pages<TransactionOneOf> }) {
  return (
    <Section title="Transactions">
      <PagedTable
        caption="Transactions of this card"
        what="The transactions could not be loaded."
        pages={purchases as Pages<CardTransaction>}
        keyOf={({ id }) => id}
        linkOf={({ id }) => placeOf(id)}
        empty={<Empty title="This card has no transactions yet." />}
        columns={[
          { title: 'Merchant', cell: ({ merchant }) => <Text>{merchant.descriptor}</Text> },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          {
            title: 'Kind',
            cell: ({ direction, originalTransactionId }) =>
              originalTransactionId
                ? direction === 'CREDIT'
                  ? 'Return'
                  : 'Return reversed'
                : direction === 'CREDIT'
                  ? 'Credit'
                  : 'Purchase',
          },
          {
            title: 'Declined because',
            cell: ({ cardDeclinedReason }) =>
              cardDeclinedReason ? sayName(cardDeclinedReason) : <span class="soft">–</span>,
          },
          {
            title: 'Authorized',
            align: 'end',
            cell: ({ authorizedAmount }) => <Money {...authorizedAmount} />,
          },
          {
            title: 'Settled',
            align: 'end',
            cell: ({ settledAmount }) => (
              <Money amount={settledAmount?.amount} currency={settledAmount?.currency} />
            ),
          },
          { title: 'Still on hold', align: 'end', cell: OnHold },
          { title: 'Created', cell: ({ authorizedAt }) => <Time at={authorizedAt} /> },
        ]}
      />
    </Section>
  );
}

export function isOpen({ status }: CardTransaction): boolean {
  return status === 'AUTHORIZED' || status === 'PARTIALLY_SETTLED';
}

/** The amount that was authorized and not taken yet. */
export function openAmountOf({ authorizedAmount, settledAmount }: CardTransaction): number {
  return Math.max(0, authorizedAmount.amount - (settledAmount?.amount ?? 0));
}

function OnHold(purchase: CardTransaction) {
  if (!isOpen(purchase) || purchase.direction === 'CREDIT') return <span class="soft">–</span>;
  return <Money amount={openAmountOf(purchase)} currency={purchase.authorizedAmount.currency} />;
}
