import { sql } from '#foundation/database/sql.ts';
import type { Entry } from '#foundation/ledger/entries.ts';
import type { World } from '#tests/harness/harness.ts';

/**
 * A journal without its ids: the kind of every entry and the sums that it moves, sorted. Two runs of the same steps have
 * the same one, in memory and on PostgreSQL, in whatever order things of the same moment happened.
 */
export function describeJournal(entries: Iterable<Pick<Entry, 'kind' | 'lines'>>): string[] {
  return Array.from(entries, ({ kind, lines }) => {
    const sums = new Map<string, bigint>();
    for (const { currency, side, amount } of lines) {
      if (side === 'DEBIT') sums.set(currency, (sums.get(currency) ?? 0n) + amount);
    }
    return describeEntry(kind, sums);
  }).sort();
}

/** The same of a platform's journal on PostgreSQL. */
export async function loadJournal({ database }: World, platformId: PlatformId): Promise<string[]> {
  const rows = await database.query<{ kind: string; currencies: string[]; amounts: string[] }>(sql`
    select kind, currencies, amounts::text[] as amounts from ledger_entries
     where platform_id = ${platformId} and kind <> 'coin.opened'`);
  return rows
    .map(({ kind, currencies, amounts }) => {
      const sums = new Map<string, bigint>();
      for (const [i, currency] of currencies.entries()) {
        const amount = BigInt(amounts[i] ?? 0);
        if (amount > 0n) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
      }
      return describeEntry(kind, sums);
    })
    .sort();
}

function describeEntry(kind: string, sums: ReadonlyMap<string, bigint>): string {
  const amounts = [...sums].map(([currency, sum]) => `${sum} ${currency}`).sort();
  return `${kind}: ${amounts.join(', ')}`;
}
