import type { CurrencyPreference, QuoteRequest } from '@corridor/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { isSandbox } from '../../api/clock.ts';
import { takeDescription } from '../../api/draft.ts';
import { invalidate, useQuery } from '../../api/query.ts';
import { corridor, docsUrl } from '../../api/session.ts';
import { Field, Form, type FormValues } from '../../ui/form.tsx';
import { placeOf } from '../../ui/id.tsx';
import { formatAmount, parseAmount } from '../../ui/money.tsx';
import { sayName } from '../../ui/text.tsx';
import { type Accounts, externalOptions, internalOptions, withChosen } from './accounts.ts';
import { type LookedUp, LookUp } from './look-up.tsx';

const REALTIME = 'REALTIME_FUNDING';
const KINDS = [
  ['ACCOUNT', 'An external account'],
  ['INTERNAL', 'An internal account'],
  ['UMA_ADDRESS', 'A UMA address'],
] as const;

/** Creates a quote, which moves no money yet. */
export function QuoteForm({ accounts }: { accounts: Accounts }) {
  const { query, route } = useLocation();
  const sources = withChosen(internalOptions(accounts), query.from);
  const [from, setFrom] = useState(query.from ?? sources[0]?.[0] ?? REALTIME);
  const [kind, setKind] = useState(query.to?.startsWith('InternalAccount:') ? 'INTERNAL' : 'ACCOUNT');
  const [looked, setLooked] = useState<LookedUp>();
  const [description] = useState(takeDescription);
  const payer = accounts.internal.find(({ id }) => id === from);
  return (
    <Form
      build={(values) => callOf('createQuote', buildQuote(values, accounts, looked))}
      submit="Get a quote"
      what="The quote was not created."
      reads={[from, kind, looked?.lookupId].join()}
      onDone={({ id }) => {
        invalidate('listTransactions', 'firstPayment');
        route(placeOf(id) ?? '/console/payments');
      }}
    >
      <Field
        name="source.accountId"
        label="From"
        type="select"
        value={from}
        options={[...sources, [REALTIME, 'Real-time funding: the payer sends the money']]}
        onChange={(chosen) => {
          setFrom(chosen);
          setLooked(undefined);
        }}
      />
      {from === REALTIME && <Field name="source.currency" label="Funding currency" value="USD" />}
      <Destination
        {...{ accounts, kind, setKind, looked, setLooked }}
        customerId={payer?.customerId}
        sending={payer?.balance.currency.code}
      />
      <AmountFields from={query.amount} currency={payer?.balance.currency} />
      <Field
        name="description"
        label="Description"
        value={description}
        hint="Your own note. The payment shows it."
      />
      <Field name="remittanceInformation" label="Text for the receiver’s statement" />
    </Form>
  );
}

interface DestinationProps {
  readonly accounts: Accounts;
  readonly customerId: string | undefined;
  /** The code of the payer's currency. */
  readonly sending: string | undefined;
  readonly kind: string;
  readonly setKind: (kind: string) => void;
  readonly looked: LookedUp | undefined;
  readonly setLooked: (found: LookedUp | undefined) => void;
}

function Destination({ accounts, customerId, sending, kind, setKind, looked, setLooked }: DestinationProps) {
  const { query } = useLocation();
  const [to, setTo] = useState(query.to ?? '');
  const options = withChosen(
    kind === 'INTERNAL' ? internalOptions(accounts) : externalOptions(accounts, customerId),
    query.to,
  );
  const target = kind !== 'UMA_ADDRESS' && to === '' ? (options[0]?.[0] ?? '') : to;
  const choose = (chosen: string) => {
    setTo(chosen);
    setLooked(undefined);
  };
  const chooseKind = (chosen: string) => {
    setKind(chosen);
    choose('');
  };
  const field = { name: 'destination.accountId', label: 'Account', type: 'select' } as const;
  return (
    <>
      <Field name="kind" label="To" type="select" options={KINDS} value={kind} onChange={chooseKind} />
      {kind === 'UMA_ADDRESS' ? (
        <UmaFields looked={looked} onChange={choose} />
      ) : (
        <Field
          key={kind}
          {...field}
          value={target}
          options={options}
          onChange={choose}
          hint={accountHint(options.length === 0, accounts.isPart)}
        />
      )}
      {kind !== 'INTERNAL' && (
        <LookUp {...{ kind, target, customerId, looked, sending }} onDone={setLooked} />
      )}
    </>
  );
}

function accountHint(isNone: boolean, isPart: boolean): ComponentChildren {
  if (isNone) {
    return (
      <>
        There is no such account yet. <a href="/console">Your first payment</a> creates one.
      </>
    );
  }
  return isPart && 'The newest are listed. To pay another account, open its page and choose to pay it.';
}

