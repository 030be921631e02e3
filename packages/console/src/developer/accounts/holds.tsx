import type { InternalAccount, TransactionOneOf } from '@corridor/client';
import { platformNow } from '../../api/clock.ts';
import { useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { placeOf } from '../../ui/id.tsx';
import { Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { paymentColumns } from '../../ui/resources.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';

const OPEN = ['PENDING', 'PENDING_AUTHORIZATION'] as const;
const OPEN_PURCHASES = ['AUTHORIZED', 'PARTIALLY_SETTLED'];
const READ_MAX = 100;
/** No authorization of a card lasts longer (cards.md §6.9.8). */
const PURCHASE_MS_MAX = 30 * 24 * 3_600_000;

/** The unfinished payments of the account that hold money, or bring it. */
export function Holds({ account: { id } }: { account: InternalAccount }) {
  const payments = useQuery(['listTransactions', 'open', id], () => listOpen(id), { live: 'events' });
  return (
    <Section
      title="Holds"
      hint="Payments that wait for an authorization, open card purchases, and money that is arriving."
    >
      <Loaded read={payments} what="The payments could not be loaded.">
        {({ rows, isWhole }) =>
          rows.length === 0 && isWhole ? (
            <p class="soft">Nothing is on hold or arriving.</p>
          ) : (
            <>
              <Table
                caption="Holds"
                rows={rows}
                keyOf={({ id: payment = '' }) => payment}
                linkOf={({ id: payment = '' }) => placeOf(payment)}
                columns={paymentColumns(OpenAmount)}
              />
              {!isWhole && (
                <p class="soft">The account has more: of each status, the newest {READ_MAX} were searched.</p>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

/** The API filters payments by status. Purchases by card have another one, but none is open for long. */
async function listOpen(account: string): Promise<{ rows: TransactionOneOf[]; isWhole: boolean }> {
  const query = { accountIdentifier: account, limit: READ_MAX };
  const startDate = new Date(platformNow() - PURCHASE_MS_MAX).toISOString();
  const lists = await Promise.all([
    ...OPEN.map((status) => corridor.listTransactions({ ...query, status })),
    corridor.listTransactions({ ...query, type: 'CARD', startDate }),
  ]);
  const rows = lists
    .flatMap(({ data }) => data)
    .filter((row) => isHolding(row, account))
    .sort((a, b) => (b.createdAt ?? '').localeCompare(a.createdAt ?? ''));
  return { rows, isWhole: lists.every(({ hasMore }) => !hasMore) };
}

/** A quote that was not executed is `PENDING` too, and holds nothing. An executed payment has left the account. */
function isHolding(row: TransactionOneOf, account: string): boolean {
  if (row.type === 'CARD') return OPEN_PURCHASES.includes(row.status);
  if (row.type === 'INCOMING') return row.status === 'PENDING';
  const isSource = row.source.sourceType === 'ACCOUNT' && row.source.accountId === account;
  return row.status === 'PENDING_AUTHORIZATION' && isSource;
}

/** A card's purchase holds what was not taken yet. */
function OpenAmount(payment: TransactionOneOf) {
  if (payment.type === 'CARD') {
    const { authorizedAmount, settledAmount } = payment;
    const open = Math.max(0, authorizedAmount.amount - (settledAmount?.amount ?? 0));
    return <Money amount={open} currency={authorizedAmount.currency} />;
  }
  const amount = payment.type === 'OUTGOING' ? payment.sentAmount : payment.receivedAmount;
  return <Money amount={amount?.amount} currency={amount?.currency} />;
}
