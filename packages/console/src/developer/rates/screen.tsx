import type { ExchangeRate } from '@corridor/client';
import { type Read, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Screen, Section } from '../../ui/layout.tsx';
import { formatMoney, Money, parseAmount } from '../../ui/money.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

const HOME = 'USD';

/** Answers: how much would arrive, in which currency, over which rail, and at what price? */
export default function Rates() {
  const filters = useFilters(FIELDS);
  const { from = HOME, to, amount } = filters.values;
  const source = from.toUpperCase();
  const sendingAmount = amount === undefined ? undefined : parseAmount(amount, source);
  const query = {
    sourceCurrency: source,
    ...(to !== undefined && { destinationCurrency: [to.toUpperCase()] }),
    ...(sendingAmount !== undefined && { sendingAmount }),
  };
  const rates = useQuery(
    ['getExchangeRates', query],
    async () => (await corridor.getExchangeRates(query)).data,
  );
  return (
    <Screen title="Rates and corridors" answer={answerOf(rates, source)}>
      <Filters fields={FIELDS} filters={filters} />
      {amount !== undefined && sendingAmount === undefined && (
        <p class="field-refusal" role="status">
          <Text>{amount}</Text> is no amount of {source}.
        </p>
      )}
      <Loaded read={rates} what="The rates could not be loaded." lines={10}>
        {(found) => (
          <>
            <RateTable rates={found} />
            <Corridors currency={to?.toUpperCase()} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function answerOf({ data }: Read<readonly ExchangeRate[]>, source: string): string | undefined {
  if (data === undefined) return undefined;
  const [first] = data;
  if (first === undefined) return `There is no corridor from ${source} to this currency.`;
  const targets = new Set(data.map(({ destinationCurrency }) => destinationCurrency.code));
  if (targets.size > 1) return `You can send ${source} to ${targets.size} currencies.`;
  const { sendingAmount, sourceCurrency, receivingAmount, destinationCurrency } = first;
  return `${formatMoney(sendingAmount, sourceCurrency)} arrives as ${formatMoney(receivingAmount, destinationCurrency)}.`;
}

function RateTable({ rates }: { rates: readonly ExchangeRate[] }) {
  if (rates.length === 0) return <Empty title="No corridor matches." />;
  return (
    <Table
      caption="Rates"
      rows={rates}
      keyOf={({ sourceCurrency, destinationCurrency, destinationPaymentRail }) =>
        `${sourceCurrency.code} ${destinationCurrency.code} ${destinationPaymentRail}`
      }
      columns={[
        { title: 'To', cell: ({ destinationCurrency }) => destinationCurrency.code },
        {
          title: 'Rail',
          isWide: true,
          cell: ({ destinationPaymentRail }) => sayName(destinationPaymentRail),
        },
        {
          title: 'Sent',
          align: 'end',
          cell: (rate) => <Money amount={rate.sendingAmount} currency={rate.sourceCurrency} />,
        },
        {
          title: 'Fees included',
          align: 'end',
          cell: ({ fees, sourceCurrency }) => <Money amount={fees.total} currency={sourceCurrency} />,
        },
        {
          title: 'Received',
          align: 'end',
          cell: (rate) => <Money amount={rate.receivingAmount} currency={rate.destinationCurrency} />,
        },
        {
          title: 'Price of one unit',
          align: 'end',
          cell: ({ exchangeRate, sourceCurrency }) => (
            <span class="money">
              {exchangeRate.toLocaleString('en', { maximumFractionDigits: 8 })}{' '}
              <span class="money-code">{sourceCurrency.code}</span>
            </span>
          ),
        },
        {
          title: 'Minimum',
          align: 'end',
          cell: (rate) => <Money amount={rate.minSendingAmount} currency={rate.sourceCurrency} />,
        },
        { title: 'Updated', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
      ]}
    />
  );
}

function Corridors({ currency }: { currency: string | undefined }) {
  const query = currency === undefined ? {} : { currency };
  const banks = useQuery(['getDiscoveries', query], async () => (await corridor.getDiscoveries(query)).data);
  return (
    <Section
      title="Banks and wallets"
      hint="The institutions at which a receiver can have an account. Choose a currency above to see only its banks."
    >
      <Loaded read={banks} what="The banks could not be loaded." lines={6}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="Any bank can receive this currency." />
          ) : (
            <Table
              caption="Banks and wallets"
              rows={found}
              keyOf={({ country, currency: code, bankName }) => `${country} ${code} ${bankName}`}
              columns={[
                { title: 'Name', isWide: true, cell: ({ displayName }) => <Text>{displayName}</Text> },
                { title: 'Country', cell: ({ country }) => country },
                { title: 'Currency', cell: ({ currency: code }) => code },
                { title: 'Rail', cell: ({ paymentRails }) => paymentRails.map(sayName).join(', ') },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const FIELDS: readonly FilterField[] = [
  { name: 'from', label: `From (default ${HOME})`, kind: 'text' },
  { name: 'to', label: 'To', kind: 'text' },
  { name: 'amount', label: 'Amount', kind: 'text' },
];
