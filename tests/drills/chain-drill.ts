import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';

/** The edits of one run of the test; a run starts a PostgreSQL of its own, so fewer would mostly wait for that. */
const EDITS = 500;
const TEST = 'src/foundation/journal/chain.test.ts';

/** Runs the test of the journal's chain in turn, each time with another seed and with new journals. */
async function run(run: DrillRun): Promise<Figures> {
  let edits = 0;
  for (let runs = 0; run.continues('edits', edits); runs++) {
    const some = Math.min(EDITS, run.amount('edits'));
    await runTest(some, run.seed + runs);
    edits += some;
    run.say(`${edits} edits`);
  }
  return { edits };
}

async function runTest(edits: number, seed: number): Promise<void> {
  const child = spawn(process.execPath, ['tests/run.ts', TEST], {
    env: { ...process.env, CHAIN_EDITS: String(edits), CHAIN_SEED: String(seed) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => void output.push(data));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, `CHAIN_SEED=${seed} CHAIN_EDITS=${edits} fails:\n${Buffer.concat(output)}`);
}

export const chainDrill: Drill = {
  name: 'chain',
  proves:
    'Of random edits of a journal before a head that is kept elsewhere, hidden ones included, each is found by its first entry, and none falsely (money.md §13.8).',
  amounts: { edits: { says: 'edits of journals', usual: 10_000, brief: 10 } },
  work: 'edits',
  run,
};
