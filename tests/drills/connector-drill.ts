import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';

/** The payments of one run of the test, which has a database and two connectors of its own. */
const PAYMENTS = 1_000;
const TEST = 'tests/connectors/payments.test.ts';

/** Runs the test of payments through faulty connectors in turn, each time with another seed. */
async function run(run: DrillRun): Promise<Figures> {
  let payments = 0;
  let kills = 0;
  for (let runs = 0; run.continues('payments', payments); runs++) {
    const some = Math.min(PAYMENTS, run.amount('payments') - payments);
    kills += await runTest(some, run.seed + runs);
    payments += some;
    run.say(`${payments} payments`);
  }
  return { payments, 'kills of workers': kills };
}

/** Returns how often a worker was killed. */
async function runTest(payments: number, seed: number): Promise<number> {
  const settings = { CONNECTOR_PAYMENTS: String(payments), CONNECTOR_SEED: String(seed) };
  const child = spawn(process.execPath, ['tests/run.ts', TEST], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => void output.push(data));
  const [code] = await once(child, 'close');
  const text = Buffer.concat(output).toString();
  assert.equal(code, 0, `CONNECTOR_SEED=${seed} CONNECTOR_PAYMENTS=${payments} fails:\n${text}`);
  return Number(/"kills":(\d+)/.exec(text)?.[1] ?? 0);
}

export const connectorDrill: Drill = {
  name: 'connectors',
  proves:
    'Of payments through connectors that lose, double and garble calls and are killed, while workers are killed too, none is paid twice, and each ends as the bank’s book says (connectors.md §11.2).',
  amounts: { payments: { says: 'payments', usual: 1_000, brief: 10 } },
  work: 'payments',
  run,
};
