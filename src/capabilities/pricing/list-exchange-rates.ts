import { corridorServiceFees, type FeeRate, feeSchedule } from '#capabilities/pricing/fees.ts';
import { corridorLimits, largestAmountWithin, smallestAmountWorth } from '#capabilities/pricing/limits.ts';
import { type Estimate, estimateSending } from '#capabilities/pricing/price.ts';
import {
  buildCorridor,
  type Corridor,
  canPrice,
  type RateTable,
  readRates,
  shownRate,
} from '#capabilities/pricing/rates.ts';
import type { ExchangeRate } from '#capabilities/pricing/schemas.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import {
  isKnownCurrency,
  NO_OWN_CURRENCIES,
  type OwnCurrencies,
  presentCurrency,
} from '#foundation/lib/currencies.ts';
import { AMOUNT_MAX, larger, smaller } from '#foundation/lib/money.ts';
import type { PlatformSettings } from '#foundation/lib/platform.ts';
import { type PayoutRail, payoutRailsOf } from '#foundation/lib/rails-by-currency.ts';
import { type FieldError, invalidFields } from '#foundation/lib/refusals.ts';

/** The currencies that a platform may send and its fees, from its configuration (src/capabilities/platform/store.ts). */
export interface SendingTerms {
  /** Currencies whose sending is enabled, with the platform's own bounds in the smallest unit. */
  readonly sources: readonly SendingSource[];
  /** The platform's fee on payments from this currency into another; undefined: none. */
  feeOn(code: string): FeeRate | undefined;
}

export interface SendingSource {
  readonly code: string;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
}

export interface RateRequest {
  readonly sourceCurrency?: string;
  readonly destinationCurrency?: readonly string[];
  readonly sendingAmount: bigint;
}

/** One line of the rate list: a corridor over one rail, priced for the requested amount. */
export interface ExchangeRateRow extends Estimate {
  readonly corridor: Corridor;
  readonly rail: PayoutRail;
  readonly sendingAmount: bigint;
  readonly minSendingAmount: bigint;
  readonly maxSendingAmount: bigint;
  readonly updatedAt: Date;
}

/**
 * Lists every corridor from a currency that the platform may send, by source, destination and rail (platform.md §6).
 */
export async function listExchangeRates(
  tx: ReadTx,
  terms: SendingTerms,
  request: RateRequest,
): Promise<ExchangeRateRow[]> {
  requireKnownCodes(request, tx.platform.ownCurrencies);
  const reading = await readRates(tx);
  if (!reading) return [];
  const { table, readAt } = reading;
  const rows = pricedPairs(table, terms, request).flatMap(([source, to]) => {
    const priced = priceExchangeRate(table, tx.platform.settings, terms, source, to, request.sendingAmount);
    return payoutRailsOf(to)
      .toSorted()
      .map((rail) => ({ ...priced, rail, updatedAt: readAt }));
  });
  requireExactAmounts(rows);
  return rows;
}

/** An unknown code is refused; a known one without a corridor gives no rows (platform.md §6.5). */
function requireKnownCodes(
  { sourceCurrency, destinationCurrency = [] }: RateRequest,
  own: OwnCurrencies,
): void {
  const errors: FieldError[] = [];
  const check = (field: string, code: string | undefined) => {
    if (code === undefined || isKnownCurrency(code, own)) return;
    errors.push({ field, constraint: { format: 'iso4217' }, message: 'is not a currency' });
  };
  check('sourceCurrency', sourceCurrency);
  for (const [i, code] of destinationCurrency.entries()) check(`destinationCurrency.${i}`, code);
  if (errors.length > 0) throw invalidFields(errors, 'INVALID_CURRENCY');
}

function pricedPairs(table: RateTable, terms: SendingTerms, request: RateRequest): [SendingSource, string][] {
  const { sourceCurrency, destinationCurrency } = request;
  const sources = terms.sources
    .filter(({ code }) => sourceCurrency === undefined || code === sourceCurrency)
    .toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const wanted = destinationCurrency && new Set(destinationCurrency);
  const destinations = [...table.keys()].filter((code) => !wanted || wanted.has(code)).sort();
  return sources.flatMap((source) =>
    destinations
      .filter((to) => to !== source.code && canPrice(table, { from: source.code, to }))
      .map((to): [SendingSource, string] => [source, to]),
  );
}

function priceExchangeRate(
  table: RateTable,
  settings: PlatformSettings,
  terms: SendingTerms,
  source: SendingSource,
  to: string,
  sendingAmount: bigint,
) {
  const pair = { from: source.code, to };
  const corridor = buildCorridor(table, pair.from, pair.to);
  const schedule = feeSchedule(pair, corridorServiceFees(settings, pair), {
    configured: terms.feeOn(pair.from),
  });
  const { minUsdCents, maxUsdCents } = corridorLimits(settings, pair);
  return {
    ...estimateSending(sendingAmount, corridor, schedule),
    corridor,
    sendingAmount,
    minSendingAmount: larger(smallestAmountWorth(minUsdCents, pair.from, table), source.minAmount),
    maxSendingAmount: smaller(largestAmountWithin(maxUsdCents, pair.from, table), source.maxAmount),
  };
}

/** Refuses an amount that JSON cannot represent exactly, instead of rounding it. */
function requireExactAmounts(rows: readonly ExchangeRateRow[]): void {
  const tooLarge = rows.find((row) => row.receivingAmount > AMOUNT_MAX || row.fees.feesIncluded > AMOUNT_MAX);
  if (!tooLarge) return;
  const message = `is too large: the amount received in ${tooLarge.corridor.to} cannot be represented exactly`;
  throw invalidFields([{ field: 'sendingAmount', message }]);
}

export function presentExchangeRate(row: ExchangeRateRow): ExchangeRate {
  return {
    sourceCurrency: presentCurrency(row.corridor.from, NO_OWN_CURRENCIES),
    destinationCurrency: presentCurrency(row.corridor.to, NO_OWN_CURRENCIES),
    destinationPaymentRail: row.rail,
    minSendingAmount: Number(row.minSendingAmount),
    maxSendingAmount: Number(row.maxSendingAmount),
    sendingAmount: Number(row.sendingAmount),
    receivingAmount: Number(row.receivingAmount),
    exchangeRate: shownRate(row.corridor.rate),
    fees: { fixed: Number(row.fees.fixedFees), total: Number(row.fees.feesIncluded) },
    updatedAt: row.updatedAt.toISOString(),
  };
}
