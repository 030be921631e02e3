import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { runTest } from '#tests/drills/frame/run-test.ts';

/** Runs the test that kills processes at each step of an erasure and of the upgrade, with more kills. */
async function run(run: DrillRun): Promise<Figures> {
  const kills = run.amount('kills');
  const lines = await runTest('tests/service/people-kills.test.ts', { KILL_ROUNDS: kills });
  // The upgrade has one step for each table; the test prints how often it was killed.
  const upgrades = lines.map((line) => /(\d+) kills of the upgrade/.exec(line)?.[1]).find(Boolean);
  return { 'kills at each step of an erasure': kills, 'kills of the upgrade': Number(upgrades) };
}

export const erasureDrill: Drill = {
  name: 'erasures',
  proves:
    'Whatever moment an erasure or the upgrade to sealed values is killed at, all is there or nothing opens, and the next process ends it (customers.md §2.4.26d).',
  amounts: { kills: { says: 'kills at each step of an erasure, and of the upgrade', usual: 20, brief: 1 } },
  run,
};
