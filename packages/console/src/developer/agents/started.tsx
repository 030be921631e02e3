import type { Agent, TransactionOneOf } from '@corridor/client';
import { useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { placeOf, shortId } from '../../ui/id.tsx';
import { Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

const READ_MAX = 100;

type Payment = Exclude<TransactionOneOf, { type: 'CARD' }>;

/** The payments that the agent started, by itself or after an approval. */
export function Started({ agent: { id, customerId } }: { agent: Agent }) {
  const query = { customerId, limit: READ_MAX };
  const payments = useQuery(
    ['listTransactions', query],
    async () => (await corridor.listTransactions(query)).data,
    { live: 'events' },
  );
  return (
    <Section
      title="Payments by this agent"
      hint={`Among the newest ${READ_MAX} payments of its customer. Rejected actions are not listed.`}
    >
      <Loaded read={payments} what="The payments could not be loaded.">
        {(all) => {
          const rows = all.filter(
            (payment): payment is Payment => 'agentId' in payment && payment.agentId === id,
          );
          return rows.length === 0 ? <p class="soft">None.</p> : <PaymentTable rows={rows} />;
        }}
      </Loaded>
    </Section>
  );
}

function PaymentTable({ rows }: { rows: readonly Payment[] }) {
  return (
    <Table
      caption="Payments by this agent"
      rows={rows}
      keyOf={(payment) => payment.id ?? ''}
      linkOf={(payment) => placeOf(payment.id ?? '')}
      columns={[
        { title: 'Payment', cell: (payment) => <code>{shortId(payment.id ?? '')}</code> },
        { title: 'Status', cell: ({ status }) => <Status value={status} /> },
        { title: 'To', cell: ({ payee }) => <Text>{payee?.name ?? payee?.account}</Text> },
        { title: 'Amount', align: 'end', cell: Amount },
        { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}

function Amount(payment: Payment) {
  const amount = payment.type === 'OUTGOING' ? payment.sentAmount : payment.receivedAmount;
  return <Money amount={amount?.amount} currency={amount?.currency} />;
}
