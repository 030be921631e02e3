import type { ReadTx } from '#foundation/database/tx.ts';

/** Counts up to a limit in each period: a day's volume, an agent's spending. */
export interface Counter {
  /** Begins with the kind of counter: `VOLUME:USD-EUR`. */
  readonly name: string;
  /** The first day of the period, in UTC: `2026-11-16`. */
  readonly period: string;
}

/** A whole number or an exact fraction: numerator and denominator. */
export type Ratio = readonly [bigint, bigint];

export interface CounterUse extends Counter {
  readonly value: Ratio;
  readonly limit: bigint;
}

/** The period of a counter that is reset daily, in UTC. */
export function dayPeriod({ now }: Pick<ReadTx, 'now'>): string {
  return now.toISOString().slice(0, 10);
}

/** Whether this much more stays within the limit; exactly reaching it is allowed. */
export function isWithinLimit(used: Ratio, { value, limit }: CounterUse): boolean {
  const [numerator, denominator] = addRatios(used, value);
  return numerator <= limit * denominator;
}

export function addRatios([a, b]: Ratio, [c, d]: Ratio): Ratio {
  return [a * d + c * b, b * d];
}
