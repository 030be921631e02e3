import { isScaRegion } from '#capabilities/customers/profile/regions.ts';
import type { History } from '#capabilities/payments/explanation/history.ts';
import { isCrossCurrency, netAmount, type TransactionRow } from '#capabilities/payments/row.ts';
import { corridorName } from '#capabilities/pricing/limits.ts';
import type { Item } from '#foundation/explanation/explanation.ts';
import { NO_OWN_CURRENCIES, type OwnCurrencies, sayAmount } from '#foundation/lib/currencies.ts';

/** Facts for the explanation that are not in the row. */
export interface DecisionFacts {
  readonly history: History;
  readonly own: OwnCurrencies;
  /** The region of the customer that owns the payment. */
  readonly region: string | undefined;
}

/** The checks before the money moved, with the values that were compared. */
export function decisionsOf(row: TransactionRow, facts: DecisionFacts): Item[] {
  const isPriced = row.kind === 'QUOTE';
  return [
    ...(isPriced ? [priceOf(row, facts), feesOf(row, facts)] : []),
    ...sizeOf(row),
    ...accountsOf(row, facts),
    ...authenticationOf(row, facts),
    ...volumeOf(row),
    ...approvalOf(row, facts),
  ];
}

function decided(
  at: Date | undefined,
  about: string,
  outcome: string,
  rest: Pick<Item, 'title' | 'rule'> & { readonly values?: Readonly<Record<string, unknown>> },
): Item {
  const { values, ...words } = rest;
  return {
    kind: 'decision',
    at,
    actor: { kind: 'SERVICE' },
    ...words,
    details: { about, outcome, ...values },
  };
}

function priceOf(row: TransactionRow, { own }: DecisionFacts): Item {
  const sent = sayAmount(row.sending_amount, row.sending_currency, own);
  const received = sayAmount(row.receiving_amount, row.receiving_currency, own);
  const rate = row.details.exchangeRate ?? 1;
  const at = isCrossCurrency(row)
    ? ` at ${rate} ${row.sending_currency} for 1 ${row.receiving_currency}`
    : ' in one currency';
  return decided(row.created_at, 'PRICE', 'FIXED', {
    title: `The price was fixed: the payer sends ${sent}, and the receiver gets ${received},${at}.`,
    rule: 'money.md §1.2',
    values: {
      exchangeRate: rate,
      sendingAmount: Number(row.sending_amount),
      sendingCurrency: row.sending_currency,
      receivingAmount: Number(row.receiving_amount),
      receivingCurrency: row.receiving_currency,
      convertedAmount: Number(netAmount(row)),
    },
  });
}

function feesOf(row: TransactionRow, { own }: DecisionFacts): Item {
  const show = (amount: bigint) => sayAmount(amount, row.sending_currency, own);
  const { service_fee: service, platform_fee: platform } = row;
  const title =
    service + platform === 0n
      ? 'No fees were charged.'
      : `The price includes fees of ${show(service + platform)}: ${show(service)} for the service and ${show(platform)} for the platform.`;
  return decided(row.created_at, 'FEES', 'FIXED', {
    title,
    rule: 'money.md §1.6',
    values: { serviceFee: Number(service), platformFee: Number(platform), currency: row.sending_currency },
  });
}

const dollars = (cents: bigint) => sayAmount(cents, 'USD', NO_OWN_CURRENCIES);

/** S in US cents, rounded up: an amount within a limit is never shown above it. */
function usdCentsOf({ details }: TransactionRow): bigint | undefined {
  if (!details.usdValue) return undefined;
  const [numerator, denominator] = details.usdValue.map(BigInt) as [bigint, bigint];
  return (numerator + denominator - 1n) / denominator;
}

function sizeOf(row: TransactionRow): Item[] {
  const worth = usdCentsOf(row);
  const { sizeLimit } = row.details;
  if (worth === undefined || sizeLimit === undefined) return [];
  const limit = BigInt(sizeLimit);
  return [
    decided(row.created_at, 'SIZE_LIMIT', 'PASSED', {
      title: `The payment is worth ${dollars(worth)}, within the limit of ${dollars(limit)} for one payment.`,
      rule: 'money.md §8.1',
      values: { usdCents: Number(worth), limitUsdCents: Number(limit) },
    }),
  ];
}

/** Screening and ownership of external accounts were checked; hits are never shown. */
function accountsOf(row: TransactionRow, { history }: DecisionFacts): Item[] {
  const hasExternal = row.source.kind === 'EXTERNAL' || row.destination.kind === 'EXTERNAL';
  if (!hasExternal || !history.executed) return [];
  return [
    decided(history.executed, 'ACCOUNTS', 'PASSED', {
      title: 'The external accounts passed the checks of status, screening and ownership.',
      rule: row.kind === 'QUOTE' ? 'money.md §3.3a' : 'money.md §5.4',
    }),
  ];
}

/** Says whether the customer had to authorize the payment, and why. */
function authenticationOf(row: TransactionRow, { history, region }: DecisionFacts): Item[] {
  const at = history.asked ?? (row.type === 'OUTGOING' ? history.executed : undefined);
  if (!at) return [];
  const [outcome, title] = reasonOf(row, history, region);
  return [decided(at, 'AUTHENTICATION', outcome, { title, rule: 'customers.md §7.10' })];
}

function reasonOf(row: TransactionRow, history: History, region: string | undefined): [string, string] {
  if (history.asked)
    return [
      'REQUIRED',
      'The customer had to authorize the payment: their region requires it, and they have not trusted the destination.',
    ];
  if (row.details.isPlatformMoney === true || row.customer_id === null)
    return ['NOT_REQUIRED', 'No authorization was needed: the money is the platform’s own.'];
  if (region !== undefined && isScaRegion(region))
    return [
      'TRUSTED',
      'No authorization was needed: the customer was logged in and has trusted the destination.',
    ];
  return ['NOT_REQUIRED', 'No authorization was needed: the customer’s region does not require it.'];
}

function volumeOf(row: TransactionRow): Item[] {
  const worth = usdCentsOf(row);
  const { daily_limit: limit, executed_at: at } = row;
  if (worth === undefined || limit === null || at === null) return [];
  const corridor = corridorName({ from: row.sending_currency, to: row.receiving_currency });
  return [
    decided(at, 'DAILY_LIMIT', 'PASSED', {
      title: `The payment added ${dollars(worth)} to today’s volume of ${corridor}, which stayed within the limit of ${dollars(limit)}.`,
      rule: 'money.md §8.2',
      values: { corridor, usdCents: Number(worth), limitUsdCents: Number(limit) },
    }),
  ];
}

/** An incoming UMA payment that the platform accepted. */
function approvalOf(row: TransactionRow, { history }: DecisionFacts): Item[] {
  if (row.kind !== 'UMA' || !history.executed) return [];
  return [
    {
      kind: 'decision',
      at: history.executed,
      actor: { kind: 'TOKEN' },
      title: 'The platform accepted the payment.',
      rule: 'money.md §7.2',
      details: { about: 'PLATFORM', outcome: 'APPROVED' },
    },
  ];
}
