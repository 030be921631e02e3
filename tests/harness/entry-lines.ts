import type { Line } from '#foundation/ledger/entries.ts';

/** `- RAIL:ACH:USD 500 USD`: a debit; `+`: a credit. */
export function showLine({ account, currency, side, amount }: Line): string {
  return `${side === 'CREDIT' ? '+' : '-'} ${account} ${amount} ${currency}`;
}

/** Currencies whose debits and credits differ. */
export function unbalanced(lines: readonly Line[]): string[] {
  const sums = new Map<string, bigint>();
  for (const { currency, side, amount } of lines) {
    sums.set(currency, (sums.get(currency) ?? 0n) + (side === 'CREDIT' ? amount : -amount));
  }
  return [...sums].filter(([, sum]) => sum !== 0n).map(([currency]) => currency);
}
