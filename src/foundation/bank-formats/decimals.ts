import { currencyOf, isCurrencyCode } from '#foundation/lib/currencies.ts';

/** Amounts as files write them: exact, by moving the point in text (bank-files.md, the head). */

/** Minor units as a decimal: 12550 of two decimals is `125.50`. */
export function writeDecimal(minor: bigint, decimals: number): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  const sign = minor < 0n ? '-' : '';
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** A decimal without a sign as minor units; undefined if it is none, or has a part of a minor unit. */
export function readDecimal(text: string, decimals: number): bigint | undefined {
  const [, whole = '', fraction = ''] = /^\+?([0-9]{0,18})(?:\.([0-9]{0,18}))?$/.exec(text.trim()) ?? [];
  if (whole === '' && fraction === '') return undefined;
  if (!/^0*$/.test(fraction.slice(decimals))) return undefined;
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

export function writeAmount(minor: bigint, currency: string): string {
  return writeDecimal(minor, currencyOf(currency).decimals);
}

/** Undefined if the currency is not known, or the text is no amount of it. */
export function readAmount(text: string, currency: string): bigint | undefined {
  return isCurrencyCode(currency) ? readDecimal(text, currencyOf(currency).decimals) : undefined;
}
