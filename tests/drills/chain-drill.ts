import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { runTest } from '#tests/drills/frame/run-test.ts';

/** The edits of one run of the test; a run starts a PostgreSQL of its own, so fewer would mostly wait for that. */
const EDITS = 500;
const TEST = 'src/foundation/journal/chain.test.ts';

/** Runs the test of the journal's chain in turn, each time with another seed and with new journals. */
async function run(run: DrillRun): Promise<Figures> {
  let edits = 0;
  for (let runs = 0; run.continues('edits', edits); runs++) {
    const some = Math.min(EDITS, run.amount('edits'));
    await runTest(TEST, { CHAIN_EDITS: some, CHAIN_SEED: run.seed + runs });
    edits += some;
    run.say(`${edits} edits`);
  }
  return { edits };
}

export const chainDrill: Drill = {
  name: 'chain',
  proves:
    'Of random edits of a journal before a head that is kept elsewhere, hidden ones included, each is found by its first entry, and none falsely (money.md §13.8).',
  amounts: { edits: { says: 'edits of journals', usual: 10_000, brief: 10 } },
  work: 'edits',
  run,
};
