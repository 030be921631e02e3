import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { ChartProps } from './chart-canvas.ts';
import { Figures } from './chart-table.tsx';
import { formatUtc } from './time.tsx';

const HEIGHT = 220;

/** A chart with a table of its figures, also for screen readers. */
export function Chart(props: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = JSON.stringify([props.times, props.series, useColours()]);
  // It is drawn again only when its figures or the colours change.
  useEffect(() => {
    const target = box.current;
    if (!target) return undefined;
    let end: (() => void) | undefined;
    let isGone = false;
    void import('./chart-canvas.ts').then(({ drawChart }) => {
      if (!isGone) end = drawChart(target, props, HEIGHT);
    });
    return () => {
      isGone = true;
      end?.();
    };
  }, [drawn]);
  return (
    <figure class="chart">
      <figcaption>{props.title}</figcaption>
      <div ref={box} class="chart-box" aria-hidden="true" />
      <ChartTable {...props} />
    </figure>
  );
}

/** Changes when the page turns from light to dark, by its switch or with the system. */
function useColours(): number {
  const [count, turn] = useReducer((before: number, _: unknown) => before + 1, 0);
  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const watcher = new MutationObserver(turn);
    watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    system.addEventListener('change', turn);
    return () => {
      watcher.disconnect();
      system.removeEventListener('change', turn);
    };
  }, []);
  return count;
}

function ChartTable({ title, times, series, format }: ChartProps) {
  const columns = series.map(({ label, values }) => ({
    label,
    cells: times.map((_, at) => {
      const value = values[at];
      return value === undefined ? '–' : format(value);
    }),
  }));
  return <Figures title={title} place="Time" rows={times.map(formatUtc)} columns={columns} />;
}
