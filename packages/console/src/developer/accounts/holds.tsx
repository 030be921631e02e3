import type { InternalAccount, TransactionOneOf } from '@corridor/client';
import { useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { placeOf, shortId } from '../../ui/id.tsx';
import { Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { sayName } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

const OPEN = ['CREATED', 'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'AUTHORIZED', 'PARTIALLY_SETTLED'];
const READ_MAX = 100;

/** The newest unfinished payments of the account: the reasons why money cannot be spent. */
export function Holds({ account: { id } }: { account: InternalAccount }) {
  const query = { accountIdentifier: id, limit: READ_MAX };
  const payments = useQuery(
    ['listTransactions', query],
    async () => (await corridor.listTransactions(query)).data.filter(({ status }) => OPEN.includes(status)),
    { live: 'events' },
  );
  return (
    <Section title="Holds" hint={`Unfinished payments among the newest ${READ_MAX} of this account.`}>
      <Loaded read={payments} what="The payments could not be loaded.">
        {(rows) =>
          rows.length === 0 ? (
            <p class="soft">No unfinished payment is holding money.</p>
          ) : (
            <Table
              caption="Holds"
              rows={rows}
              keyOf={({ id: payment = '' }) => payment}
              linkOf={({ id: payment = '' }) => placeOf(payment)}
              columns={[
                { title: 'Payment', cell: ({ id: payment = '' }) => <code>{shortId(payment)}</code> },
                { title: 'Status', cell: ({ status }) => <Status value={status} /> },
                { title: 'Type', cell: ({ type }) => sayName(type) },
                { title: 'Amount', align: 'end', cell: OpenAmount },
                { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
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
