import type { Card, InternalAccount } from '@corridor/client';
import { useRoute } from 'preact-iso/router';
import { isSandbox } from '../../api/clock.ts';
import { usePages, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { shortId } from '../../ui/id.tsx';
import { Columns, Screen } from '../../ui/layout.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { sayCard } from '../../ui/resources.tsx';
import { Loaded } from '../../ui/states.tsx';
import { sayName } from '../../ui/text.tsx';
import { CardActions, CardFacts } from './facts.tsx';
import { Ledger } from './ledger.tsx';
import { Limits } from './limits.tsx';
import { Picture } from './picture.tsx';
import { type CardTransaction, Purchases } from './purchases.tsx';
import { Terminal } from './terminal.tsx';

/** Answers: can this card pay, what was paid with it, and where did the money go? */
export default function OneCard() {
  const { id = '' } = useRoute().params;
  const card = useQuery(['getCardById', id], () => corridor.getCardById(id), { live: 'events' });
  const account = useFundingAccount(card.data);
  const query = { cardId: id, type: 'CARD' as const, limit: 25 };
  const purchases = usePages(
    ['listTransactions', query],
    (cursor) => corridor.listTransactions({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  const rows = purchases.rows as readonly CardTransaction[];
  return (
    <Screen
      title={shortId(id)}
      name={card.data && sayCard(card.data)}
      answer={card.data && sayWhether(card.data, account)}
      actions={card.data && <CardActions card={card.data} />}
    >
      <Loaded read={card} what="The card could not be loaded." lines={10}>
        {(found) => (
          <>
            <Columns
              main={isSandbox() ? <Terminal card={found} purchases={rows} /> : <CardFacts card={found} />}
              side={
                <>
                  <Picture card={found} />
                  <Ledger accountId={found.fundingSource} account={account} />
                </>
              }
            />
            <Purchases purchases={purchases} />
            {isSandbox() && <CardFacts card={found} />}
            <Limits card={found} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

/** The account that the card draws on, with its balances. */
function useFundingAccount(card: Card | undefined): InternalAccount | undefined {
  const accounts = useQuery(
    ['listInternalAccounts', { customerId: card?.customerId, limit: 100 }],
    () => corridor.listInternalAccounts({ customerId: card?.customerId ?? '', limit: 100 }),
    { live: 'events', isEnabled: card !== undefined },
  );
  return accounts.data?.data.find(({ id }) => id === card?.fundingSource);
}

const CANNOT: Readonly<Record<string, string>> = {
  PROCESSING: 'The issuer is still creating this card, so it cannot pay yet.',
  FROZEN: 'This card is frozen: new purchases are declined, and open purchases still settle.',
  CLOSED: 'This card is permanently closed. Open purchases still settle.',
};

function sayWhether(card: Card, account: InternalAccount | undefined): string {
  const { status, statusReason, maxSpendPerTransaction } = card;
  const reason = statusReason === undefined ? '' : ` (${sayName(statusReason).toLowerCase()})`;
  if (status !== 'ACTIVE') return `${CANNOT[status] ?? sayName(status)}${reason}`;
  if (account === undefined) return 'This card can pay.';
  const { amount, currency } = account.balance;
  const most = Math.min(amount, maxSpendPerTransaction ?? amount);
  if (amount === 0) return 'This card is active, but its account is empty, so purchases are declined.';
  return `This card can pay up to ${formatMoney(most, currency)} now.`;
}
