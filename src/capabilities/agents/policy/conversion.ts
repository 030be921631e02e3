import { crossRate, hasRate, rateCurrency, readRates, refuseForRates } from '#capabilities/pricing/rates.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { currencyDecimals } from '#foundation/lib/currencies.ts';
import { type Decimals, type Fraction, fraction } from '#foundation/lib/money.ts';

/** The current conversion between two currencies, for `convertDown` and `convertUp`. */
export interface Conversion {
  readonly rate: Fraction;
  readonly decimals: Decimals;
}

/** Loads the current conversion between two currencies (agents.md §4.2), or refuses if there is no rate. */
export async function loadConversion(tx: ReadTx, from: string, to: string): Promise<Conversion> {
  const { ownCurrencies: own } = tx.platform;
  const decimals = { from: currencyDecimals(from, own), to: currencyDecimals(to, own) };
  const [sold, bought] = [rateCurrency(from, own), rateCurrency(to, own)];
  if (sold === bought) return { rate: fraction(1n), decimals };
  const table = (await readRates(tx))?.table;
  if (!table || !hasRate(table, sold) || !hasRate(table, bought)) refuseForRates();
  return { rate: crossRate(table, sold, bought), decimals };
}
