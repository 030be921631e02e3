import type { PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import type { Facts } from '#capabilities/payments/machine/notice.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { corridorLimits, corridorName } from '#capabilities/pricing/limits.ts';
import { type CounterUse, dayPeriod } from '#foundation/counters/count.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

/** Counts S against the corridor's daily volume, at the quote's rates (money.md §8.2). */
export function countVolume(draft: PaymentDraft, facts: Facts): void {
  const use = volumeUse(draft.row, draft.now, facts.dailyLimitUsdCents);
  if (!use) return;
  draft.count(use);
  draft.set({ daily_limit: use.limit });
}

/** The exact use in US cents; undefined if the transaction counts against no limit. */
export function volumeUse(row: TransactionRow, now: Date, limit: bigint): CounterUse | undefined {
  const { sending_currency: from, receiving_currency: to, details } = row;
  if (details.usdValue === undefined) return undefined;
  const [numerator, denominator] = details.usdValue;
  const name = `${VOLUME}${corridorName({ from, to })}`;
  return { name, period: dayPeriod({ now }), value: [BigInt(numerator), BigInt(denominator)], limit };
}

/** The corridor of a volume counter: `USD-EUR`, or `USD` within one currency. */
export function corridorCounted({ name }: CounterUse): string {
  return name.slice(VOLUME.length);
}

const VOLUME = 'VOLUME:';

export function corridorDailyLimit(tx: ReadTx, row: TransactionRow): bigint {
  const pair = { from: row.sending_currency, to: row.receiving_currency };
  return corridorLimits(tx.platform.settings, pair).dailyUsdCents;
}
