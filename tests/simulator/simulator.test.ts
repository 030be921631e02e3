// lane: first — hundreds of thousands of steps in memory

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seedOf } from '#tests/harness/seed.ts';
import { AREAS } from '#tests/simulator/areas.ts';
import { simulateArea } from '#tests/simulator/simulate-area.ts';

/**
 * Runs the steps of the models on the machines in memory, with stale reads, refusals and crashes, and compares both
 * after every step (decision 0037). `SIMULATOR_SEED` repeats a run, `SIMULATOR_STEPS` lengthens one; a failure is
 * shrunk.
 */
const SEED = seedOf('SIMULATOR_SEED');
const STEPS = Number(process.env.SIMULATOR_STEPS ?? 210_000);

/** Every area must meet these, whatever the seed. */
const DISTURBANCES = ['crash', 'lost race', 'old reading refused', 'repeated call', 'advance', 'kill'];

describe('the machines in memory', () => {
  let total = 0;
  for (const [name, area] of Object.entries(AREAS)) {
    it(`${area.proves}: after each of many disturbed steps ${name} match the model, and the ledger is correct`, (t) => {
      t.diagnostic(`SIMULATOR_SEED=${SEED}`);
      const seen = new Map<string, number>();
      const count = (what: string) => void seen.set(what, 1 + (seen.get(what) ?? 0));
      simulateArea(area, { steps: STEPS, seed: SEED, count });
      total += seen.get('steps') ?? 0;
      for (const what of [...DISTURBANCES, ...area.expected])
        assert.ok(seen.has(what), `${name} never came to ${what}`);
      const counts = [...seen].sort(([, a], [, b]) => b - a);
      t.diagnostic(counts.map(([what, n]) => `${n} ${what}`).join(', '));
    });
  }

  it('runs the intended number of steps', (t) => {
    t.diagnostic(`${total} steps`);
    assert.ok(total >= (STEPS * 95) / 100, `only ${total} steps`);
  });
});
