import { currencyOf, isCurrencyCode, type PresentedAmount, showAmount } from '#foundation/lib/currencies.ts';

type Terms = PresentedAmount['currency'];

/** Whether a value is an amount in the form of the API's replies (platform.md §1.2.4). */
export function isPresentedAmount(value: object): value is PresentedAmount {
  const { amount, currency } = value as Partial<PresentedAmount>;
  return Object.keys(value).length === 2 && Number.isSafeInteger(amount) && isTerms(currency);
}

/** For people: `750.00 USD`, with the decimals of its currency. */
export function showPresented({ amount, currency }: PresentedAmount): string {
  const shown = showAmount(BigInt(Math.abs(amount)), currency.code, { [currency.code]: currency });
  return amount < 0 ? `-${shown}` : shown;
}

/**
 * Shows a value of the API to people, with every amount as `750.00 USD`. An amount may be a bare number in the API if a
 * neighbouring field names its currency. A number without such a field stays a number.
 */
export function withAmounts(value: unknown, around: Currencies = {}): unknown {
  if (Array.isArray(value)) return value.map((item) => withAmounts(item, around));
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  if (isPresentedAmount(value)) return showPresented(value);
  const known = { ...around, ...currenciesOf(value) };
  const shown = Object.entries(value).map(([name, item]) => {
    const currency = Number.isSafeInteger(item) ? currencyOfMember(name, known, value) : undefined;
    return [name, currency ? showPresented({ amount: item, currency }) : withAmounts(item, known)];
  });
  return Object.fromEntries(shown);
}

/** The currencies that the bare numbers in an object may have. */
interface Currencies {
  readonly sending?: Terms;
  readonly receiving?: Terms;
  /** The currency of a card, or of an agent's limits. */
  readonly own?: Terms;
}

// The word before Api is the name of the service (platform.md §1.2.7).
const IN_SENDING =
  /^(fees|feesIncluded|platformFees|platformFeesIncluded|totalSendingAmount|\w+Api(FixedFee|VariableFeeAmount))$/;
const IN_RECEIVING = /^(totalReceivingAmount|counterpartyFixedFee)$/;
const IN_OWN =
  /^(maxSpendPerTransaction|maxSpendPerDay|perTransactionLimit|dailyLimit|monthlyLimit|dailySpend|monthlySpend)$/;

function currencyOfMember(name: string, known: Currencies, parent: object): Terms | undefined {
  if (IN_SENDING.test(name)) return known.sending;
  if (IN_RECEIVING.test(name)) return known.receiving;
  return IN_OWN.test(name) || (name === 'amount' && 'currency' in parent) ? known.own : undefined;
}

function currenciesOf(value: object): Currencies {
  const { sentAmount, sendingCurrency, receivedAmount, receivingCurrency, currency, policy } =
    value as Readonly<Record<string, Loose | undefined>>;
  const sending = termsOf(sentAmount?.currency ?? sendingCurrency);
  const receiving = termsOf(receivedAmount?.currency ?? receivingCurrency);
  const own = termsOf(currency ?? policy?.spendingLimits?.currency);
  return { ...(sending && { sending }), ...(receiving && { receiving }), ...(own && { own }) };
}

/** Anything that may have members, or not. */
interface Loose {
  readonly currency?: unknown;
  readonly spendingLimits?: { readonly currency?: unknown };
}

/** Takes a currency object, or the code of a built-in currency. */
function termsOf(currency: unknown): Terms | undefined {
  if (typeof currency === 'string') return isCurrencyCode(currency) ? currencyOf(currency) : undefined;
  return isTerms(currency) ? currency : undefined;
}

function isTerms(value: unknown): value is Terms {
  const { code, decimals } = (value ?? {}) as Partial<Terms>;
  return typeof code === 'string' && Number.isInteger(decimals);
}
