import type { TransactionExplanation, TransactionOneOf } from '@corridor/client';
import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso/router';
import { keepDescription } from '../../api/draft.ts';
import { useReceivers } from '../../api/names.ts';
import { useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { useExplanation, Why } from '../../ui/explanation.tsx';
import { EntriesTable, ExplanationTimeline, pathOf } from '../../ui/explanation-timeline.tsx';
import { CustomerId, Id, Sentence } from '../../ui/id.tsx';
import { Columns, Facts, Screen, Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { StateMachine } from '../../ui/state-machine.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { MACHINES } from './machines.ts';
import { hasLeft } from './moved.ts';

/** Answers: where is the money of this payment, and why? */
export default function Payment() {
  const { id = '' } = useRoute().params;
  const explanation = useExplanation(id);
  const payment = useQuery(['getTransactionById', id], () => corridor.getTransactionById(id), {
    live: 'events',
  });
  const found = explanation.data;
  return (
    <Screen
      title={found ? `${TITLES[found.type] ?? sayName(found.type)}` : 'Payment'}
      answer={found ? <Sentence text={found.summary} /> : <>&nbsp;</>}
      actions={payment.data && <PayAgain payment={payment.data} />}
    >
      <Loaded read={explanation} what="The payment could not be explained." lines={10}>
        {(data) => (
          <>
            <Why explanation={data} />
            <Machines explanation={data} />
            <Columns
              main={
                <Section title="What happened">
                  <ExplanationTimeline explanation={data} />
                </Section>
              }
              side={<Side explanation={data} payment={payment.data} />}
            />
          </>
        )}
      </Loaded>
      {explanation.failure && !found && payment.data && (
        <Section title="Payment" isCard>
          <Facts facts={{ Status: <Status value={payment.data.status} />, ...factsOf(payment.data) }} />
        </Section>
      )}
    </Screen>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  OUTGOING: 'Outgoing payment',
  INCOMING: 'Incoming payment',
  CARD: 'Card purchase',
};

function Side({
  explanation,
  payment,
}: {
  explanation: TransactionExplanation;
  payment: TransactionOneOf | undefined;
}) {
  const { id, status, related } = explanation;
  const receivers = useReceivers();
  return (
    <>
      <Section title="Payment" isCard>
        <Facts
          facts={{
            Status: <Status value={status} />,
            ...(payment && factsOf(payment)),
            Id: <Id id={id} isWhole />,
            ...Object.fromEntries(
              related.map((one) => [
                sayFirst(one.relation),
                <Id key={one.id} id={one.id} name={receivers.get(one.id)} />,
              ]),
            ),
          }}
        />
      </Section>
      <Section title="Ledger entries" hint="The lines on your accounts, and the fees.">
        <EntriesTable explanation={explanation} />
      </Section>
    </>
  );
}

function sayFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function factsOf(payment: TransactionOneOf): Record<string, ComponentChildren> {
  if (payment.type === 'CARD') {
    return {
      Authorized: <Money {...payment.authorizedAmount} />,
      Settled: payment.settledAmount && <Money {...payment.settledAmount} />,
      Merchant: <Text>{payment.merchant.descriptor}</Text>,
      Created: <Time at={payment.createdAt} isExact />,
    };
  }
  const { sentAmount, receivedAmount, description, fees, refund, payee, payer } = payment;
  return {
    [hasLeft(payment) ? 'Sent' : 'To send']: sentAmount && <Money {...sentAmount} />,
    [payment.status === 'COMPLETED' ? 'Received' : 'To receive']: receivedAmount && (
      <Money {...receivedAmount} />
    ),
    'Fees included': fees !== undefined && sentAmount && (
      <Money amount={fees} currency={sentAmount.currency} />
    ),
    Rate: sayRate(payment),
    Description: description !== undefined && <Text>{description}</Text>,
    Payer: payer?.name !== undefined && <Text>{payer.name}</Text>,
    Payee: payee?.name !== undefined && <Text>{payee.name}</Text>,
    Refund: refund && <Status value={refund.status} />,
    Rail: 'paymentRail' in payment && payment.paymentRail ? payment.paymentRail : undefined,
    Customer: <CustomerId id={payment.customerId} />,
    Created: <Time at={payment.createdAt} isExact />,
    Settled: payment.settledAt !== undefined && <Time at={payment.settledAt} isExact />,
  };
}

function sayRate({
  exchangeRate,
  ...payment
}: Exclude<TransactionOneOf, { type: 'CARD' }>): string | undefined {
  const [from, to] = [payment.sentAmount?.currency.code, payment.receivedAmount?.currency.code];
  if (exchangeRate === undefined || exchangeRate === 1) return undefined;
  return from && to ? `${exchangeRate} ${from} for 1 ${to}` : String(exchangeRate);
}

function Machines({ explanation }: { explanation: TransactionExplanation }) {
  const edges = MACHINES[explanation.type as keyof typeof MACHINES];
  const refunded = pathOf(explanation, 'REFUND');
  if (!edges) return null;
  // An agent's action has statuses of its own, which its payment does not have.
  const states = new Set([...Object.keys(edges), ...Object.values(edges).flat()]);
  const path = pathOf(explanation).filter((state) => states.has(state));
  return (
    <Section title="Statuses">
      <StateMachine title="Statuses of the payment" edges={edges} path={path} />
      {refunded.length > 0 && (
        <>
          <h3>Refund</h3>
          <StateMachine title="Statuses of the refund" edges={MACHINES.REFUND} path={refunded} />
        </>
      )}
    </Section>
  );
}

/** A payment that is over can be made again: the screen opens with the same accounts and amount. */
function PayAgain({ payment }: { payment: TransactionOneOf }) {
  if (payment.type !== 'OUTGOING' || !['FAILED', 'EXPIRED', 'COMPLETED'].includes(payment.status))
    return null;
  const { source, destination, sentAmount } = payment;
  if (source.sourceType !== 'ACCOUNT') return null;
  const search = new URLSearchParams({ from: source.accountId, amount: String(sentAmount.amount) });
  if (destination.destinationType === 'ACCOUNT') search.set('to', destination.accountId);
  return (
    <a class="button" href={`/console/pay?${search}`} onClick={() => keepDescription(payment.description)}>
      Pay again
    </a>
  );
}
