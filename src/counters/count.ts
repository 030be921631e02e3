import { inLockOrder, type Writer } from '#database/changes.ts';
import { sql } from '#database/sql.ts';
import type { Changes, ReadTx } from '#database/tx.ts';

/** Something that is used up to a limit in each period: a day's volume, what an agent may spend. */
export interface Counter {
  /** Begins with what kind of counter it is: `VOLUME:USD-EUR`. */
  readonly name: string;
  /** The first day of the period, in UTC: `2026-11-16`. */
  readonly period: string;
}

/** A whole number or an exact fraction: numerator and denominator. */
export type Fraction = readonly [bigint, bigint];

export interface CounterUse extends Counter {
  readonly value: Fraction;
  readonly limit: bigint;
}

/** Uses a counter with this transaction or change; where there is no room, nothing of the commit stands (`limit`). */
export function count(changes: Changes, use: CounterUse): void {
  changes.collect(COUNTERS, { platformId: changes.platformId, ...use });
}

/** What is used of a counter at this moment. */
export async function usedOf(tx: ReadTx, { name, period }: Counter): Promise<Fraction> {
  const [row] = await tx.sql<UsedRow>`
    select numerator, denominator from counters
     where platform_id = ${tx.platformId} and name = ${name} and period = ${period}::date`;
  return fractionOf(row);
}

interface UsedRow {
  readonly numerator: string;
  readonly denominator: string;
}

function fractionOf(row: UsedRow | undefined): Fraction {
  return [BigInt(row?.numerator ?? 0), BigInt(row?.denominator ?? 1)];
}

/** The period that a day is, in UTC. */
export function dayOf({ now }: Pick<ReadTx, 'now'>): string {
  return now.toISOString().slice(0, 10);
}

/** Whether a counter has room for this much more; exactly reaching the limit is allowed. */
export function isWithinLimit(used: Fraction, { value, limit }: CounterUse): boolean {
  const [numerator, denominator] = sumOf(used, value);
  return numerator <= limit * denominator;
}

export function sumOf([a, b]: Fraction, [c, d]: Fraction): Fraction {
  return [a * d + c * b, b * d];
}

interface PlatformUse extends CounterUse {
  readonly platformId: string;
}

/** The one writer of counters. What a set uses of one is added up first, so that it is touched once. */
const COUNTERS: Writer<PlatformUse> = {
  name: 'counters',
  stage: 'counters',
  contested: ({ platformId, name }) => [`${platformId} ${name}`],
  write(uses) {
    const sums = new Map<string, PlatformUse>();
    for (const use of uses) {
      const name = `${use.platformId} ${use.name} ${use.period} ${use.value[1]} ${use.limit}`;
      const sum = sums.get(name);
      const value: Fraction = [use.value[0] + (sum?.value[0] ?? 0n), use.value[1]];
      sums.set(name, { ...use, value });
    }
    const sorted = inLockOrder(sums, ([name]) => name).map(([, sum]) => sum);
    return [
      sql`select counters_add(
        ${sorted.map((use) => use.platformId)}, ${sorted.map((use) => use.name)}, ${sorted.map((use) => use.period)},
        ${sorted.map((use) => use.value[0])}, ${sorted.map((use) => use.value[1])}, ${sorted.map((use) => use.limit)})`,
    ];
  },
};
