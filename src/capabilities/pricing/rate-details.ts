import type { FeeSchedule } from '#capabilities/pricing/fees.ts';
import type { Price } from '#capabilities/pricing/price.ts';
import { crossRate, type RateTable } from '#capabilities/pricing/rates.ts';
import { currencyOf } from '#foundation/lib/currencies.ts';
import {
  basisPoints,
  fraction,
  multiply,
  numberHalfUp,
  scale,
  significantHalfUp,
  subtract,
} from '#foundation/lib/money.ts';

/** Amounts are minor units: `counterpartyFixedFee` in the receiving currency, the others in the sending one. */
export interface RateDetails {
  readonly counterpartyMultiplier: number;
  readonly counterpartyFixedFee: bigint;
  readonly svcApiMultiplier: number;
  readonly svcApiFixedFee: bigint;
  readonly svcApiVariableFeeRate: number;
  readonly svcApiVariableFeeAmount: bigint;
}

/** money.md §1.9; undefined within one currency. `table` must be the table that the price was computed with. */
export function rateDetails(price: Price, schedule: FeeSchedule, table: RateTable): RateDetails | undefined {
  const { from, to } = price.corridor;
  if (from === to) return undefined;
  const variableRate = basisPoints(schedule.service.variableBps);
  const msatPerSending = scale(crossRate(table, from, 'BTC'), MSAT_DECIMALS - currencyOf(from).decimals);
  const receivingPerMsat = scale(crossRate(table, 'BTC', to), currencyOf(to).decimals - MSAT_DECIMALS);
  return {
    counterpartyMultiplier: significantHalfUp(receivingPerMsat, MULTIPLIER_DIGITS),
    counterpartyFixedFee: schedule.counterpartyFixedFee,
    svcApiMultiplier: significantHalfUp(
      multiply(msatPerSending, subtract(fraction(1n), variableRate)),
      MULTIPLIER_DIGITS,
    ),
    svcApiFixedFee: price.serviceFixed,
    svcApiVariableFeeRate: numberHalfUp(variableRate, 4),
    svcApiVariableFeeAmount: price.serviceVariable,
  };
}

/** A thousandth of BTC's smallest unit. */
const MSAT_DECIMALS = 11;
const MULTIPLIER_DIGITS = 12;
