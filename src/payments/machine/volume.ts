import type { Draft } from '#payments/machine/draft.ts';
import type { Facts } from '#payments/machine/notice.ts';
import { crosses, type TransactionRow } from '#payments/row.ts';

/** S counts against its corridor's volume of the day, at the worth that the quote was made with (money.md §8.2). */
export function countVolume(draft: Draft, facts: Facts): void {
  const { usdValue } = draft.row.details;
  if (usdValue === undefined) return;
  const [numerator, denominator] = usdValue;
  draft.counts({
    corridor: corridorOf(draft.row),
    value: [BigInt(numerator), BigInt(denominator)],
    limitUsdCents: facts.dailyLimitUsdCents,
  });
}

/** Within one currency the limit is the withdrawal currency's. */
export function corridorOf(row: Pick<TransactionRow, 'sending_currency' | 'receiving_currency'>): string {
  return crosses(row) ? `${row.sending_currency}-${row.receiving_currency}` : row.sending_currency;
}
