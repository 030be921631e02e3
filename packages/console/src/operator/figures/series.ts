const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const STEPS = {
  minute: { ms: MINUTE_MS, count: 60, say: (at: string) => `${at.slice(11, 16)} UTC` },
  hour: { ms: HOUR_MS, count: 24, say: (at: string) => `${at.slice(5, 10)} ${at.slice(11, 16)} UTC` },
  day: { ms: DAY_MS, count: 14, say: (at: string) => at.slice(0, 10) },
} as const;

/** The last steps of time up to now, the oldest first, also those in which nothing happened. */
export function lastSteps(step: keyof typeof STEPS, now: number): string[] {
  const { ms, count } = STEPS[step];
  const last = Math.floor(now / ms) * ms;
  return Array.from({ length: count }, (_, i) => new Date(last - (count - 1 - i) * ms).toISOString());
}

/** A value for each step; what is missing is 0. Sums of money may be larger than a number holds exactly. */
export function valuesAt<Row>(
  steps: readonly string[],
  rows: readonly Row[],
  { at, value }: { at: (row: Row) => string; value: (row: Row) => bigint | number | string },
): bigint[] {
  const found = new Map(rows.map((row) => [Date.parse(at(row)), BigInt(value(row))]));
  return steps.map((step) => found.get(Date.parse(step)) ?? 0n);
}
