import assert from 'node:assert/strict';
import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { runTest } from '#tests/drills/frame/run-test.ts';

/** The sequences of one run of a test; a run starts a PostgreSQL of its own, so fewer would mostly wait for that. */
const SEQUENCES = 10;
const AREAS = ['money', 'cards', 'coins', 'agents'];

/**
 * Runs the tests of the models (tests/model) on PostgreSQL in turn, each time with another seed. A sequence that fails is
 * shrunk, and its steps are in the error.
 */
async function run(run: DrillRun): Promise<Figures> {
  const steps = Object.fromEntries(AREAS.map((area) => [area, 0]));
  const total = () => Object.values(steps).reduce((sum, some) => sum + some, 0);
  for (let runs = 0; run.continues('steps', total()); runs++) {
    const area = AREAS[runs % AREAS.length] as string;
    steps[area] = (steps[area] ?? 0) + (await runModel(area, run.seed + runs));
    run.say(`${total()} steps`);
  }
  const named = Object.entries(steps).map(([area, some]) => [`steps of ${area}`, some]);
  return { steps: total(), ...Object.fromEntries(named) };
}

async function runModel(area: string, seed: number): Promise<number> {
  const lines = await runTest(`tests/model/${area}.test.ts`, { MODEL_RUNS: SEQUENCES, MODEL_SEED: seed });
  // Two lanes of a file share a count, which the later one prints whole.
  const counts = lines.flatMap((line) => /(?:^|[^\d])(\d+) steps\b/.exec(line)?.[1] ?? []).map(Number);
  assert.ok(counts.length > 0, `the model of ${area} printed no count of its steps`);
  return Math.max(...counts);
}

export const modelDrill: Drill = {
  name: 'model',
  proves:
    'After each of many random steps in all areas, with kills and races, the service on PostgreSQL is in the state of a plain model (money.md §12.11).',
  amounts: { steps: { says: 'steps in all areas together', usual: 50_000, brief: 1 } },
  work: 'steps',
  run,
};
