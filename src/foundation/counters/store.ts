import type { Counter, CounterUse, Ratio } from '#foundation/counters/count.ts';
import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import { statementOver } from '#foundation/database/row-sets.ts';
import type { Changes, ReadTx } from '#foundation/database/tx.ts';

/** Adds to a counter in the commit of this transaction or change, which is refused (`limit`) if that exceeds the limit. */
export function useCounter(changes: Changes, use: CounterUse): void {
  changes.collect(COUNTERS, { platformId: changes.platformId, ...use });
}

export async function loadUsed(tx: ReadTx, { name, period }: Counter): Promise<Ratio> {
  const [row] = await tx.sql<UsedRow>`
    select numerator, denominator from counters
     where platform_id = ${tx.platformId} and name = ${name} and period = ${period}::date`;
  return fractionOf(row);
}

/** Loads the present values of several counters, in the given order. */
export async function loadAllUsed(tx: ReadTx, counters: readonly Counter[]): Promise<Ratio[]> {
  const rows = await tx.sql<Partial<UsedRow>>`
    select c.numerator, c.denominator
      from unnest(${counters.map(({ name }) => name)}::text[], ${counters.map(({ period }) => period)}::date[])
           with ordinality as q (name, period, n)
      left join counters c
        on c.platform_id = ${tx.platformId} and c.name = q.name collate "C" and c.period = q.period
     order by q.n`;
  return rows.map(fractionOf);
}

interface UsedRow {
  readonly numerator: string;
  readonly denominator: string;
}

function fractionOf(row: Partial<UsedRow> | undefined): Ratio {
  return [BigInt(row?.numerator ?? 0), BigInt(row?.denominator ?? 1)];
}

interface PlatformUse extends CounterUse {
  readonly platformId: PlatformId;
}

/** The statement that adds to counters, in this order (counters.sql). */
const addToCounters = statementOver<PlatformUse>(
  {
    platform_id: ['uuid', (use) => use.platformId],
    name: ['text', (use) => use.name],
    period: ['date', (use) => use.period],
    numerator: ['numeric', (use) => use.value[0]],
    denominator: ['numeric', (use) => use.value[1]],
    most: ['numeric', (use) => use.limit],
  },
  ({ rows }) =>
    `select counter_add(r.platform_id, r.name, r.period, r.numerator, r.denominator, r.most) from ${rows}`,
);

/** The only writer of counters. Uses of the same counter are added up first, so that its row is updated once. */
const COUNTERS: Writer<PlatformUse> = {
  name: 'counters',
  stage: 'counters',
  contested: ({ platformId, name }) => [`${platformId} ${name}`],
  write(uses) {
    const sums = new Map<string, PlatformUse>();
    for (const use of uses) {
      const name = `${use.platformId} ${use.name} ${use.period} ${use.value[1]} ${use.limit}`;
      const sum = sums.get(name);
      const value: Ratio = [use.value[0] + (sum?.value[0] ?? 0n), use.value[1]];
      sums.set(name, { ...use, value });
    }
    const sorted = inLockOrder(sums, ([name]) => name).map(([, sum]) => sum);
    return [addToCounters(sorted)];
  },
};
