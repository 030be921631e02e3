import { Figures } from './chart-table.tsx';

export interface BarSeries {
  readonly label: string;
  readonly kind: 'accent' | 'good' | 'wait' | 'bad';
  /** A number for each place. */
  readonly values: readonly bigint[];
}

export interface BarsProps {
  readonly title: string;
  /** What each bar stands for, in order: a minute, a day, a status. */
  readonly places: readonly string[];
  /** What the places are: `Minute`. */
  readonly place: string;
  /** The parts of each bar, the first one at the bottom. */
  readonly series: readonly BarSeries[];
  readonly format: (value: bigint) => string;
}

const HEIGHT = 100;
const STEP = 10;
const GAP = 2;

/** A bar chart, with a table of its figures, also for screen readers. */
export function Bars({ title, places, place, series, format }: BarsProps) {
  const sums = places.map((_, at) => sumAt(series, at));
  const highest = sums.reduce((most, sum) => (sum > most ? sum : most), 1n);
  const width = Math.max(1, places.length) * STEP;
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div class="bars-box" aria-hidden="true">
        {series.length > 1 && <Legend series={series} />}
        <span class="bars-most">{format(highest)}</span>
        <svg class="bars" viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {places.map((name, at) => (
            <Stack key={name} {...{ at, series, highest }} />
          ))}
        </svg>
        <span class="bars-ends">
          <span>{places[0]}</span>
          {places.length > 1 && <span>{places.at(-1)}</span>}
        </span>
      </div>
      <Figures
        {...{ title, place }}
        rows={places}
        columns={series.map(({ label, values }) => ({ label, cells: values.map(format) }))}
      />
    </figure>
  );
}

function sumAt(series: readonly BarSeries[], at: number): bigint {
  return series.reduce((sum, { values }) => sum + (values[at] ?? 0n), 0n);
}

interface StackProps {
  readonly at: number;
  readonly series: readonly BarSeries[];
  readonly highest: bigint;
}

function Stack({ at, series, highest }: StackProps) {
  return (
    <>
      {series.map(({ label, kind, values }, level) => {
        const height = heightOf(values[at] ?? 0n, highest);
        const below = heightOf(sumAt(series.slice(0, level), at), highest);
        return (
          height > 0 && (
            <rect
              key={label}
              class={`bar-${kind}`}
              x={at * STEP + GAP / 2}
              y={HEIGHT - below - height}
              width={STEP - GAP}
              height={height}
            />
          )
        );
      })}
    </>
  );
}

function heightOf(value: bigint, highest: bigint): number {
  return (HEIGHT * Number(value)) / Number(highest);
}

function Legend({ series }: { series: readonly BarSeries[] }) {
  return (
    <ul class="bars-legend">
      {series.map(({ label, kind }) => (
        <li key={label}>
          <svg class="bars-key" viewBox="0 0 8 8" aria-hidden="true">
            <rect class={`bar-${kind}`} width="8" height="8" rx="1" />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}
