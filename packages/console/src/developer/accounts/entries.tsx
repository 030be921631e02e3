import type { InternalAccount, InternalAccountEntry } from '@corridor/client';
import { type Pages, usePages } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Chart } from '../../ui/chart.tsx';
import { Id } from '../../ui/id.tsx';
import { Section } from '../../ui/layout.tsx';
import { formatMoney, Money } from '../../ui/money.tsx';
import { Empty, Skeleton } from '../../ui/states.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { sayName } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

const BOOKS: Readonly<Record<InternalAccountEntry['book'], string>> = {
  AVAILABLE: 'Available',
  HELD: 'On hold',
  ARRIVING: 'Arriving',
};

/** The statement of the account: every change of the balance, as a table and as a chart. */
export function Entries({ account }: { account: InternalAccount }) {
  const { id } = account;
  const entries = usePages(
    ['listInternalAccountEntries', id],
    (cursor) => corridor.listInternalAccountEntries(id, { limit: 50, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  // The chart and the table appear together, so that the page does not jump.
  if (entries.isLoading) return <Skeleton lines={20} />;
  return (
    <>
      <BalanceChart account={account} entries={entries} />
      <Section
        title="Entries"
        hint="Every change of the balance, newest first. A hold is two changes: the amount leaves the available balance and is added to the amount on hold."
      >
        <PagedTable
          caption="Entries of this account"
          what="The entries could not be loaded."
          pages={entries}
          keyOf={(entry) => `${entry.id} ${entry.book}`}
          empty={
            <Empty title="This account has no entries yet.">
              <p>A deposit, a payment or a card purchase makes its first entry.</p>
            </Empty>
          }
          columns={[
            { title: 'Time', cell: ({ createdAt }) => <Time at={createdAt} isExact /> },
            { title: 'Entry', cell: ({ kind }) => sayName(kind) },
            { title: 'Transaction', cell: ({ transactionId }) => <Id id={transactionId} /> },
            { title: 'Balance', cell: ({ book }) => BOOKS[book] },
            {
              title: 'Change',
              align: 'end',
              cell: (entry) => <Money amount={effectOf(entry)} currency={entry.amount.currency} isSigned />,
            },
            {
              title: 'Balance after',
              align: 'end',
              cell: ({ balanceAfter }) => (
                <Money amount={balanceAfter.amount} currency={balanceAfter.currency} />
              ),
            },
          ]}
        />
      </Section>
    </>
  );
}

function effectOf({ direction, amount }: InternalAccountEntry): number {
  return direction === 'OUT' ? -amount.amount : amount.amount;
}

/** The available and the total balance after each change, for the entries that were loaded. */
function BalanceChart({
  account,
  entries,
}: {
  account: InternalAccount;
  entries: Pages<InternalAccountEntry>;
}) {
  const { times, spendable, totals } = historyOf(entries.rows);
  if (times.length < 2) return null;
  const { currency } = account.balance;
  return (
    <Section title="Balance over time">
      <Chart
        title={entries.more ? 'Since the oldest entry listed below' : 'Since the account was opened'}
        times={times}
        series={[
          { label: 'Total', values: totals, kind: 'wait' },
          { label: 'Available', values: spendable, kind: 'accent' },
        ]}
        format={(value) => formatMoney(Math.round(value), currency)}
        isStepped
      />
    </Section>
  );
}

interface History {
  readonly times: string[];
  readonly spendable: number[];
  readonly totals: number[];
}

/** Entries come newest first. Changes of one moment are one point. */
export function historyOf(entries: readonly InternalAccountEntry[]): History {
  const oldestFirst = entries.toReversed();
  const parts = new Map<string, number>();
  for (const entry of entries) parts.set(entry.book, entry.balanceAfter.amount - effectOf(entry));
  const history: History = { times: [], spendable: [], totals: [] };
  for (const entry of oldestFirst) {
    parts.set(entry.book, entry.balanceAfter.amount);
    if (history.times.at(-1) === entry.createdAt) {
      history.times.pop();
      history.spendable.pop();
      history.totals.pop();
    }
    history.times.push(entry.createdAt);
    history.spendable.push(parts.get('AVAILABLE') ?? 0);
    history.totals.push([...parts.values()].reduce((sum, part) => sum + part, 0));
  }
  return history;
}