function UmaFields({
  looked,
  onChange,
}: {
  looked: LookedUp | undefined;
  onChange: (value: string) => void;
}) {
  const currencies = looked?.supportedCurrencies ?? [];
  const example = useSandboxAddress();
  return (
    <>
      <Field
        name="destination.umaAddress"
        label="UMA address"
        placeholder="$name@example.com"
        hint={
          example !== undefined && (
            <>
              In the sandbox, <code>{example}</code> can be paid;{' '}
              <a href={docsUrl('/docs/sandbox#uma-receivers')} target="_blank" rel="noopener">
                others
              </a>{' '}
              refuse.
            </>
          )
        }
        onChange={onChange}
        isRequired
      />
      {currencies.length > 0 && (
        <Field
          name="destination.currency"
          label="Currency to receive"
          type="select"
          options={currencies.map(
            ({ currency }) => [currency.code ?? '', currency.name ?? currency.code ?? ''] as const,
          )}
        />
      )}
      {looked?.requiredPayerDataFields
        .filter(({ mandatory }) => mandatory)
        .map(({ name }) => (
          <Field
            key={name}
            name={`senderCustomerInfo.${name}`}
            label={`${sayName(name)} of the payer`}
            isRequired
          />
        ))}
    </>
  );
}

/** An address that the sandbox's provider knows; undefined in production. */
function useSandboxAddress(): string | undefined {
  const provider = useQuery(
    ['getAvailableUmaProviders', 'sandbox'],
    async () => (await corridor.getAvailableUmaProviders({ limit: 1 })).data[0]?.domain ?? '',
    { isEnabled: isSandbox() },
  );
  return provider.data ? `$success.eur@${provider.data}` : undefined;
}

function AmountFields({
  from,
  currency,
}: {
  from: string | undefined;
  currency: CurrencyPreference['currency'] | undefined;
}) {
  const amount = from !== undefined && /^\d+$/.test(from) ? formatAmount(BigInt(from), currency) : undefined;
  return (
    <div class="pay-amount">
      <Field
        name="lockedCurrencyAmount"
        label="Amount"
        value={amount}
        placeholder="250.00"
        hint="For example 250.00. The call sends it in the smallest unit."
        isRequired
      />
      <Field
        name="lockedCurrencySide"
        label="Amount is"
        type="select"
        options={[
          ['SENDING', 'Sent by the payer, fees included'],
          ['RECEIVING', 'Received'],
        ]}
      />
    </div>
  );
}

function buildQuote(values: FormValues, accounts: Accounts, looked: LookedUp | undefined): QuoteRequest {
  const side = (values.text('lockedCurrencySide') ?? 'SENDING') as QuoteRequest['lockedCurrencySide'];
  const source = values.text('source.accountId') ?? '';
  const payer = accounts.internal.find(({ id }) => id === source);
  const currency =
    side === 'SENDING'
      ? (payer?.balance.currency ?? values.text('source.currency'))
      : receivedCurrency(values, accounts);
  return {
    ...(looked && { lookupId: looked.lookupId }),
    source:
      source === REALTIME
        ? { sourceType: REALTIME, currency: values.text('source.currency') ?? '' }
        : { sourceType: 'ACCOUNT', accountId: source },
    destination:
      values.text('kind') === 'UMA_ADDRESS'
        ? {
            destinationType: 'UMA_ADDRESS',
            umaAddress: values.text('destination.umaAddress') ?? '',
            ...optional('currency', values.text('destination.currency')),
          }
        : { destinationType: 'ACCOUNT', accountId: values.text('destination.accountId') ?? '' },
    lockedCurrencySide: side,
    lockedCurrencyAmount: readAmount(values.text('lockedCurrencyAmount'), currency) as number,
    ...optional('description', values.text('description')),
    ...optional('remittanceInformation', values.text('remittanceInformation')),
    ...senderInfo(values, looked),
  };
}

/** An unreadable amount is sent as undefined, so that the API refuses it at its field. */
function readAmount(text: string | undefined, currency: Parameters<typeof parseAmount>[1]) {
  return text === undefined ? undefined : (parseAmount(text, currency) ?? Number.NaN);
}

function optional<Name extends string>(name: Name, value: string | undefined): { [K in Name]?: string } {
  return value === undefined ? {} : ({ [name]: value } as { [K in Name]: string });
}

function receivedCurrency(values: FormValues, { internal, external }: Accounts) {
  const id = values.text('destination.accountId');
  return (
    external.find((account) => account.id === id)?.currency ??
    internal.find((account) => account.id === id)?.balance.currency ??
    values.text('destination.currency')
  );
}

function senderInfo(values: FormValues, looked: LookedUp | undefined) {
  const given = (looked?.requiredPayerDataFields ?? []).flatMap(({ name }) => {
    const value = values.text(`senderCustomerInfo.${name}`);
    return value === undefined ? [] : [[name, value] as const];
  });
  return given.length === 0 ? {} : { senderCustomerInfo: Object.fromEntries(given) };
}
