import { corridorName, largestAmountWithin, smallestAmountWorth } from '#capabilities/pricing/limits.ts';
import { crossRate, type RateTable } from '#capabilities/pricing/rates.ts';
import { currencyOf } from '#foundation/lib/currencies.ts';
import {
  basisPoints,
  convertUp,
  type Fraction,
  fraction,
  multiply,
  subtract,
} from '#foundation/lib/money.ts';
import { DEFAULT_SETTINGS, type PlatformSettings } from '#foundation/lib/platform.ts';

/** accounts.md §6.4: the limits if neither the corridor nor the receiver sets any. */
const MIN = 1n;
const MAX = 10_000_000n;

export interface Bounds {
  readonly min: bigint;
  readonly max: bigint;
}

/**
 * The amounts that can be received in a corridor, in the smallest unit of `to`; the receiver's own limits narrow them.
 */
export function receivingBounds(
  pair: { readonly from: string; readonly to: string },
  { limits }: PlatformSettings,
  rates: RateTable,
  own: { readonly min?: bigint | undefined; readonly max?: bigint | undefined } = {},
): Bounds {
  const { minUsdCents, maxUsdCents } = { ...operatorLimits(limits), ...limits.corridors[corridorName(pair)] };
  const min = minUsdCents === undefined ? MIN : smallestAmountWorth(BigInt(minUsdCents), pair.to, rates);
  const max = maxUsdCents === undefined ? MAX : largestAmountWithin(BigInt(maxUsdCents), pair.to, rates);
  return { min: largest(MIN, min, own.min ?? MIN), max: largest(MIN, smallest(max, own.max ?? max)) };
}

/** The operator's limits for all corridors; the built-in default maximum does not count here. */
function operatorLimits({ default: all }: PlatformSettings['limits']): PlatformSettings['limits']['default'] {
  const { maxUsdCents, ...rest } = all;
  const isSet =
    maxUsdCents !== undefined && maxUsdCents !== DEFAULT_SETTINGS.PRODUCTION.limits.default.maxUsdCents;
  return { ...rest, ...(isSet && { maxUsdCents }) };
}

/** accounts.md §6.5: the largest amount that is worth less than the ownership threshold. */
export function belowOwnershipThreshold(
  currency: string,
  { limits }: PlatformSettings,
  rates: RateTable,
): bigint {
  const decimals = { from: currencyOf('EUR').decimals, to: currencyOf(currency).decimals };
  const threshold = BigInt(limits.ownershipThresholdEurCents);
  return largest(MIN, convertUp(threshold, crossRate(rates, 'EUR', currency), decimals) - 1n);
}

/** accounts.md §6.3: major units received per major unit sent, after the platform's variable fee. */
export function estimatedRate(
  pair: { readonly from: string; readonly to: string },
  platformFeeBps: number,
  rates: RateTable,
): Fraction {
  if (pair.from === pair.to) return fraction(1n);
  const kept = subtract(fraction(1n), basisPoints(platformFeeBps));
  return multiply(crossRate(rates, pair.from, pair.to), kept);
}

function largest(...amounts: bigint[]): bigint {
  return amounts.toSorted(descending)[0] ?? 0n;
}

function smallest(...amounts: bigint[]): bigint {
  return amounts.toSorted(descending).at(-1) ?? 0n;
}

function descending(a: bigint, b: bigint): number {
  return a < b ? 1 : -1;
}
