import type { Draft } from '#payments/machine/draft.ts';
import type { Facts } from '#payments/machine/notice.ts';
import { corridorName } from '#pricing/terms.ts';

/** S counts against its corridor's volume of the day, at the worth that the quote was made with (money.md §8.2). */
export function countVolume(draft: Draft, facts: Facts): void {
  const { sending_currency: from, receiving_currency: to, details } = draft.row;
  const { usdValue } = details;
  if (usdValue === undefined) return;
  const [numerator, denominator] = usdValue;
  draft.counts({
    corridor: corridorName({ from, to }),
    value: [BigInt(numerator), BigInt(denominator)],
    limitUsdCents: facts.dailyLimitUsdCents,
  });
}
