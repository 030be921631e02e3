import assert from 'node:assert/strict';
import { type Corridor, decimalsIn } from '#capabilities/pricing/rates.ts';
import { basisPoints, convertUp, invert, multiplyHalfUp } from '#foundation/lib/money.ts';
import type { PlatformSettings } from '#foundation/lib/platform.ts';

/** Basis points of the base (S less fixed fees), plus an amount in the sending currency. */
export interface FeeRate {
  readonly variableBps: number;
  readonly fixed: bigint;
}

/** The fees of one quote. `counterpartyFixedFee` is in the receiving currency (money.md §1.9). */
export interface FeeSchedule {
  readonly service: FeeRate;
  readonly platform: FeeRate;
  readonly counterpartyFixedFee: bigint;
}

/** The service's fees for a platform, from the operator's settings (money.md §1.4). */
export interface ServiceFees {
  readonly crossCurrency: FeeRate;
  readonly sameCurrency: FeeRate;
  readonly counterpartyFixedFee: bigint;
}

/** Each fee component in the sending currency, and their sums (money.md §1.6). */
export interface Fees {
  readonly serviceFixed: bigint;
  readonly serviceVariable: bigint;
  readonly platformFixed: bigint;
  readonly platformVariable: bigint;
  readonly counterpartyFixed: bigint;
  /** All fixed components. */
  readonly fixedFees: bigint;
  /** Fs: everything but the platform's fee. */
  readonly serviceFees: bigint;
  /** Fp. */
  readonly platformFeesIncluded: bigint;
  /** Fs + Fp. */
  readonly feesIncluded: bigint;
}

export const NO_FEE: FeeRate = { variableBps: 0, fixed: 0n };

/** The service fees of one pair, from the operator's settings (money.md §1.4). */
export function corridorServiceFees(
  { fees }: PlatformSettings,
  pair: { from: string; to: string },
): ServiceFees {
  const fixed = BigInt(fees.fixed[pair.from] ?? 0);
  return {
    crossCurrency: { variableBps: fees.crossCurrencyBps, fixed },
    sameCurrency: { variableBps: fees.sameCurrencyBps, fixed },
    counterpartyFixedFee: BigInt(fees.counterpartyFixed[pair.to] ?? 0),
  };
}

/**
 * The fees of one quote (money.md §1.4, §1.5). `configured`, the platform's fee for the source currency, applies across
 * currencies only; `override` replaces it and applies to any pair.
 */
export function feeSchedule(
  pair: { readonly from: string; readonly to: string },
  service: ServiceFees,
  platform: { readonly configured?: FeeRate | undefined; readonly override?: FeeRate | undefined },
): FeeSchedule {
  const isCrossCurrency = pair.from !== pair.to;
  return {
    service: isCrossCurrency ? service.crossCurrency : service.sameCurrency,
    platform: platform.override ?? (isCrossCurrency ? platform.configured : undefined) ?? NO_FEE,
    counterpartyFixedFee: service.counterpartyFixedFee,
  };
}

/** Fees on S = `sendingAmount`. If the fixed fees leave no base, the variable ones are zero. */
export function feesOn(sendingAmount: bigint, corridor: Corridor, schedule: FeeSchedule): Fees {
  assertNoneNegative(schedule);
  const counterpartyFixed = counterpartyFeeInSending(corridor, schedule);
  const fixedFees = schedule.service.fixed + schedule.platform.fixed + counterpartyFixed;
  const base = sendingAmount > fixedFees ? sendingAmount - fixedFees : 0n;
  const { serviceVariable, platformVariable } = variableFees(base, schedule);
  const serviceFees = schedule.service.fixed + serviceVariable + counterpartyFixed;
  const platformFeesIncluded = schedule.platform.fixed + platformVariable;
  return {
    serviceFixed: schedule.service.fixed,
    serviceVariable,
    platformFixed: schedule.platform.fixed,
    platformVariable,
    counterpartyFixed,
    fixedFees,
    serviceFees,
    platformFeesIncluded,
    feesIncluded: serviceFees + platformFeesIncluded,
  };
}

/** Rounds each component separately, half-up (money.md §1.6, platform.md §1.2.6). */
export function variableFees(
  base: bigint,
  schedule: FeeSchedule,
): { serviceVariable: bigint; platformVariable: bigint } {
  return {
    serviceVariable: multiplyHalfUp(base, basisPoints(schedule.service.variableBps)),
    platformVariable: multiplyHalfUp(base, basisPoints(schedule.platform.variableBps)),
  };
}

/** Rounds up, so that the amount always covers the counterparty's charge (money.md §1.6). */
function counterpartyFeeInSending(corridor: Corridor, schedule: FeeSchedule): bigint {
  const { from, to } = decimalsIn(corridor);
  return convertUp(schedule.counterpartyFixedFee, invert(corridor.rate), { from: to, to: from });
}

/** A negative fee would pay the sender. Settings are validated on entry, so a negative fee here is a bug. */
function assertNoneNegative({ service, platform, counterpartyFixedFee }: FeeSchedule): void {
  assert(service.variableBps >= 0 && platform.variableBps >= 0, 'negative variable fee');
  assert(service.fixed >= 0n && platform.fixed >= 0n && counterpartyFixedFee >= 0n, 'negative fixed fee');
}
