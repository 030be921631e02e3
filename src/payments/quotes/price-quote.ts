import { NO_OWN_CURRENCIES, showAmount } from '#lib/currencies.ts';
import { compare, type Fraction, fraction } from '#lib/money.ts';
import type { PlatformSettings } from '#lib/platform-settings.ts';
import { invalidFields, Refusal } from '#lib/refusals.ts';
import {
  type QuoteInput,
  receivingCurrencyOf,
  sendingCurrencyOf,
} from '#payments/parties/source-destination.ts';
import type { FeeSchedule } from '#pricing/fees.ts';
import { exceedsLimit, valueInUsd } from '#pricing/limits.ts';
import { type Price, type PriceRefusal, priceReceiving, priceSending } from '#pricing/price.ts';
import { corridorOf, type RateTable } from '#pricing/rates.ts';
import { corridorLimits } from '#pricing/terms.ts';

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
