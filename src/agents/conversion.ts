import type { ReadTx } from '#database/tx.ts';
import { isCurrencyCode, presentCurrency } from '#lib/currencies.ts';
import { type Decimals, type Fraction, fraction } from '#lib/money.ts';
import { crossRate, hasRate, readRates, refuseForRates } from '#pricing/rates.ts';

/** How amounts of one currency become amounts of another at this moment, for `convertDown` and `convertUp`. */
export interface Conversion {
  readonly rate: Fraction;
  readonly decimals: Decimals;
}

/** What converts between two currencies now (C.4.2); without a rate it refuses. */
export async function loadConversion(tx: ReadTx, from: string, to: string): Promise<Conversion> {
  const decimals = { from: decimalsOf(tx, from), to: decimalsOf(tx, to) };
  const [sold, bought] = [pricedAs(from), pricedAs(to)];
  if (sold === bought) return { rate: fraction(1n), decimals };
  const table = (await readRates(tx))?.table;
  if (!table || !hasRate(table, sold) || !hasRate(table, bought)) refuseForRates();
  return { rate: crossRate(table, sold, bought), decimals };
}

/** A coin of the platform is one dollar (B.8.3). */
function pricedAs(code: string): string {
  return isCurrencyCode(code) ? code : 'USD';
}

function decimalsOf({ platform }: ReadTx, code: string): number {
  return presentCurrency(code, platform.ownCurrencies).decimals;
}
