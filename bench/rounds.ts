import { type CpuMeter, type CpuUse, cpuBetween } from './cpu.ts';

/** The result of one round. */
export interface Round {
  readonly count: number;
  readonly perSecond: number;
  /** How long each caller waited for each unit, if callers wait. */
  readonly latenciesMs?: readonly number[];
}

/** A measured contestant: a round does as much as it can for a while, and reports how much that was. */
export interface Contestant {
  readonly name: string;
  /** The name of one unit: `transfer`, `request`. */
  readonly unit: string;
  /** Its rate is shown as a multiple of these contestants' rates. */
  readonly against?: readonly Comparison[];
  /** The processor time that its process, and PostgreSQL for it, have used so far. */
  readonly cpu?: CpuMeter;
  /** Creates the resources that the next round uses up; not measured. */
  prepare?(milliseconds: number): Promise<void>;
  round(milliseconds: number): Promise<Round>;
}

export interface Comparison {
  readonly name: string;
  /** The smallest acceptable multiple, if a budget names one. */
  readonly budget?: number;
}

export interface Result {
  readonly contestant: Contestant;
  readonly rounds: MeasuredRound[];
}

export type MeasuredRound = Round & { readonly cpu?: CpuUse | undefined };

export interface Pace {
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmUpRounds?: number;
}

/**
 * Measures side by side: every round visits each contestant once, so that a machine that slows down slows
 * all of them, and medians are compared.
 */
export async function measure(
  contestants: readonly Contestant[],
  { rounds, roundMs, warmUpRounds = 3 }: Pace,
): Promise<Result[]> {
  const results = contestants.map((contestant): Result => ({ contestant, rounds: [] }));
  // Hot code is compiled while it runs; a server in use is past that.
  if (warmUpRounds > 0) {
    for (const { contestant } of results) await measureRound(contestant, warmUpRounds * roundMs);
  }
  for (let round = 0; round < rounds; round++) {
    for (const result of results) result.rounds.push(await measureRound(result.contestant, roundMs));
  }
  return results;
}

async function measureRound(contestant: Contestant, milliseconds: number): Promise<MeasuredRound> {
  await contestant.prepare?.(milliseconds);
  const before = await contestant.cpu?.();
  const round = await contestant.round(milliseconds);
  const after = await contestant.cpu?.();
  return { ...round, cpu: before && after && cpuBetween(before, after) };
}

/** Callers in this process that each start again as soon as they are done, for a while. */
export async function callers(
  count: number,
  milliseconds: number,
  call: () => Promise<unknown>,
): Promise<Round> {
  const start = performance.now();
  const latenciesMs: number[] = [];
  const loop = async () => {
    for (let now = performance.now(); now - start < milliseconds; ) {
      await call();
      const then = now;
      now = performance.now();
      latenciesMs.push(now - then);
    }
  };
  await Promise.all(Array.from({ length: count }, loop));
  return buildRound(latenciesMs, performance.now() - start);
}

export function buildRound(latenciesMs: readonly number[], elapsedMs: number): Round {
  const count = latenciesMs.length;
  return { count, perSecond: (count * 1000) / elapsedMs, latenciesMs };
}

export function medianRate({ rounds }: Result): number {
  return median(rounds.map(({ perSecond }) => perSecond));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that this share of all values stays below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}
