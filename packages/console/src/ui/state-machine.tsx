import { kindOf } from './status.tsx';
import { sayName } from './text.tsx';

export interface StateMachineProps {
  readonly title: string;
  /** From each state the states that can follow it. */
  readonly edges: Readonly<Record<string, readonly string[]>>;
  /** The states that were passed, in order; the last one is the current state. */
  readonly path: readonly string[];
}

const BOX = { width: 148, height: 34, gapX: 56, gapY: 18, pad: 4 };

interface Placed {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** Draws a state machine from its first state on, with the path that was taken. */
export function StateMachine({ title, edges, path }: StateMachineProps) {
  const places = placeStates(edges, path);
  const width = Math.max(...[...places.values()].map(({ x }) => x)) + BOX.width + BOX.pad;
  const height = Math.max(...[...places.values()].map(({ y }) => y)) + BOX.height + BOX.pad;
  const isTaken = (from: string, to: string) => path.some((state, i) => state === from && path[i + 1] === to);
  const lines = Object.entries(edges).flatMap(([from, next]) =>
    next.map((to) => ({ from, to, taken: isTaken(from, to) })),
  );
  const summary = `${title}. Path taken: ${path.map(sayName).join(', then ')}.`;
  return (
    <figure class="machine">
      <div class="machine-box" tabIndex={0} role="group" aria-label={title}>
        <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={summary}>
          <Arrows />
          {lines
            .toSorted((a, b) => Number(a.taken) - Number(b.taken))
            .map(({ from, to, taken }) => (
              <Edge key={`${from} ${to}`} from={places.get(from)} to={places.get(to)} isTaken={taken} />
            ))}
          {[...places.values()].map((place) => (
            <State key={place.name} place={place} path={path} />
          ))}
        </svg>
      </div>
    </figure>
  );
}

function Arrows() {
  return (
    <defs>
      {['open', 'taken'].map((name) => (
        <marker
          key={name}
          id={`machine-${name}`}
          class={`machine-arrow machine-arrow-${name}`}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto-start-reverse"
        >
          <path d="M0 0 8 4 0 8z" />
        </marker>
      ))}
    </defs>
  );
}

function State({ place: { name, x, y }, path }: { place: Placed; path: readonly string[] }) {
  const isNow = path.at(-1) === name;
  const passed = isNow
    ? ` machine-now machine-${kindOf(name)}`
    : path.includes(name)
      ? ' machine-passed'
      : '';
  return (
    <g class={`machine-state${passed}`}>
      <rect x={x} y={y} width={BOX.width} height={BOX.height} rx="6" />
      <text x={x + BOX.width / 2} y={y + BOX.height / 2 + 4.5} text-anchor="middle">
        {sayName(name)}
      </text>
    </g>
  );
}

function Edge({ from, to, isTaken }: { from: Placed | undefined; to: Placed | undefined; isTaken: boolean }) {
  if (!from || !to) return null;
  const isBack = to.x <= from.x;
  const middle = BOX.height / 2;
  const start = isBack ? [from.x + BOX.width / 2, from.y] : [from.x + BOX.width, from.y + middle];
  const end = isBack
    ? [to.x + BOX.width / 2, to.y + (to.y < from.y ? BOX.height : 0)]
    : [to.x, to.y + middle];
  const [x1 = 0, y1 = 0] = start;
  const [x2 = 0, y2 = 0] = end;
  const bend = isBack
    ? `M${x1} ${y1}L${x2} ${y2}`
    : `M${x1} ${y1}C${x1 + 28} ${y1} ${x2 - 28} ${y2} ${x2} ${y2}`;
  const kind = isTaken ? 'taken' : 'open';
  return <path class={`machine-edge machine-edge-${kind}`} d={bend} marker-end={`url(#machine-${kind})`} />;
}

/** A state stands after all states that lead to it. The path that was taken is the first row, so it is one line. */
function placeStates(edges: StateMachineProps['edges'], path: readonly string[]): Map<string, Placed> {
  const columns = columnsOf(edges, path);
  const filled = new Map<number, number>();
  const byPath = [...columns].toSorted(([a], [b]) => Number(path.includes(b)) - Number(path.includes(a)));
  return new Map(
    byPath.map(([name, column]) => {
      const row = filled.get(column) ?? (path.includes(name) ? 0 : 1);
      filled.set(column, row + 1);
      const x = BOX.pad + column * (BOX.width + BOX.gapX);
      return [name, { name, x, y: BOX.pad + row * (BOX.height + BOX.gapY) }];
    }),
  );
}

/** The longest way to each state decides; a way back to an earlier state does not count. */
function columnsOf(edges: StateMachineProps['edges'], path: readonly string[]): Map<string, number> {
  const names = [...new Set([...Object.keys(edges), ...Object.values(edges).flat(), ...path])];
  const targets = new Set(Object.values(edges).flat());
  const roots = names.filter((name) => !targets.has(name));
  const columns = new Map<string, number>();
  const visit = (name: string, column: number, before: readonly string[]): void => {
    if (before.includes(name) || (columns.get(name) ?? -1) >= column) return;
    columns.set(name, column);
    for (const to of edges[name] ?? []) visit(to, column + 1, [...before, name]);
  };
  for (const root of roots.length > 0 ? roots : names.slice(0, 1)) visit(root, 0, []);
  return columns;
}
