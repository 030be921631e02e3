import { isPresentedAmount, showPresented } from '#cli/amounts.ts';

/** A value of the API for people: every amount in it as `750.00 USD`. */
export function withAmounts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAmounts);
  if (value === null || typeof value !== 'object') return value;
  if (isPresentedAmount(value)) return showPresented(value);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withAmounts(item)]));
}
