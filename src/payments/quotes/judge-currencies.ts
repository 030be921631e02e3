import type { Tx } from '#database/tx.ts';
import { isCurrencyCode } from '#lib/currencies.ts';
import { refuse } from '#lib/refusals.ts';
import { isEnabled, type PlatformConfig } from '#platform/config.ts';
import type { TransactionType } from '#platform/schemas.ts';
import { hasRate, type RateTable, rateTable } from '#pricing/rates.ts';

/** One reading; undefined while the source is down, which is the last reason against a quote (money.md §2). */
export async function readRates(tx: Tx): Promise<RateTable | undefined> {
  const snapshot = await tx.ports.rates.snapshot(tx.now).catch(() => undefined);
  return snapshot && rateTable(snapshot.perUsd);
}

/** The currency that is sent: known, priced, and of a type that the platform has enabled (platform.md §3.2.4). */
export function judgeCurrency(
  config: PlatformConfig,
  rates: RateTable | undefined,
  code: string,
  type: TransactionType,
): void {
  judgeRate(rates, code);
  if (isEnabled(config, code, type)) return;
  const verb = type === 'OUTGOING' ? 'send' : 'take in';
  refuse('INVALID_CURRENCY', `The platform does not ${verb} ${code}.`, { currency: code });
}

export function judgeRate(rates: RateTable | undefined, code: string): void {
  if (!isCurrencyCode(code) || (rates && !hasRate(rates, code))) {
    const currency = shownCode(code);
    refuse('INVALID_CURRENCY', `There is no rate for ${currency}.`, { currency });
  }
}

/** What was sent as a currency, for an answer that says so: of any length, if it is none. */
export function shownCode(sent: string): string {
  return sent.length > SHOWN_MAX ? `${sent.slice(0, SHOWN_MAX)}…` : sent;
}

const SHOWN_MAX = 16;
