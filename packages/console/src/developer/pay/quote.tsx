import type { Quote } from '@corridor/client';
import { useRoute } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { isSandbox, platformNow } from '../../api/clock.ts';
import { invalidate, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { Field, Form } from '../../ui/form.tsx';
import { Id, placeOf } from '../../ui/id.tsx';
import { Json } from '../../ui/json.tsx';
import { Columns, Facts, Screen, Section } from '../../ui/layout.tsx';
import { formatMoney, Money } from '../../ui/money.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { formatDuration, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';

/** Answers: what does this payment cost, and what is to be done next? */
export default function QuotePage() {
  const { id = '' } = useRoute().params;
  const read = useQuery(['getQuoteById', id], () => corridor.getQuoteById(id), { live: 'events' });
  return (
    <Screen title="Quote" answer={read.data ? sayQuote(read.data) : <>&nbsp;</>}>
      <Loaded read={read} what="The quote could not be read." lines={8}>
        {(quote) => <Columns main={<Price quote={quote} />} side={<Next quote={quote} />} />}
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
    return `${sent} leave, and ${received} arrive. The price holds for ${formatDuration(Date.parse(expiresAt) - platformNow())} more.`;
  }
  return `${SAID[status]} ${sent} for ${received}.`;
}

const SAID: Readonly<Record<Quote['status'], string>> = {
  PENDING: 'It can be executed:',
  PENDING_AUTHORIZATION: 'The customer has to authorize it:',
  PROCESSING: 'The payment is under way:',
  COMPLETED: 'The payment is completed:',
  FAILED: 'The payment failed:',
  EXPIRED: 'The quote expired, and nothing moved:',
};

function Price({ quote }: { quote: Quote }) {
  const { source, destination, sendingCurrency, receivingCurrency, paymentInstructions } = quote;
  return (
    <>
      <Section title="The price" isCard>
        <Facts
          facts={{
            'Leaves the payer': <Money amount={quote.totalSendingAmount} currency={sendingCurrency} />,
            'Fees in it': <Money amount={quote.feesIncluded} currency={sendingCurrency} />,
            'Of these, yours': <Money amount={quote.platformFeesIncluded ?? 0} currency={sendingCurrency} />,
            'Reaches the receiver': (
              <Money amount={quote.totalReceivingAmount} currency={receivingCurrency} />
            ),
            Rate: `${quote.exchangeRate} ${sendingCurrency.code ?? ''} for 1 ${receivingCurrency.code ?? ''}`,
          }}
        />
      </Section>
      <Section title="Between whom" isCard>
        <Facts
          facts={{
            From:
              source.sourceType === 'ACCOUNT' ? (
                <Id id={source.accountId} />
              ) : (
                `Money that arrives in ${source.currency}`
              ),
            To:
              destination.destinationType === 'ACCOUNT' ? (
                <Id id={destination.accountId} />
              ) : (
                <Text>{destination.umaAddress}</Text>
              ),
            Rail: 'paymentRail' in destination ? destination.paymentRail : undefined,
          }}
        />
      </Section>
      {paymentInstructions !== undefined && paymentInstructions.length > 0 && (
        <Section title="How the payer pays" hint="Give one of these to the payer.">
          {paymentInstructions.map((one, i) => (
            <Json key={i} value={one} label={`payment instructions ${i + 1}`} />
          ))}
        </Section>
      )}
    </>
  );
}

function Next({ quote }: { quote: Quote }) {
  const { id, status, expiresAt, createdAt, transactionId, source } = quote;
  return (
    <>
      {status === 'PENDING' && source.sourceType === 'ACCOUNT' && (
        <Section title="Pay" isCard>
          <p>Executing it takes the money from the account and sends it.</p>
          <Action
            label="Execute"
            kind="primary"
            call={callOf('executeQuote', id)}
            what="It was not executed."
            onDone={done}
          />
        </Section>
      )}
      {status === 'PENDING' && source.sourceType !== 'ACCOUNT' && isSandbox() && (
        <Section title="Play the payer" isCard>
          <p>In the sandbox a call lets exactly this amount arrive.</p>
          <Action
            label="Let the money arrive"
            kind="primary"
            call={callOf('sandboxSend', { quoteId: id, currencyCode: quote.sendingCurrency.code ?? '' })}
            what="The money did not arrive."
            onDone={done}
          />
        </Section>
      )}
      {status === 'PENDING_AUTHORIZATION' && <Authorize quote={quote} />}
      <Section title="The quote" isCard>
        <Facts
          facts={{
            Status: <Status value={status} />,
            Payment: <Id id={transactionId} />,
            Created: <Time at={createdAt} />,
            Expires: <Time at={expiresAt} />,
            Id: <Id id={id} isWhole />,
          }}
        />
        <p>
          <a class="button" href={placeOf(transactionId) ?? '/console/payments'}>
            Why is it where it is?
          </a>
        </p>
      </Section>
    </>
  );
}

function done(): void {
  invalidate();
  toast('Done.');
}

function CodeForm({ id }: { id: string }) {
  const hint = isSandbox() && (
    <>
      The sandbox’s codes stand among the <a href="/console/messages">messages</a>.
    </>
  );
  return (
    <Form
      build={(values) => callOf('authorizeQuote', id, { code: values.text('code') ?? '' })}
      submit="Authorize"
      what="The payment is not authorized."
      onDone={done}
    >
      <Field name="code" label="Code of the customer" hint={hint} isRequired />
    </Form>
  );
}

function Authorize({ quote: { id, scaChallenge } }: { quote: Quote }) {
  const factor = scaChallenge?.factor;
  return (
    <Section title="Authorize" isCard>
      <p>
        The customer authorizes the payment{factor !== undefined && ` by ${sayName(factor)}`}
        {scaChallenge && (
          <>
            , until <Time at={scaChallenge.expiresAt} />
          </>
        )}
        .
      </p>
      {factor === 'PASSKEY' ? (
        <p>A passkey answers on the customer’s own device, on your page.</p>
      ) : (
        <CodeForm id={id} />
      )}
      {factor === 'SMS_OTP' && (
        <Action
          label="Send another code"
          call={callOf('resendQuoteScaCode', id)}
          what="No code was sent."
          onDone={done}
        />
      )}
      <Action
        label="Cancel the authorization"
        kind="danger"
        call={callOf('cancelQuoteAuthorization', id)}
        what="It was not cancelled."
        ask="The payment fails, and money on hold is released."
        onDone={done}
      />
    </Section>
  );
}
