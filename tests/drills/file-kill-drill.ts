import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { runTest } from '#tests/drills/frame/run-test.ts';

const TEST = 'src/edge/providers/bank-files/killed-worker.test.ts';

/** Runs the test that kills a worker at each of its steps, again and again with new banks. */
async function run(run: DrillRun): Promise<Figures> {
  const rounds = run.amount('rounds');
  await runTest(TEST, { FILE_KILL_ROUNDS: rounds });
  run.say(`${rounds} rounds`);
  return { rounds };
}

export const fileKillDrill: Drill = {
  name: 'files',
  proves:
    'While the worker is killed at every step of writing and reading files of a bank, each order is in one file, each file is seen once and whole, and each receipt is credited once (bank-files.md §2.5, §4.1).',
  amounts: { rounds: { says: 'rounds over every step', usual: 100, brief: 1 } },
  work: 'rounds',
  run,
};
