import { layOutMachine, type MachineLayout, type Measures, type Step } from './machine-layout.ts';
import { kindOf } from './status.tsx';
import { sayName } from './text.tsx';

export interface StateMachineProps {
  readonly title: string;
  /** From each state the states that can follow it. */
  readonly edges: Readonly<Record<string, readonly string[]>>;
  /** The states that were passed, in order; the last one is the current state. */
  readonly path: readonly string[];
}

const BOX = { width: 118, height: 36 };
const LANE = 13;
const PAD = 4;
const ROUND = 6;
const LINE_MAX = 17;

/** Draws a state machine from its first state on, with the path that was taken: as a row, or as a column where it is narrow. */
export function StateMachine(props: StateMachineProps) {
  return (
    <figure class="machine">
      <div class="machine-box">
        <Drawing {...props} isColumn={false} />
        <Drawing {...props} isColumn />
      </div>
    </figure>
  );
}

function Drawing({ title, edges, path, isColumn }: StateMachineProps & { isColumn: boolean }) {
  const plan = planOf(edges, path, isColumn);
  const isTaken = ({ from, to }: Step) => path.some((state, i) => state === from && path[i + 1] === to);
  const summary = `${title}. Path taken: ${path.map(sayName).join(', then ')}.`;
  return (
    <svg
      class={isColumn ? 'machine-column' : 'machine-row'}
      viewBox={`0 0 ${plan.width} ${plan.height}`}
      width={plan.width}
      height={plan.height}
      role="img"
      aria-label={summary}
    >
      <Arrows name={plan.name} />
      {plan.layout.steps
        .toSorted((a, b) => Number(isTaken(a)) - Number(isTaken(b)))
        .map((step) => (
          <Line key={`${step.from} ${step.to}`} step={step} plan={plan} isTaken={isTaken(step)} />
        ))}
      {[...plan.layout.places].map(([name, place]) => (
        <State key={name} name={name} at={plan.point(place, isColumn ? 0 : BOX.height)} path={path} />
      ))}
    </svg>
  );
}

interface Plan {
  readonly layout: MachineLayout;
  readonly measures: Measures;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** From a place along the axis and across it to one in the drawing. */
  readonly point: (along: number, across: number) => readonly [x: number, y: number];
}

/** Forward steps are above a row, and to the right of a column. */
function planOf(edges: StateMachineProps['edges'], path: readonly string[], isColumn: boolean): Plan {
  const measures = isColumn
    ? { along: BOX.height, across: BOX.width, gap: 22 }
    : { along: BOX.width, across: BOX.height, gap: 28 };
  const layout = layOutMachine(edges, path, measures);
  const before = PAD + layout.lanes.back * LANE;
  const after = PAD + layout.lanes.forward * LANE;
  const length = layout.length + 2 * PAD;
  const breadth = before + measures.across + after;
  return {
    ...{ layout, measures, name: isColumn ? 'column' : 'row' },
    ...(isColumn ? { width: breadth, height: length } : { width: length, height: breadth }),
    point: (along, across) =>
      isColumn ? [before + across, PAD + along] : [PAD + along, after + measures.across - across],
  };
}

function Arrows({ name }: { name: string }) {
  return (
    <defs>
      {['open', 'taken'].map((kind) => (
        <marker
          key={kind}
          id={`machine-${name}-${kind}`}
          class={`machine-arrow machine-arrow-${kind}`}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          markerUnits="userSpaceOnUse"
          orient="auto-start-reverse"
        >
          <path d="M0 0 8 4 0 8z" />
        </marker>
      ))}
    </defs>
  );
}

function State({
  name,
  at: [x, y],
  path,
}: {
  name: string;
  at: readonly [x: number, y: number];
  path: readonly string[];
}) {
  const isNow = path.at(-1) === name;
  const middle = x + BOX.width / 2;
  const lines = linesOf(sayName(name));
  const passed = isNow
    ? ` machine-now machine-${kindOf(name)}`
    : path.includes(name)
      ? ' machine-passed'
      : '';
  return (
    <g class={`machine-state${passed}`}>
      <rect x={x} y={y} width={BOX.width} height={BOX.height} rx={ROUND} />
      <text text-anchor="middle">
        {lines.map((line, i) => (
          <tspan key={line} x={middle} y={y + BOX.height / 2 + 4.5 + (i - (lines.length - 1) / 2) * 14}>
            {line}
          </tspan>
        ))}
      </text>
    </g>
  );
}

/** A long name takes two lines. */
function linesOf(name: string): string[] {
  const gap = name.lastIndexOf(' ');
  return name.length <= LINE_MAX || gap === -1 ? [name] : [name.slice(0, gap), name.slice(gap + 1)];
}

function Line({ step, plan, isTaken }: { step: Step; plan: Plan; isTaken: boolean }) {
  const kind = isTaken ? 'taken' : 'open';
  return (
    <path
      class={`machine-edge machine-edge-${kind}`}
      d={pathOf(step, plan)}
      marker-end={`url(#machine-${plan.name}-${kind})`}
    />
  );
}

/** Straight to the next state, or out to the lane, along it, and back, with round corners. */
function pathOf({ begin, end, lane }: Step, { measures, point }: Plan): string {
  const at = (along: number, across: number) => point(along, across).join(' ');
  if (lane === 0) return `M${at(begin, measures.across / 2)}L${at(end, measures.across / 2)}`;
  const side = lane > 0 ? measures.across : 0;
  const far = side + lane * LANE;
  const near = far - Math.sign(lane) * ROUND;
  const turn = Math.sign(end - begin) * ROUND;
  return [
    `M${at(begin, side)}L${at(begin, near)}`,
    `Q${at(begin, far)} ${at(begin + turn, far)}`,
    `L${at(end - turn, far)}Q${at(end, far)} ${at(end, near)}`,
    `L${at(end, side)}`,
  ].join('');
}
