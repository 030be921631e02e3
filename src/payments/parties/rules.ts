import { isCurrencyCode } from '#lib/currencies.ts';
import { refuse } from '#lib/refusals.ts';
import { isEnabled, type PlatformConfig } from '#platform/config.ts';
import type { TransactionType } from '#platform/schemas.ts';
import type { RateReading } from '#pricing/read-rates.ts';

/** The currency that is sent: known, offered, and of a type that the platform has enabled (platform.md §3.2.4). */
export function checkCurrency(
  config: PlatformConfig,
  rates: RateReading | undefined,
  code: string,
  type: TransactionType,
): void {
  checkRate(rates, code);
  if (isEnabled(config, code, type)) return;
  const verb = type === 'OUTGOING' ? 'send' : 'take in';
  refuse('INVALID_CURRENCY', `The platform does not ${verb} ${code}.`, { currency: code });
}

/** Without any reading nothing is known against a currency: that there is none is the last reason (money.md §2). */
export function checkRate(rates: RateReading | undefined, code: string): void {
  if (!isCurrencyCode(code) || (rates && !rates.isOffered(code))) {
    const currency = shownCode(code);
    refuse('INVALID_CURRENCY', `There is no rate for ${currency}.`, { currency });
  }
}

/** What was sent as a currency, for an answer that says so: of any length, if it is none. */
export function shownCode(sent: string): string {
  return sent.length > SHOWN_MAX ? `${sent.slice(0, SHOWN_MAX)}…` : sent;
}

const SHOWN_MAX = 16;
