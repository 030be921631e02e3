import { currencyOf, isCurrencyCode } from '#foundation/lib/currencies.ts';
import { AMOUNT_MAX } from '#foundation/lib/money.ts';

/**
 * A decimal without a sign as minor units: exact, by moving the point in its text (bank-files.md §3.7). Undefined if the
 * currency is not known, the text is no decimal, it has a part of a minor unit, or it is larger than any amount.
 */
export function readAmount(text: string, currency: string): bigint | undefined {
  if (!isCurrencyCode(currency)) return undefined;
  const { decimals } = currencyOf(currency);
  const [, whole = '', fraction = ''] = /^\+?([0-9]{0,18})(?:\.([0-9]{0,18}))?$/.exec(text.trim()) ?? [];
  if (whole === '' && fraction === '') return undefined;
  if (!/^0*$/.test(fraction.slice(decimals))) return undefined;
  const amount = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return amount <= AMOUNT_MAX ? amount : undefined;
}
