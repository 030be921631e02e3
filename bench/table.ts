import type { CpuUse } from './cpu.ts';
import { medianRate, quantile, type Result } from './rounds.ts';

/** Rates, waiting times, processor times, and the ratios of the rates. */
export function printResults(title: string, results: readonly Result[]): void {
  const rows = results.map((result) => ({
    what: result.contestant.name,
    'per second': `${Math.round(medianRate(result)).toLocaleString('en')} ${result.contestant.unit}s`,
    ...latencies(result),
    ...cpu(result),
  }));
  console.log(`\n${title}`);
  printRows(rows);
  const ratios = comparisonsOf(results);
  if (ratios.length > 0) printRows(ratios.map(comparisonRow));
}

/** The rate of one contestant as a multiple of another's, of their medians. */
export interface Ratio {
  readonly name: string;
  readonly rate: number;
  readonly budget?: number | undefined;
  readonly cpu: Row;
}

export type Row = Readonly<Record<string, string>>;

/** Words to the left, figures to the right. */
export function printRows(rows: readonly Row[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const widths = columns.map((name) => Math.max(name.length, ...rows.map((row) => row[name]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ');
  console.log(`\n${line(columns)}`);
  console.log(line(widths.map((width) => '-'.repeat(width))));
  for (const row of rows) console.log(line(columns.map((name) => row[name] ?? '')));
}

export function milliseconds(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

function latencies({ rounds }: Result): Row {
  const all = rounds.flatMap(({ latenciesMs = [] }) => latenciesMs);
  if (all.length === 0) return {};
  return {
    'p50 ms': milliseconds(quantile(all, 0.5)),
    'p99 ms': milliseconds(quantile(all, 0.99)),
  };
}

function cpu(result: Result): Row {
  const used = cpuOfOne(result);
  if (!used) return {};
  return {
    'Node µs each': String(Math.round(used.processUs)),
    'PostgreSQL µs each': String(Math.round(used.postgresUs)),
  };
}

/** Processor time of one unit, of all rounds together. */
function cpuOfOne({ rounds }: Result): CpuUse | undefined {
  const metered = rounds.flatMap((round) => (round.cpu ? [{ count: round.count, ...round.cpu }] : []));
  if (metered.length === 0) return undefined;
  const sum = (of: 'count' | 'processUs' | 'postgresUs') =>
    metered.reduce((total, round) => total + round[of], 0);
  return { processUs: sum('processUs') / sum('count'), postgresUs: sum('postgresUs') / sum('count') };
}

export function comparisonsOf(results: readonly Result[]): Ratio[] {
  return results.flatMap((result) => {
    const { name, against = [] } = result.contestant;
    return against.flatMap(({ name: other, budget }): Ratio[] => {
      const base = results.find(({ contestant }) => contestant.name === other);
      if (!base) return [];
      const rate = medianRate(result) / medianRate(base);
      return [{ name: `${name} ÷ ${other}`, rate, budget, cpu: cpuRatio(cpuOfOne(result), cpuOfOne(base)) }];
    });
  });
}

function comparisonRow({ name, rate, budget, cpu }: Ratio): Row {
  return {
    'as a multiple': name,
    rate: rate.toFixed(2),
    'at least': budget === undefined ? '' : String(budget),
    ...cpu,
  };
}

/** The processor time of both processes together; steadier than rates on a busy machine. */
function cpuRatio(own: CpuUse | undefined, other: CpuUse | undefined): Row {
  if (!own || !other) return {};
  const ratio = (own.processUs + own.postgresUs) / (other.processUs + other.postgresUs);
  return { 'processor time': ratio.toFixed(2) };
}
