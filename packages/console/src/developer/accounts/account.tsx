import type { InternalAccount } from '@corridor/client';
import { useRoute } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { isSandbox } from '../../api/clock.ts';
import { invalidate, usePages, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Field, Form } from '../../ui/form.tsx';
import { Id, placeOf, shortId } from '../../ui/id.tsx';
import { Columns, Facts, Screen, Section } from '../../ui/layout.tsx';
import { formatMoney, Money, parseAmount } from '../../ui/money.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { sayName } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { Entries } from './entries.tsx';
import { Holds } from './holds.tsx';
import { Instructions } from './instructions.tsx';

/** Answers: how much is in this account, how much of it can be spent, and where did it come from? */
export default function OneAccount() {
  const { id = '' } = useRoute().params;
  const account = useQuery(['getInternalAccountById', id], () => corridor.getInternalAccountById(id), {
    live: 'events',
  });
  return (
    <Screen
      title={shortId(id)}
      answer={account.data && sayBalance(account.data)}
      actions={
        <button type="button" onClick={() => print()}>
          Print the statement
        </button>
      }
    >
      <Loaded read={account} what="The account could not be read." lines={10}>
        {(found) => (
          <>
            <Columns
              main={<Summary account={found} />}
              side={isSandbox() && found.status === 'ACTIVE' && <Fund account={found} />}
            />
            <Entries account={found} />
            <Holds account={found} />
            <Instructions account={found} />
            <CardsOnIt id={id} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

const CANNOT: Readonly<Record<string, string>> = {
  PENDING: ' The account is being opened.',
  FROZEN: ' It is frozen: nothing can be spent.',
  CLOSED: ' It is closed.',
  FAILED: ' It could not be opened.',
};

function sayBalance({ balance, totalBalance, status }: InternalAccount): string {
  const held = totalBalance.amount - balance.amount;
  const spendable = `${formatMoney(balance.amount, balance.currency)} can be spent`;
  const rest =
    held === 0 ? '; nothing is on hold.' : `; ${formatMoney(held, balance.currency)} is on hold or arriving.`;
  return spendable + rest + (CANNOT[status] ?? '');
}

function Summary({ account }: { account: InternalAccount }) {
  const { id, customerId, type, status, balance, totalBalance, createdAt, updatedAt } = account;
  return (
    <Section title="The account" isCard>
      <Facts
        facts={{
          'Can be spent': <Money amount={balance.amount} currency={balance.currency} />,
          'On hold or arriving': (
            <Money amount={totalBalance.amount - balance.amount} currency={balance.currency} />
          ),
          Total: <Money amount={totalBalance.amount} currency={totalBalance.currency} />,
          Status: <Status value={status} />,
          Kind: sayName(type),
          Owner: customerId ? <Id id={customerId} /> : 'your platform',
          Wallet: type === 'EMBEDDED_WALLET' && (
            <a href={`/console/wallets/${id}`}>Credentials and sessions</a>
          ),
          'Opened at': <Time at={createdAt} />,
          'Last changed': <Time at={updatedAt} />,
          Id: <Id id={id} isWhole />,
        }}
      />
    </Section>
  );
}

/** Money from nowhere, as only a sandbox has it. */
function Fund({ account: { id, balance } }: { account: InternalAccount }) {
  const { currency } = balance;
  return (
    <Section title="Fund it" isCard>
      <Form
        build={(values) =>
          callOf('sandboxFundInternalAccount', id, {
            amount: parseAmount(values.text('amount') ?? '', currency) ?? Number.NaN,
          })
        }
        submit="Fund the account"
        what="The account was not funded."
        onDone={() => {
          invalidate('getInternalAccountById', 'listInternalAccounts', 'listInternalAccountEntries');
          toast('The money is there.');
        }}
      >
        <Field
          name="amount"
          label={`Amount, in ${currency.code}`}
          value="100"
          hint="The sandbox makes a deposit of this amount."
          isRequired
        />
      </Form>
    </Section>
  );
}

function CardsOnIt({ id }: { id: string }) {
  const cards = usePages(
    ['listCards', { accountId: id }],
    (cursor) => corridor.listCards({ accountId: id, limit: 10, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  if (cards.rows.length === 0) return null;
  return (
    <Section title="Cards that draw on it">
      <PagedTable
        caption="Cards"
        what="The cards could not be read."
        pages={cards}
        keyOf={(card) => card.id}
        linkOf={(card) => placeOf(card.id)}
        empty={null}
        columns={[
          { title: 'Card', cell: ({ brand = 'Card', last4 = '' }) => `${sayName(brand)} •••• ${last4}` },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Section>
  );
}
