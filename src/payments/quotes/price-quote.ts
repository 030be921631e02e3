import type { PaymentInstruction } from '#accounts/payment-instruction-schemas.ts';
import { NO_OWN_CURRENCIES, showAmount } from '#lib/currencies.ts';
import { compare, type Fraction, fraction } from '#lib/money.ts';
import type { PlatformSettings } from '#lib/platform-settings.ts';
import { invalidFields, Refusal } from '#lib/refusals.ts';
import type { Owner, QuoteDestination, QuoteSource } from '#payments/parties/source-destination.ts';
import type { FeeSchedule } from '#pricing/fees.ts';
import { corridorLimits, exceedsLimit, valueInUsd } from '#pricing/limits.ts';
import { type Price, type PriceRefusal, priceReceiving, priceSending } from '#pricing/price.ts';
import { corridorOf, type RateTable } from '#pricing/rates.ts';

/** A request for a quote whose fields, accounts and permissions have been judged (money.md §2). */
export interface QuoteInput {
  readonly owner: Owner;
  readonly agentId?: string | undefined;
  readonly source: QuoteSource;
  readonly destination: QuoteDestination;
  readonly lockedSide: 'SENDING' | 'RECEIVING';
  readonly lockedAmount: bigint;
  /** One reading of the rates serves the whole quote (money.md §1.2). */
  readonly rates: RateTable;
  readonly fees: FeeSchedule;
  /** The platform's account in the sending currency, where its fee goes. */
  readonly feeAccount: string | null;
  readonly description?: string | undefined;
  readonly remittanceInformation?: string | undefined;
  readonly purposeOfPayment?: string | undefined;
  readonly counterpartyInformation?: Readonly<Record<string, unknown>> | undefined;
  readonly senderCustomerInfo?: Readonly<Record<string, unknown>> | undefined;
  /** `paymentInstructions` of a source that is not paid in real time: an embedded wallet's. */
  readonly instructions?: readonly PaymentInstruction[] | undefined;
}

export interface PricedQuote {
  readonly price: Price;
  /** S in US cents, exactly. */
  readonly usdValue: Fraction;
}

/** What the quote costs, or why it cannot be priced: money.md §1, and money.md §2's rows on the size of an amount. */
export function priceQuote(input: QuoteInput, settings: PlatformSettings): PricedQuote | Refusal {
  const pair = { from: sendingCurrencyOf(input), to: receivingCurrencyOf(input) };
  const price = priceOf(input, pair, input.rates, input.fees);
  if (price === 'AMOUNT_OUT_OF_RANGE') return tooSmallOrLarge();
  if (price.platformFeesIncluded > 0n && input.feeAccount === null) return noFeeAccount(pair.from);
  const usdValue = valueInUsd(price.totalSendingAmount, pair.from, input.rates);
  return sizeRefusal(usdValue, settings, pair) ?? { price, usdValue };
}

export function priceOf(
  { lockedSide, lockedAmount }: Pick<QuoteInput, 'lockedSide' | 'lockedAmount'>,
  pair: { from: string; to: string },
  rates: RateTable,
  fees: FeeSchedule,
): Price | PriceRefusal {
  const corridor = corridorOf(rates, pair.from, pair.to);
  return (lockedSide === 'SENDING' ? priceSending : priceReceiving)(lockedAmount, corridor, fees);
}

/** money.md §8.1, platform.md §9: exactly reaching the maximum is allowed. */
export function sizeRefusal(
  usdValue: Fraction,
  settings: PlatformSettings,
  pair: { from: string; to: string },
): Refusal | undefined {
  const { minUsdCents, maxUsdCents } = corridorLimits(settings, pair);
  if (compare(usdValue, fraction(minUsdCents)) < 0) {
    const reason = `The amount is below this corridor’s minimum of ${showAmount(minUsdCents, 'USD', NO_OWN_CURRENCIES)}.`;
    return new Refusal('AMOUNT_OUT_OF_RANGE', reason, { minUsdCents: Number(minUsdCents) });
  }
  if (!exceedsLimit(usdValue, maxUsdCents)) return undefined;
  const reason = `The amount is above this corridor’s maximum of ${showAmount(maxUsdCents, 'USD', NO_OWN_CURRENCIES)} for one transaction.`;
  return new Refusal('TRANSACTION_SIZE_LIMIT_EXCEEDED', reason, { maxUsdCents: Number(maxUsdCents) });
}

function tooSmallOrLarge(): Refusal {
  return new Refusal(
    'AMOUNT_OUT_OF_RANGE',
    'The amount is too small or too large once fees and conversion are applied.',
  );
}

/** money.md §1.10. */
function noFeeAccount(currency: string): Refusal {
  const message = `the platform has no internal account in ${currency} for its fee`;
  return invalidFields([{ field: 'platformFeeOverride', message }]);
}

export function sendingCurrencyOf({ source }: Pick<QuoteInput, 'source'>): string {
  return source.kind === 'EXTERNAL' ? source.account.currency : source.currency;
}

export function receivingCurrencyOf({ destination }: Pick<QuoteInput, 'destination'>): string {
  return destination.kind === 'EXTERNAL' ? destination.account.currency : destination.currency;
}
