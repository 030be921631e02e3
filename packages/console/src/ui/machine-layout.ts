/**
 * Places a state machine along one axis, so that no line runs through a state: a step to the next state is a straight line,
 * and every other step has a lane of its own beside the states. Forward steps are on one side, steps back on the other.
 */

export type Edges = Readonly<Record<string, readonly string[]>>;

/** Sizes along the axis and across it. */
export interface Measures {
  readonly along: number;
  readonly across: number;
  readonly gap: number;
}

export interface Step {
  readonly from: string;
  readonly to: string;
  /** Along the axis, where the line begins and ends. */
  readonly begin: number;
  readonly end: number;
  /** 0: straight to the next state. Above 0: beside the states, on the side of forward steps; below 0: on the other side. */
  readonly lane: number;
}

export interface MachineLayout {
  /** The states in order, with their place along the axis. */
  readonly places: ReadonlyMap<string, number>;
  readonly steps: readonly Step[];
  /** How many lanes each side has. */
  readonly lanes: { readonly forward: number; readonly back: number };
  readonly length: number;
}

export function layOutMachine(
  edges: Edges,
  path: readonly string[],
  { along, gap }: Measures,
): MachineLayout {
  const order = orderStates(edges, path);
  const places = new Map(order.map((name, i) => [name, i * (along + gap)]));
  const spans = Object.entries(edges).flatMap(([from, next]) => next.map((to) => spanOf(from, to, order)));
  const isForward = ({ first, from }: Span) => order[first] === from;
  const straight = spans.filter((span) => isForward(span) && span.last === span.first + 1);
  const forward = assignLanes(spans.filter((span) => isForward(span) && !straight.includes(span)));
  const back = assignLanes(spans.filter((span) => !isForward(span)));
  const beside = [
    ...placePorts(forward, places, along),
    ...placePorts(back, places, along).map((step) => ({ ...step, lane: -step.lane })),
  ];
  const onward = straight.map(({ from, to }) => ({
    ...{ from, to, lane: 0 },
    ...{ begin: (places.get(from) ?? 0) + along, end: places.get(to) ?? 0 },
  }));
  const lanesOf = (sided: readonly Laned[]) => Math.max(0, ...sided.map(({ lane }) => lane));
  return {
    ...{ places, steps: [...beside, ...onward] },
    lanes: { forward: lanesOf(forward), back: lanesOf(back) },
    length: order.length * (along + gap) - gap,
  };
}

/** States that lead on come first, after all that lead to them; then the final ones, the latest possible first. */
function orderStates(edges: Edges, path: readonly string[]): string[] {
  const names = [...new Set([...Object.keys(edges), ...Object.values(edges).flat(), ...path])];
  const depths = depthsOf(edges, names);
  const isFinal = (name: string) => (edges[name] ?? []).length === 0;
  const depth = (name: string) => (isFinal(name) ? -1 : 1) * (depths.get(name) ?? 0);
  return names.toSorted((a, b) => Number(isFinal(a)) - Number(isFinal(b)) || depth(a) - depth(b));
}

/** The longest way to each state; a way back to an earlier state does not count. */
function depthsOf(edges: Edges, names: readonly string[]): Map<string, number> {
  const targets = new Set(Object.values(edges).flat());
  const roots = names.filter((name) => !targets.has(name));
  const depths = new Map<string, number>();
  const visit = (name: string, depth: number, before: readonly string[]): void => {
    if (before.includes(name) || (depths.get(name) ?? -1) >= depth) return;
    depths.set(name, depth);
    for (const to of edges[name] ?? []) visit(to, depth + 1, [...before, name]);
  };
  // What comes first in the table is a beginning, even if a way leads back to it.
  for (const root of new Set([...names.slice(0, 1), ...roots])) visit(root, 0, []);
  return depths;
}

interface Span {
  readonly from: string;
  readonly to: string;
  readonly first: number;
  readonly last: number;
}

interface Laned extends Span {
  readonly lane: number;
}

function spanOf(from: string, to: string, order: readonly string[]): Span {
  const ends = [order.indexOf(from), order.indexOf(to)];
  return { from, to, first: Math.min(...ends), last: Math.max(...ends) };
}

/** Short steps are near the states. Two steps share a lane only if they have no stretch in common. */
function assignLanes(spans: readonly Span[]): Laned[] {
  const placed: Laned[] = [];
  const sorted = spans.toSorted((a, b) => a.last - a.first - (b.last - b.first) || a.first - b.first);
  for (const span of sorted) {
    const taken = placed
      .filter(({ first, last }) => first < span.last && span.first < last)
      .map(({ lane }) => lane);
    placed.push({ ...span, lane: Math.max(0, ...taken) + 1 });
  }
  return placed;
}

/** Spreads the lines over a side of each state, so that a line to a far lane does not cross those to nearer ones. */
function placePorts(spans: readonly Laned[], places: ReadonlyMap<string, number>, along: number): Step[] {
  const ports = new Map<string, number>();
  for (const [name, place] of places) {
    const ending = spans.filter(({ from, to, last, first }) => [from, to].includes(name) && last !== first);
    const isBefore = (span: Laned) => isLastOf(span, name, places);
    const sorted = [
      ...ending.filter(isBefore).toSorted((a, b) => a.lane - b.lane),
      ...ending.filter((span) => !isBefore(span)).toSorted((a, b) => b.lane - a.lane),
    ];
    for (const [i, span] of sorted.entries()) {
      ports.set(portKey(span, name), place + (along * (i + 1)) / (sorted.length + 1));
    }
  }
  return spans.map((span) => ({
    ...{ from: span.from, to: span.to, lane: span.lane },
    ...{ begin: ports.get(portKey(span, span.from)) ?? 0, end: ports.get(portKey(span, span.to)) ?? 0 },
  }));
}

/** Whether the step comes from, or leads to, a state before this one. */
function isLastOf({ from, to }: Span, name: string, places: ReadonlyMap<string, number>): boolean {
  const other = from === name ? to : from;
  return (places.get(other) ?? 0) < (places.get(name) ?? 0);
}

function portKey({ from, to }: Span, name: string): string {
  return `${from} ${to} ${name}`;
}
