/** One thing that is measured: a round does as much as it can for a while and says how much that was. */
export interface Contestant {
  readonly name: string;
  /** What one unit is: `transfer`, `request`. */
  readonly unit: string;
  /** Its result is shown as a multiple of this contestant's. */
  readonly against?: string;
  /** The least that multiple should be, where a budget names one. */
  readonly budget?: number;
  /** Units per second. */
  round(milliseconds: number): Promise<number>;
}

export interface Result {
  readonly contestant: Contestant;
  readonly rates: number[];
}

/**
 * Measures side by side: every round visits each contestant once, so that a machine that slows down slows
 * all of them, and medians are compared.
 */
export async function measure(
  contestants: readonly Contestant[],
  rounds: number,
  roundMs: number,
  warmUpRounds = 3,
): Promise<Result[]> {
  const results = contestants.map((contestant) => ({ contestant, rates: [] as number[] }));
  // What runs often is compiled while it runs; a server that serves has that behind it.
  for (const { contestant } of results) await contestant.round(warmUpRounds * roundMs);
  for (let round = 0; round < rounds; round++) {
    for (const { contestant, rates } of results) rates.push(await contestant.round(roundMs));
  }
  return results;
}

/** Callers in this process that each start anew as soon as they are done, for a while. */
export async function callers(
  count: number,
  milliseconds: number,
  call: () => Promise<unknown>,
): Promise<number> {
  const start = performance.now();
  let done = 0;
  const loop = async () => {
    while (performance.now() - start < milliseconds) {
      await call();
      done++;
    }
  };
  await Promise.all(Array.from({ length: count }, loop));
  return (done * 1000) / (performance.now() - start);
}

export function printTable(results: readonly Result[]): void {
  const rate = new Map(results.map(({ contestant, rates }) => [contestant.name, median(rates)]));
  const rows = results.map(({ contestant: { name, unit, against, budget }, rates }) => {
    const own = median(rates);
    const base = against === undefined ? undefined : rate.get(against);
    const ratio = base === undefined ? '' : `${(own / base).toFixed(2)} × ${against}`;
    return {
      what: name,
      'per second': `${Math.round(own)} ${unit}s`,
      ratio,
      budget: budget === undefined ? '' : `≥ ${budget.toFixed(1)}`,
    };
  });
  console.table(rows);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
