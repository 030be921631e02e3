import { setImmediate as turn } from 'node:timers/promises';
import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { AREAS } from '#tests/simulator/areas.ts';
import { simulateArea } from '#tests/simulator/simulate-area.ts';

/** Between two lines of progress; long enough that the share of each area is a whole sequence. */
const BATCH_STEPS = 5_000;

/** Runs the steps of the models on the machines in memory (decision 0037), in batches, each with a seed of its own. */
async function run(run: DrillRun): Promise<Figures> {
  const seen = new Map<string, number>();
  const count = (what: string) => void seen.set(what, 1 + (seen.get(what) ?? 0));
  const steps = () => seen.get('steps') ?? 0;
  for (let batch = 0; run.continues('steps', steps()); batch++) {
    const left = Math.min(BATCH_STEPS, run.amount('steps') - steps());
    for (const area of Object.values(AREAS))
      simulateArea(area, { steps: left, seed: run.seed + batch, count });
    if (batch % 20 === 0) run.say(`${steps()} steps`);
    // The signals of this process are handled in between.
    await turn();
  }
  const disturbances = ['crash', 'lost race', 'old reading refused', 'repeated call', 'kill'];
  return Object.fromEntries(['steps', ...disturbances].map((what) => [what, seen.get(what) ?? 0]));
}

export const simulatorDrill: Drill = {
  name: 'simulator',
  proves:
    'Of millions of steps in memory, disturbed by crashes, lost races and old readings, each leaves the machines as the models say, and the ledger correct (decision 0037).',
  amounts: { steps: { says: 'steps in all areas together', usual: 5_000_000, brief: 10_000 } },
  work: 'steps',
  run,
};
