import type { InternalAccount } from '@corridor/client';
import { useRoute } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { isSandbox } from '../../api/clock.ts';
import { useNames } from '../../api/names.ts';
import { invalidate, usePages, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Field, Form } from '../../ui/form.tsx';
import { CustomerId, Id, placeOf, shortId } from '../../ui/id.tsx';
import { Columns, Facts, Screen, Section } from '../../ui/layout.tsx';
import { formatMoney, Money, parseAmount } from '../../ui/money.tsx';
import { sayAccountKind, sayCard } from '../../ui/resources.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
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
  const names = useNames();
  return (
    <Screen
      title={shortId(id)}
      name={account.data && sayAccount(account.data, names)}
      answer={account.data && sayBalance(account.data)}
      actions={
        <>
          <a class="button" href={`/console/pay?from=${id}`}>
            Pay from it
          </a>
          <button type="button" onClick={() => print()}>
            Print the statement
          </button>
        </>
      }
    >
      <Loaded read={account} what="The account could not be loaded." lines={10}>
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

/** `USD account of Ada Lovelace` */
function sayAccount({ balance, customerId }: InternalAccount, names: ReadonlyMap<string, string>): string {
  const owner = customerId ? (names.get(customerId) ?? shortId(customerId)) : 'your platform';
  return `${balance.currency.code} account of ${owner}`;
}

const CANNOT: Readonly<Record<string, string>> = {
  PENDING: ' The account is being opened.',
  FROZEN: ' The account is frozen, so nothing can be spent.',
  CLOSED: ' The account is closed.',
  FAILED: ' The account could not be opened.',
};

function sayBalance({ balance, totalBalance, status }: InternalAccount): string {
  const held = totalBalance.amount - balance.amount;
  const spendable = `${formatMoney(balance.amount, balance.currency)} is available`;
  const rest =
    held === 0
      ? ', and nothing is on hold.'
      : `, and ${formatMoney(held, balance.currency)} is on hold or arriving.`;
  return spendable + rest + (CANNOT[status] ?? '');
}

function Summary({ account }: { account: InternalAccount }) {
  const { id, customerId, type, status, balance, totalBalance, createdAt, updatedAt } = account;
  return (
    <Section title="Account" isCard>
      <Facts
        facts={{
          Available: <Money amount={balance.amount} currency={balance.currency} />,
          'On hold or arriving': (
            <Money amount={totalBalance.amount - balance.amount} currency={balance.currency} />
          ),
          Total: <Money amount={totalBalance.amount} currency={totalBalance.currency} />,
          Status: <Status value={status} />,
          Kind: sayAccountKind(type),
          Owner: <CustomerId id={customerId ?? null} />,
          Wallet: type === 'EMBEDDED_WALLET' && (
            <a href={`/console/wallets/${id}`}>Credentials and sessions</a>
          ),
          Opened: <Time at={createdAt} />,
          'Last changed': <Time at={updatedAt} />,
          Id: <Id id={id} isWhole />,
        }}
      />
    </Section>
  );
}

/** Adds test money, which only a sandbox can do. */
function Fund({ account: { id, balance } }: { account: InternalAccount }) {
  const { currency } = balance;
  return (
    <Section title="Add test money" isCard>
      <Form
        build={(values) =>
          callOf('sandboxFundInternalAccount', id, {
            amount: parseAmount(values.text('amount') ?? '', currency) ?? Number.NaN,
          })
        }
        submit="Add money"
        what="The money was not added."
        onDone={() => {
          invalidate('getInternalAccountById', 'listInternalAccounts', 'listInternalAccountEntries');
          toast('The money was added.');
        }}
      >
        <Field
          name="amount"
          label={`Amount, in ${currency.code}`}
          value="100"
          hint="The sandbox deposits this amount."
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
    <Section title="Cards funded by this account">
      <PagedTable
        caption="Cards"
        what="The cards could not be loaded."
        pages={cards}
        keyOf={(card) => card.id}
        linkOf={(card) => placeOf(card.id)}
        empty={null}
        columns={[
          { title: 'Card', cell: sayCard },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Section>
  );
}
