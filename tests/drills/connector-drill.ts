import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { runTest } from '#tests/drills/frame/run-test.ts';

/** The payments of one run of the test, which has a database and two connectors of its own. */
const PAYMENTS = 1_000;
const TEST = 'tests/connectors/payments.test.ts';

/** Runs the test of payments through faulty connectors in turn, each time with another seed. */
async function run(run: DrillRun): Promise<Figures> {
  let payments = 0;
  let kills = 0;
  for (let runs = 0; run.continues('payments', payments); runs++) {
    const some = Math.min(PAYMENTS, run.amount('payments') - payments);
    const lines = await runTest(TEST, { CONNECTOR_PAYMENTS: some, CONNECTOR_SEED: run.seed + runs });
    kills += Number(lines.map((line) => /"kills":(\d+)/.exec(line)?.[1]).find(Boolean));
    payments += some;
    run.say(`${payments} payments`);
  }
  return { payments, 'kills of workers': kills };
}

export const connectorDrill: Drill = {
  name: 'connectors',
  proves:
    'Of payments through connectors that lose, double and garble calls and are killed, while workers are killed too, none moves money twice, each ends as the bank’s book says, each credit is booked once, and the books have what the banks have (connectors.md §11.2).',
  amounts: { payments: { says: 'payments', usual: 1_000, brief: 10 } },
  work: 'payments',
  run,
};
