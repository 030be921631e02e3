import { type FeeSchedule, type Fees, feesOn, variableFees } from '#capabilities/pricing/fees.ts';
import { type Corridor, decimalsIn, shownRate } from '#capabilities/pricing/rates.ts';
import {
  AMOUNT_MAX,
  basisPoints,
  convertDown,
  convertUp,
  type Fraction,
  fraction,
  invert,
  multiplyDown,
  subtract,
} from '#foundation/lib/money.ts';

/** One priced payment: S = Fs + Fp + N, and R is N at the rate (money.md §1). */
export interface Price extends Fees {
  readonly corridor: Corridor;
  /** S, in the sending currency. */
  readonly totalSendingAmount: bigint;
  /** R, in the receiving currency. */
  readonly totalReceivingAmount: bigint;
  /** N = S − Fs − Fp: the amount that is converted. */
  readonly netAmount: bigint;
  /** For display only; amounts are computed with the corridor's exact rate. */
  readonly exchangeRate: number;
}

export type PriceRefusal = 'AMOUNT_OUT_OF_RANGE';

/** The result of sending an amount, without checking whether it can be paid (platform.md §6.3). */
export interface Estimate {
  readonly fees: Fees;
  /** N; zero or less if the fees take everything. */
  readonly netAmount: bigint;
  /** R, at least 0. */
  readonly receivingAmount: bigint;
}

/** Prices a fixed S (money.md §1.7). Refused if N ≤ 0, R < 1, or JSON cannot represent an amount exactly. */
export function priceSending(
  amount: bigint,
  corridor: Corridor,
  schedule: FeeSchedule,
): Price | PriceRefusal {
  const { fees, netAmount, receivingAmount } = estimateSending(amount, corridor, schedule);
  if (netAmount <= 0n || receivingAmount < 1n) return 'AMOUNT_OUT_OF_RANGE';
  return buildPrice(corridor, fees, amount, receivingAmount);
}

/** Prices a fixed R: S is the smallest amount that yields at least R (money.md §1.8). */
export function priceReceiving(
  amount: bigint,
  corridor: Corridor,
  schedule: FeeSchedule,
): Price | PriceRefusal {
  const kept = shareKept(schedule);
  if (amount < 1n || kept.numerator <= 0n) return 'AMOUNT_OUT_OF_RANGE';
  const { from, to } = decimalsIn(corridor);
  const need = convertUp(amount, invert(corridor.rate), { from: to, to: from });
  const { fixedFees } = feesOn(0n, corridor, schedule);
  const sendingAmount = fixedFees + smallestBase(need, kept, schedule);
  return buildPrice(corridor, feesOn(sendingAmount, corridor, schedule), sendingAmount, amount);
}

export function estimateSending(amount: bigint, corridor: Corridor, schedule: FeeSchedule): Estimate {
  const fees = feesOn(amount, corridor, schedule);
  const netAmount = amount - fees.feesIncluded;
  const received = convertDown(netAmount, corridor.rate, decimalsIn(corridor));
  return { fees, netAmount, receivingAmount: received > 0n ? received : 0n };
}

function buildPrice(
  corridor: Corridor,
  fees: Fees,
  totalSendingAmount: bigint,
  totalReceivingAmount: bigint,
): Price | PriceRefusal {
  if (totalSendingAmount > AMOUNT_MAX || totalReceivingAmount > AMOUNT_MAX) return 'AMOUNT_OUT_OF_RANGE';
  return {
    ...fees,
    corridor,
    totalSendingAmount,
    totalReceivingAmount,
    netAmount: totalSendingAmount - fees.feesIncluded,
    exchangeRate: shownRate(corridor.rate),
  };
}

/**
 * Finds the smallest base whose net amount is at least `need`. The net amount is not monotone: one more unit of
 * base changes it by +1, 0 or −1, because none, one or both of the variable fees may round up. Two facts make the
 * search short and complete:
 * - half-up(x) > x − ½, so net < base × kept + 1. No base up to (need − 1) ÷ kept is enough, so start after it.
 * - net grows by at most 1 per unit, so a base that misses by k rules out the next k − 1 as well.
 * The search ends by (need + 1) ÷ kept, because half-up(x) ≤ x + ½. For the same reason the first hit meets `need`
 * exactly, so nothing is lost within one currency: Fs = S − R − Fp (money.md §1.8).
 */
function smallestBase(need: bigint, kept: Fraction, schedule: FeeSchedule): bigint {
  let base = multiplyDown(need - 1n, invert(kept)) + 1n;
  for (;;) {
    const { serviceVariable, platformVariable } = variableFees(base, schedule);
    const missing = need - (base - serviceVariable - platformVariable);
    if (missing <= 0n) return base;
    base += missing;
  }
}

/** 1 − Σ variable rates. */
function shareKept(schedule: FeeSchedule): Fraction {
  return subtract(fraction(1n), basisPoints(schedule.service.variableBps + schedule.platform.variableBps));
}
