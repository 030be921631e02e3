import { DEFAULT_SETTINGS, type PlatformSettings } from '#lib/platform-settings.ts';
import type { FeeRate, ServiceFees } from '#pricing/fees.ts';

/** What a platform may send and what it charges: from its configuration, which parts.ts hands in. */
export interface SendingTerms {
  /** Currencies whose sending is enabled, with the platform's own bounds in the smallest unit. */
  readonly sources: readonly SendingSource[];
  /** The platform's fee on payments out of a currency into another; absent: none. */
  feeOn(code: string): FeeRate | undefined;
}

export interface SendingSource {
  readonly code: string;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
}

/** The service fees of one pair, from the operator's settings (money.md §1.4). */
export function serviceFeesOf({ fees }: PlatformSettings, pair: { from: string; to: string }): ServiceFees {
  const fixed = BigInt(fees.fixed[pair.from] ?? 0);
  return {
    crossCurrency: { variableBps: fees.crossCurrencyBps, fixed },
    sameCurrency: { variableBps: fees.sameCurrencyBps, fixed },
    counterpartyFixedFee: BigInt(fees.counterpartyFixed[pair.to] ?? 0),
  };
}

/** Limits of a corridor, or of withdrawals where both are the same, in US cents (platform.md §9). */
export interface CorridorLimits {
  readonly minUsdCents: bigint;
  readonly maxUsdCents: bigint;
  readonly dailyUsdCents: bigint;
}

/** `USD-EUR`; within one currency, where the limits are those of withdrawals, `USD`. */
export function corridorName({ from, to }: { from: string; to: string }): string {
  return from === to ? from : `${from}-${to}`;
}

/** What was set for the corridor, else for all, else the default; each limit for itself. */
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
