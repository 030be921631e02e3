import type { ReadTx } from '#database/tx.ts';
import { refuse } from '#lib/refusals.ts';
import { hasRate, type RateTable, rateTable } from '#pricing/rates.ts';

/** What is known of rates at one moment; one quote uses one reading (money.md §1.2). */
export interface RateReading {
  readonly table: RateTable;
  /** Whether there is a corridor at all, though its rate may be too old to price anything now. */
  isOffered(code: string): boolean;
  readonly readAt: Date;
}

/** Undefined: no source has given any, so that nothing is known of any currency. */
export async function readRates(tx: ReadTx): Promise<RateReading | undefined> {
  const snapshot = await tx.ports.rates.snapshot(tx.now);
  if (!snapshot) return undefined;
  const table = rateTable(snapshot.perUsd);
  const lapsed = new Set(snapshot.lapsed);
  return { table, isOffered: (code) => table.has(code) || lapsed.has(code), readAt: snapshot.readAt };
}

/** The table, if everything is in it that a payment from one currency to the other needs; else undefined. */
export function tableFor(
  reading: RateReading | undefined,
  pair: { readonly from: string; readonly to: string },
): RateTable | undefined {
  return reading && canPrice(reading.table, pair) ? reading.table : undefined;
}

/** The same, or the last reason against a payment (money.md §2). */
export function ratesFor(reading: RateReading | undefined, pair: { from: string; to: string }): RateTable {
  return tableFor(reading, pair) ?? withoutRates();
}

export function withoutRates(): never {
  refuse('QUOTE_REQUEST_FAILED', 'No exchange rate is recent enough at the moment. Try again later.');
}

/**
 * Limits are in dollars and the ownership threshold is in euros, within one currency too (money.md §8, accounts.md §3.5);
 * across currencies `rateDetails` goes by way of bitcoin (money.md §1.9).
 */
export function canPrice(
  table: RateTable,
  { from, to }: { readonly from: string; readonly to: string },
): boolean {
  const needed = from === to ? [from, 'USD', 'EUR'] : [from, to, 'USD', 'EUR', 'BTC'];
  return needed.every((code) => hasRate(table, code));
}
