import type { Quote } from '@corridor/client';
import { useRoute } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { isSandbox, platformNow } from '../../api/clock.ts';
import { invalidate, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { useExplanation, Why } from '../../ui/explanation.tsx';
import { Field, Form } from '../../ui/form.tsx';
import { Id, placeOf, Sentence } from '../../ui/id.tsx';
import { Json } from '../../ui/json.tsx';
import { Columns, Facts, Screen, Section } from '../../ui/layout.tsx';
import { formatMoney, Money } from '../../ui/money.tsx';
import { Loaded, Skeleton } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { formatDuration, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { sayAccount, useAccounts } from './accounts.ts';

/** Answers: what does this payment cost, and what do I do next? */
export default function QuotePage() {
  const { id = '' } = useRoute().params;
  const read = useQuery(['getQuoteById', id], () => corridor.getQuoteById(id), { live: 'events' });
  return (
    <Screen title="Quote" answer={read.data ? sayQuote(read.data) : <>&nbsp;</>}>
      <Loaded read={read} what="The quote could not be loaded." lines={8}>
        {(quote) => (
          <>
            {quote.status === 'FAILED' && <Failure id={quote.transactionId} />}
            <Columns main={<Price quote={quote} />} side={<Next quote={quote} />} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function sayQuote(quote: Quote): string {
  const { status, totalSendingAmount, totalReceivingAmount, sendingCurrency, receivingCurrency, expiresAt } =
    quote;
  const sent = formatMoney(totalSendingAmount, sendingCurrency);
  const received = formatMoney(totalReceivingAmount, receivingCurrency);
  if (status === 'PENDING') {
    return `The payer sends ${sent}, and the receiver gets ${received}. The price is valid for ${formatDuration(Date.parse(expiresAt) - platformNow())}.`;
  }
  return `${SAID[status]} ${sent} for ${received}.`;
}

const SAID: Readonly<Record<Quote['status'], string>> = {
  PENDING: 'You can execute the quote:',
  PENDING_AUTHORIZATION: 'The customer has to authorize the payment:',
  PROCESSING: 'The payment is under way:',
  COMPLETED: 'The payment is completed:',
  FAILED: 'The payment failed:',
  EXPIRED: 'The quote expired, and nothing moved:',
};

/** Why the payment of the quote failed, and what became of the money. */
function Failure({ id }: { id: string }) {
  const explanation = useExplanation(id);
  if (!explanation.data) return <Skeleton lines={4} />;
  return (
    <>
      <p>
        <Sentence text={explanation.data.summary} />
      </p>
      <Why explanation={explanation.data} />
    </>
  );
}

function Price({ quote }: { quote: Quote }) {
  const { source, destination, sendingCurrency, receivingCurrency, paymentInstructions } = quote;
  return (
    <>
      <Section title="Price" isCard>
        <Facts
          facts={{
            'Payer sends': <Money amount={quote.totalSendingAmount} currency={sendingCurrency} />,
            'Fees included': <Money amount={quote.feesIncluded} currency={sendingCurrency} />,
            'Your share of the fees': (
              <Money amount={quote.platformFeesIncluded ?? 0} currency={sendingCurrency} />
            ),
            'Receiver gets': <Money amount={quote.totalReceivingAmount} currency={receivingCurrency} />,
            Rate: `${quote.exchangeRate} ${sendingCurrency.code ?? ''} for 1 ${receivingCurrency.code ?? ''}`,
          }}
        />
      </Section>
      <Section title="Payer and receiver" isCard>
        <Facts
          facts={{
            From:
              source.sourceType === 'ACCOUNT' ? (
                <AccountOwner id={source.accountId} />
              ) : (
                `Real-time funding in ${source.currency}`
              ),
            To:
              destination.destinationType === 'ACCOUNT' ? (
                <AccountOwner id={destination.accountId} />
              ) : (
                <Text>{destination.umaAddress}</Text>
              ),
            Rail: 'paymentRail' in destination ? destination.paymentRail : undefined,
          }}
        />
      </Section>
      {paymentInstructions !== undefined && paymentInstructions.length > 0 && (
        <Section title="Payment instructions" hint="Give one of these to the payer.">
          {paymentInstructions.map((one, i) => (
            <Json key={i} value={one} label={`payment instructions ${i + 1}`} />
          ))}
        </Section>
      )}
    </>
  );
}

/** The account by the name of its owner or beneficiary, as far as these are among the newest. */
function AccountOwner({ id }: { id: string }) {
  const { data } = useAccounts();
  return <Id id={id} name={data && sayAccount(data, id)} />;
}

function Next({ quote }: { quote: Quote }) {
  const { id, status, expiresAt, createdAt, transactionId, source } = quote;
  return (
    <>
      {status === 'PENDING' && source.sourceType === 'ACCOUNT' && (
        <Section title="Pay" isCard>
          <p>Executing the quote takes the money from the account and sends it.</p>
          <Action
            label="Execute"
            kind="primary"
            call={callOf('executeQuote', id)}
            what="The quote was not executed."
            onDone={executed}
            help={({ code }) => code === 'INSUFFICIENT_FUNDS' && <AddMoney quote={quote} />}
          />
        </Section>
      )}
      {status === 'PENDING' && source.sourceType !== 'ACCOUNT' && isSandbox() && (
        <Section title="Simulate the payer" isCard>
          <p>In the sandbox, a call simulates the arrival of exactly this amount.</p>
          <Action
            label="Simulate the arrival"
            kind="primary"
            call={callOf('sandboxSend', { quoteId: id, currencyCode: quote.sendingCurrency.code ?? '' })}
            what="The money did not arrive."
            onDone={executed}
          />
        </Section>
      )}
      {status === 'PENDING_AUTHORIZATION' && <Authorize quote={quote} />}
      {(status === 'EXPIRED' || status === 'FAILED') && <NewQuote quote={quote} />}
      <Section title="Quote" isCard>
        <Facts
          facts={{
            Status: <Status value={status} />,
            Payment: <Id id={transactionId} />,
            Created: <Time at={createdAt} />,
            Expires: status === 'PENDING' && <Time at={expiresAt} />,
            Expired: status === 'EXPIRED' && <Time at={expiresAt} />,
            Id: <Id id={id} isWhole />,
          }}
        />
        <p>
          <a class="button" href={placeOf(transactionId) ?? '/console/payments'}>
            Explain this payment
          </a>
        </p>
      </Section>
    </>
  );
}

/** The page says itself what became of the payment; a toast says it to those who look elsewhere. */
function executed({ status }: { status: string }): void {
  invalidate();
  const isOver = status === 'FAILED';
  toast(isOver ? 'The payment failed.' : 'The payment was started.', isOver ? 'bad' : 'calm');
}

/** The price has to be asked for again: rates change. */
function NewQuote({ quote: { source, destination, totalSendingAmount } }: { quote: Quote }) {
  if (source.sourceType !== 'ACCOUNT') return null;
  const search = new URLSearchParams({ from: source.accountId, amount: String(totalSendingAmount) });
  if (destination.destinationType === 'ACCOUNT') search.set('to', destination.accountId);
  return (
    <Section title="Pay again" isCard>
      <p>This quote cannot be executed any more.</p>
      <a class="button primary" href={`/console/pay?${search}`}>
        Get a new quote
      </a>
    </Section>
  );
}

function AddMoney({ quote: { source, totalSendingAmount, sendingCurrency } }: { quote: Quote }) {
  if (!isSandbox() || source.sourceType !== 'ACCOUNT') return null;
  return (
    <Action
      label={`Add ${formatMoney(totalSendingAmount, sendingCurrency)} of test money`}
      call={callOf('sandboxFundInternalAccount', source.accountId, { amount: totalSendingAmount })}
      what="The money was not added."
      onDone={() => {
        invalidate();
        toast('The money was added. You can execute the quote now.');
      }}
    />
  );
}

function CodeForm({ id }: { id: string }) {
  const hint = isSandbox() && (
    <>
      Find the code under <a href="/console/messages">Messages</a>.
    </>
  );
  return (
    <Form
      build={(values) => callOf('authorizeQuote', id, { code: values.text('code') ?? '' })}
      submit="Authorize"
      what="The payment was not authorized."
      onDone={executed}
    >
      <Field name="code" label="The customer’s code" hint={hint} isRequired />
    </Form>
  );
}

function Authorize({ quote: { id, scaChallenge } }: { quote: Quote }) {
  const factor = scaChallenge?.factor;
  return (
    <Section title="Authorize" isCard>
      <p>
        The customer has to authorize the payment{factor !== undefined && ` with ${sayName(factor)}`}
        {scaChallenge && (
          <>
            , until <Time at={scaChallenge.expiresAt} />
          </>
        )}
        .
      </p>
      {factor === 'PASSKEY' ? (
        <p>The customer uses the passkey on their own device, on your page.</p>
      ) : (
        <CodeForm id={id} />
      )}
      {factor === 'SMS_OTP' && (
        <Action
          label="Send the code again"
          call={callOf('resendQuoteScaCode', id)}
          what="The code was not sent."
          onDone={() => {
            invalidate();
            toast('The code was sent again.');
          }}
        />
      )}
      <Action
        label="Cancel the authorization"
        kind="danger"
        call={callOf('cancelQuoteAuthorization', id)}
        what="The authorization was not cancelled."
        ask="The payment will fail, and any money on hold will be released."
        onDone={() => {
          invalidate();
          toast('The authorization was cancelled.', 'calm');
        }}
      />
    </Section>
  );
}
