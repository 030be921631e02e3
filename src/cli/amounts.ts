import { type PresentedAmount, showAmount } from '#lib/currencies.ts';

/** Whether a value is an amount as replies of the API have it (platform.md §1.2.4). */
export function isPresentedAmount(value: object): value is PresentedAmount {
  const { amount, currency } = value as Partial<PresentedAmount>;
  return (
    Object.keys(value).length === 2 &&
    Number.isSafeInteger(amount) &&
    typeof currency?.code === 'string' &&
    Number.isInteger(currency.decimals)
  );
}

/** For people: `750.00 USD`, with the decimals that its currency says it has. */
export function showPresented({ amount, currency }: PresentedAmount): string {
  const shown = showAmount(BigInt(Math.abs(amount)), currency.code, { [currency.code]: currency });
  return amount < 0 ? `-${shown}` : shown;
}
