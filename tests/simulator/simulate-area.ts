import fc from 'fast-check';
import { type Area, MACHINES } from '#tests/simulator/areas.ts';

export interface AreaRun {
  /** In all areas together: the area gets its share. */
  readonly steps: number;
  readonly seed: number;
  /** Counts what happened. */
  count(what: string): void;
}

/** Runs an area's share of the steps. Throws with the shortest sequence that still fails, and its seed. */
export function simulateArea({ share, length, property }: Area, { steps, seed, count }: AreaRun): void {
  const numRuns = Math.ceil((steps * share) / 100 / length);
  fc.assert(property({ machines: MACHINES, seed, count }), { seed, numRuns });
}
