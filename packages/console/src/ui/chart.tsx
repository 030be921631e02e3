import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { ChartProps } from './chart-canvas.ts';
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
  return (
    <details class="folded">
      <summary>Show the figures</summary>
      <div class="table-box">
        <table class="table">
          <caption class="unseen">{title}</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {series.map(({ label }) => (
                <th key={label} scope="col" class="table-end">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map((at, i) => (
              <tr key={at}>
                <td data-label="Time">{formatUtc(at)}</td>
                {series.map(({ label, values }) => {
                  const value = values[i];
                  return (
                    <td key={label} class="table-end money" data-label={label}>
                      {value === undefined ? '–' : format(value)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
