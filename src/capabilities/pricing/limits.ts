import { crossRate, type RateTable, rateCurrency } from '#capabilities/pricing/rates.ts';
import { currencyDecimals, currencyOf, type OwnCurrencies } from '#foundation/lib/currencies.ts';
import {
  compare,
  convertDown,
  convertUp,
  type Fraction,
  fraction,
  multiply,
  scale,
} from '#foundation/lib/money.ts';
import { DEFAULT_SETTINGS, type PlatformSettings } from '#foundation/lib/platform.ts';

/** Limits of a corridor, or of withdrawals within one currency, in US cents (platform.md §9). */
export interface CorridorLimits {
  readonly minUsdCents: bigint;
  readonly maxUsdCents: bigint;
  readonly dailyUsdCents: bigint;
}

/** Returns `USD-EUR`, or `USD` within one currency. */
export function corridorName({ from, to }: { from: string; to: string }): string {
  return from === to ? from : `${from}-${to}`;
}

/** Takes each limit from the corridor's settings, else from those for all corridors, else the default. */
export function corridorLimits(
  { limits }: PlatformSettings,
  pair: { from: string; to: string },
): CorridorLimits {
  const own = limits.corridors[corridorName(pair)];
  const set = { ...DEFAULT_SETTINGS.PRODUCTION.limits.default, ...limits.default, ...own };
  return {
    minUsdCents: BigInt(set.minUsdCents ?? 0),
    maxUsdCents: BigInt(set.maxUsdCents ?? 0),
    dailyUsdCents: BigInt(set.dailyUsdCents ?? 0),
  };
}

/** Returns the unrounded value in US cents, so that it compares exactly with a limit (money.md §8.3). */
export function valueInUsd(amount: bigint, currency: string, table: RateTable, own: OwnCurrencies): Fraction {
  return valueIn('USD', amount, currency, table, own);
}

/** Returns the unrounded value in minor units of `target`. */
export function valueIn(
  target: string,
  amount: bigint,
  currency: string,
  table: RateTable,
  own: OwnCurrencies,
): Fraction {
  const exponent = currencyOf(target).decimals - currencyDecimals(currency, own);
  return multiply(fraction(amount), scale(crossRate(table, rateCurrency(currency, own), target), exponent));
}

/** For maxima: a value equal to the limit is allowed (money.md §8.2). */
export function exceedsLimit(value: Fraction, limit: bigint): boolean {
  return compare(value, fraction(limit)) > 0;
}

/** For thresholds that apply from exactly their value on, such as that of accounts.md §3.5. */
export function reachesThreshold(value: Fraction, threshold: bigint): boolean {
  return compare(value, fraction(threshold)) >= 0;
}

/** The largest amount of `currency` that a maximum in US cents allows (platform.md §6.4). */
export function largestAmountWithin(limitUsd: bigint, currency: string, table: RateTable): bigint {
  return convertDown(limitUsd, crossRate(table, 'USD', currency), {
    from: currencyOf('USD').decimals,
    to: currencyOf(currency).decimals,
  });
}

/** The smallest amount of `currency` that a minimum in US cents allows (platform.md §6.4). */
export function smallestAmountWorth(minimumUsd: bigint, currency: string, table: RateTable): bigint {
  return convertUp(minimumUsd, crossRate(table, 'USD', currency), {
    from: currencyOf('USD').decimals,
    to: currencyOf(currency).decimals,
  });
}
