import type { InternalAccount, InternalAccountEntry } from '@corridor/client';
import { usePages } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Id } from '../../ui/id.tsx';
import { Facts, Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { sayName } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

/** The ledger beside the terminal: what each message did to the money. */
export function Ledger({ accountId, account }: { accountId: string; account: InternalAccount | undefined }) {
  const currency = account?.balance.currency;
  const spendable = account?.balance.amount;
  const total = account?.totalBalance.amount;
  const held = spendable === undefined || total === undefined ? undefined : total - spendable;
  return (
    <Section title="Ledger of the account">
      <Facts
        facts={{
          Available: <Money amount={spendable} currency={currency} />,
          'On hold': <Money amount={held} currency={currency} />,
          Account: <Id id={accountId} />,
        }}
      />
      <Entries accountId={accountId} />
    </Section>
  );
}

const SHOWN = 10;

function Entries({ accountId }: { accountId: string }) {
  const entries = usePages(
    ['listInternalAccountEntries', accountId, SHOWN],
    (cursor) => corridor.listInternalAccountEntries(accountId, { limit: SHOWN, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  return (
    <PagedTable
      caption="Entries of the account, newest first"
      what="The entries could not be loaded."
      pages={entries}
      keyOf={({ id, book }) => `${id} ${book}`}
      empty={<p class="soft">No entries yet.</p>}
      columns={[
        { title: 'Entry', isWide: true, cell: What },
        { title: 'Change and balance', align: 'end', cell: Change },
      ]}
    />
  );
}

function Change({ direction, amount, balanceAfter }: InternalAccountEntry) {
  const effect = direction === 'OUT' ? -amount.amount : amount.amount;
  return (
    <span>
      <Money amount={effect} currency={amount.currency} isSigned />
      <br />
      <span class="soft">
        <Money amount={balanceAfter.amount} currency={balanceAfter.currency} />
      </span>
    </span>
  );
}

const BOOKS: Readonly<Record<InternalAccountEntry['book'], string>> = {
  AVAILABLE: 'available',
  HELD: 'on hold',
  ARRIVING: 'arriving',
};

function What({ kind, book, createdAt }: InternalAccountEntry) {
  return (
    <span>
      {sayName(kind)} <span class="soft">({BOOKS[book]})</span>
      <br />
      <span class="soft">
        <Time at={createdAt} />
      </span>
    </span>
  );
}
