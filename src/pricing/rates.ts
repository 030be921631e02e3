import assert from 'node:assert/strict';
import { isCurrencyCode } from '#lib/currencies.ts';
import {
  compare,
  divide,
  type Fraction,
  fraction,
  invert,
  numberHalfUp,
  parseDecimal,
  significantHalfUp,
} from '#lib/money.ts';

/** One reading of the rate source: exact major units of each currency per 1 USD (money.md §1.3). */
export type RateTable = ReadonlyMap<string, Fraction>;

/** A pair of currencies at the exact rate of one reading: receiving major units per sending major unit. */
export interface Corridor {
  readonly from: string;
  readonly to: string;
  readonly rate: Fraction;
}

/** Both currencies must be in the table (`hasRate`), unless they are the same one. */
export function corridorOf(table: RateTable, from: string, to: string): Corridor {
  return { from, to, rate: crossRate(table, from, to) };
}

/** Receiving major units per sending major unit: the exact quotient of two entries; 1 for one currency. */
export function crossRate(table: RateTable, from: string, to: string): Fraction {
  return from === to ? fraction(1n) : divide(unitsPerUsd(table, to), unitsPerUsd(table, from));
}

export function hasRate(table: RateTable, code: string): boolean {
  return table.has(code);
}

/**
 * `exchangeRate` of money.md §1.1: sending major units per receiving major unit, for showing only. Takes the
 * stored rate, which is the other way round.
 */
export function shownRate(rate: Fraction): number {
  return roundedRate(invert(rate));
}

/** Half-up to 8 decimals; below 0.000001 to 8 significant digits (money.md §1.1). */
export function roundedRate(rate: Fraction): number {
  return compare(rate, SMALL_RATE) < 0 ? significantHalfUp(rate, 8) : numberHalfUp(rate, 8);
}

/** A table from plain decimal strings, with USD as the unit. */
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
