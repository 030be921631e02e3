import uPlot from 'uplot';

export interface ChartSeries {
  readonly label: string;
  /** A number for each time; undefined where there is none. */
  readonly values: readonly (number | undefined)[];
  readonly kind?: 'accent' | 'good' | 'wait' | 'bad';
}

export interface ChartProps {
  readonly title: string;
  /** ISO times, ascending. */
  readonly times: readonly string[];
  readonly series: readonly ChartSeries[];
  /** Says a value: `formatMoney` for amounts. */
  readonly format: (value: number) => string;
  /** Steps, for what stays until it changes, such as a balance. */
  readonly isStepped?: boolean;
}

/** Draws on a canvas, which is loaded only where there is a chart. Returns a function that removes it. */
export function drawChart(target: HTMLElement, props: ChartProps, height: number): () => void {
  const colours = getComputedStyle(document.documentElement);
  const colour = (name: string) => resolveColour(target, colours.getPropertyValue(`--${name}`));
  const axis = { stroke: colour('soft'), grid: { stroke: colour('line'), width: 1 }, ticks: { show: false } };
  const stepped = props.isStepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
  const plot = new uPlot(
    {
      width: target.clientWidth,
      height,
      legend: { show: props.series.length > 1 },
      cursor: { y: false },
      series: [
        {},
        ...props.series.map(({ label, kind = 'accent' }) => ({
          label,
          stroke: colour(kind),
          fill: props.series.length === 1 ? colour(`${kind}-tint`) : undefined,
          width: 1.5,
          ...(stepped && { paths: stepped }),
          value: (_: uPlot, value: number | null) => (value === null ? '–' : props.format(value)),
        })),
      ] as uPlot.Series[],
      axes: [
        {
          ...axis,
          space: TICK_SPACE_PX,
          incrs: [...STEPS_S],
          values: (_, ticks, _axis, _space, step) => ticks.map((tick) => sayTick(tick, step)),
        },
        { ...axis, size: 96, values: (_, ticks) => ticks.map((tick) => props.format(tick)) },
      ],
    },
    [
      props.times.map((at) => Date.parse(at) / 1_000),
      ...props.series.map(({ values }) => values.map((value) => value ?? null)),
    ],
    target,
  );
  const watcher = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height }));
  watcher.observe(target);
  return () => {
    watcher.disconnect();
    plot.destroy();
  };
}

const DAY_S = 86_400;
const MINUTE_S = 60;
const TICK_SPACE_PX = 80;
/** Whole seconds at least, so that no two ticks have the same label. */
const STEPS_S: readonly number[] = [
  ...[1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200],
  ...[1, 2, 7, 14, 30, 61, 91, 182, 365, 730, 1_825].map((days) => days * DAY_S),
];

/** A day, or a time of day where the steps are shorter, with seconds if two steps are in one minute. */
function sayTick(seconds: number, step: number): string {
  const at = new Date(seconds * 1_000);
  const isDay = step >= DAY_S || (at.getHours() === 0 && at.getMinutes() === 0);
  return isDay
    ? at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
    : at.toLocaleTimeString('en-GB', {
        ...{ hour: '2-digit', minute: '2-digit' },
        ...(step < MINUTE_S && { second: '2-digit' }),
      });
}

/** A canvas does not know `light-dark()`: an element resolves it. */
function resolveColour(target: HTMLElement, value: string): string {
  const before = target.style.color;
  target.style.color = value;
  const resolved = getComputedStyle(target).color;
  target.style.color = before;
  return resolved;
}
