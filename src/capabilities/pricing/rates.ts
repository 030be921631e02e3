import assert from 'node:assert/strict';
import type { ReadTx } from '#foundation/database/tx.ts';
import { currencyOf, isCurrencyCode, isOwnCurrency, type OwnCurrencies } from '#foundation/lib/currencies.ts';
import {
  compare,
  type Decimals,
  divide,
  type Fraction,
  fraction,
  invert,
  numberHalfUp,
  parseDecimal,
  significantHalfUp,
} from '#foundation/lib/money.ts';
import { refuse } from '#foundation/lib/refusals.ts';

/** The rates at one moment: exact major units of each currency per 1 USD (money.md §1.3). */
export type RateTable = ReadonlyMap<string, Fraction>;

/** A pair of currencies with its exact rate: receiving major units per sending major unit. */
export interface Corridor {
  readonly from: string;
  readonly to: string;
  readonly rate: Fraction;
}

/** Both currencies must be in the table, unless they are the same. */
export function buildCorridor(table: RateTable, from: string, to: string): Corridor {
  return { from, to, rate: crossRate(table, from, to) };
}

/** Receiving major units per sending major unit: the exact quotient of two entries; 1 within one currency. */
export function crossRate(table: RateTable, from: string, to: string): Fraction {
  return from === to ? fraction(1n) : divide(unitsPerUsd(table, to), unitsPerUsd(table, from));
}

/** Within one currency the decimals cancel out, so they need not be known: it may be the platform's own. */
export function decimalsIn({ from, to }: Corridor): Decimals {
  return from === to ? { from: 0, to: 0 } : { from: currencyOf(from).decimals, to: currencyOf(to).decimals };
}

/** Returns the code whose rate applies: the platform's own coin is worth a dollar (stablecoins.md §8.3). */
export function rateCurrency(code: string, own: OwnCurrencies): string {
  return isOwnCurrency(code, own) ? 'USD' : code;
}

export function hasRate(table: RateTable, code: string): boolean {
  return table.has(code);
}

/**
 * `exchangeRate` of money.md §1.1, for display only: sending major units per receiving major unit, the inverse of the
 * corridor's rate.
 */
export function shownRate(rate: Fraction): number {
  return roundedRate(invert(rate));
}

/** Half-up to 8 decimals; below 0.000001 to 8 significant digits (money.md §1.1). */
export function roundedRate(rate: Fraction): number {
  return compare(rate, SMALL_RATE) < 0 ? significantHalfUp(rate, 8) : numberHalfUp(rate, 8);
}

/** Builds a table from plain decimal strings, with USD as the unit. */
export function rateTable(unitsPerUsd: Readonly<Record<string, string>>): RateTable {
  const table = new Map(Object.entries(unitsPerUsd).map(([code, text]) => [code, parseDecimal(text)]));
  for (const [code, units] of table) {
    assert(isCurrencyCode(code), `rate of an unknown currency: ${code}`);
    assert(units.numerator > 0n, `rate of ${code} must be above zero`);
  }
  assert(compare(table.get('USD') ?? fraction(0n), fraction(1n)) === 0, 'USD is the unit');
  return table;
}

const SMALL_RATE: Fraction = { numerator: 1n, denominator: 1_000_000n };

function unitsPerUsd(table: RateTable, code: string): Fraction {
  const units = table.get(code);
  assert(units, `no rate for ${code}`);
  return units;
}

/** The rates at one moment; a quote uses a single reading throughout (money.md §1.2). */
export interface RateReading {
  readonly table: RateTable;
  /** Whether the currency is offered at all, even if its rate is too old to price anything now. */
  isOffered(code: string): boolean;
  readonly readAt: Date;
}

/** Undefined: there are no rates at all, so it is unknown which currencies are offered. */
export async function readRates(tx: ReadTx): Promise<RateReading | undefined> {
  const snapshot = await tx.ports.rates.snapshot(tx.now);
  if (!snapshot) return undefined;
  const { perUsd, lapsed, readAt } = snapshot;
  let table: RateTable | undefined;
  return {
    // Built when a price needs it: an execution only asks whether its currencies are offered.
    get table() {
      table ??= rateTable(perUsd);
      return table;
    },
    isOffered: (code) => Object.hasOwn(perUsd, code) || lapsed.includes(code),
    readAt,
  };
}

/** Returns the table if it has every rate that pricing this pair needs (`canPrice`). */
export function tableFor(
  reading: RateReading | undefined,
  { from, to }: { readonly from: string; readonly to: string },
  own: OwnCurrencies,
): RateTable | undefined {
  const rated = { from: rateCurrency(from, own), to: rateCurrency(to, own) };
  return reading && canPrice(reading.table, rated) ? reading.table : undefined;
}

/** Returns the same table, or refuses as in the last row of money.md §2.13. */
export function ratesFor(
  reading: RateReading | undefined,
  pair: { from: string; to: string },
  own: OwnCurrencies,
): RateTable {
  return tableFor(reading, pair, own) ?? refuseForRates();
}

export function refuseForRates(): never {
  refuse('QUOTE_REQUEST_FAILED', 'No exchange rate is recent enough at the moment. Try again later.');
}

/**
 * Pricing needs more rates than the pair's own. Limits are in dollars and the ownership threshold is in euros (money.md
 * §8, accounts.md §3.5). Across currencies, `rateDetails` is computed via bitcoin (money.md §1.9).
 */
export function canPrice(
  table: RateTable,
  { from, to }: { readonly from: string; readonly to: string },
): boolean {
  const needed = from === to ? [from, 'USD', 'EUR'] : [from, to, 'USD', 'EUR', 'BTC'];
  return needed.every((code) => hasRate(table, code));
}
