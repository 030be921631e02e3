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

/** Answers: how much would arrive, in which currency, over which rail, and at which price? */
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
      <Loaded read={rates} what="The rates could not be read." lines={10}>
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
  if (first === undefined) return `No corridor leads from ${source} there.`;
  const targets = new Set(data.map(({ destinationCurrency }) => destinationCurrency.code));
  if (targets.size > 1) return `Money in ${source} can be sent in ${targets.size} currencies.`;
  const { sendingAmount, sourceCurrency, receivingAmount, destinationCurrency } = first;
  return `${formatMoney(sendingAmount, sourceCurrency)} arrive as ${formatMoney(receivingAmount, destinationCurrency)}.`;
}

function RateTable({ rates }: { rates: readonly ExchangeRate[] }) {
  if (rates.length === 0) return <Empty title="There is no such corridor." />;
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
          title: 'Over',
          isWide: true,
          cell: ({ destinationPaymentRail }) => sayRail(destinationPaymentRail),
        },
        {
          title: 'Sent',
          align: 'end',
          cell: (rate) => <Money amount={rate.sendingAmount} currency={rate.sourceCurrency} />,
        },
        {
          title: 'Fees in it',
          align: 'end',
          cell: ({ fees, sourceCurrency }) => <Money amount={fees.total} currency={sourceCurrency} />,
        },
        {
          title: 'Arrives',
          align: 'end',
          cell: (rate) => <Money amount={rate.receivingAmount} currency={rate.destinationCurrency} />,
        },
        {
          title: 'Costs of one',
          align: 'end',
          cell: ({ exchangeRate, sourceCurrency }) => (
            <span class="money">
              {exchangeRate.toLocaleString('en', { maximumFractionDigits: 8 })}{' '}
              <span class="money-code">{sourceCurrency.code}</span>
            </span>
          ),
        },
        {
          title: 'Smallest',
          align: 'end',
          cell: (rate) => <Money amount={rate.minSendingAmount} currency={rate.sourceCurrency} />,
        },
        { title: 'Read', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
      ]}
    />
  );
}

/** Rails are names: most of them are capitals, the others are words. */
function sayRail(rail: string): string {
  return rail.includes('_') ? sayName(rail) : rail;
}

function Corridors({ currency }: { currency: string | undefined }) {
  const query = currency === undefined ? {} : { currency };
  const banks = useQuery(['getDiscoveries', query], async () => (await corridor.getDiscoveries(query)).data);
  return (
    <Section
      title="Banks and wallets that receive"
      hint="Where a payee can have an account. Choose a currency above to see its banks alone."
    >
      <Loaded read={banks} what="The banks could not be read." lines={6}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="Any bank of this currency receives: no list is needed." />
          ) : (
            <Table
              caption="Banks and wallets"
              rows={found}
              keyOf={({ country, currency: code, bankName }) => `${country} ${code} ${bankName}`}
              columns={[
                { title: 'Name', isWide: true, cell: ({ displayName }) => <Text>{displayName}</Text> },
                { title: 'Country', cell: ({ country }) => country },
                { title: 'Currency', cell: ({ currency: code }) => code },
                { title: 'Over', cell: ({ paymentRails }) => paymentRails.map(sayRail).join(', ') },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const FIELDS: readonly FilterField[] = [
  { name: 'from', label: `From (${HOME} if empty)`, kind: 'text' },
  { name: 'to', label: 'To', kind: 'text' },
  { name: 'amount', label: 'Amount', kind: 'text' },
];
