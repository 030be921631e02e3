// lane: whole — random sequences of payments beside a model

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { SERVICE } from '#app/compose.ts';
import { STABLECOIN_CHECKS } from '#capabilities/stablecoins/ledger-checks.ts';
import { type LedgerCheck, verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';
import { testWorld, type World } from '#tests/harness/harness.ts';
import { seedOf } from '#tests/harness/seed.ts';
import { CoinsModel } from '#tests/model/coins-model.ts';
import { CoinsService } from '#tests/model/coins-service.ts';
import { EXPECTED, OPENING, type Step, step } from '#tests/model/coins-steps.ts';
import { Sequences } from '#tests/model/sequences.ts';
import { type CutOffAnswer, simulateCoins } from '#tests/simulator/coins.ts';
import { describeJournal, loadJournal } from '#tests/simulator/journal.ts';

/**
 * Runs random sequences of mints, burns and everything else that moves a coin, with failing or silent providers and killed
 * processes, and compares the service with a plain model after every step. The simulator runs most sequences in memory
 * (decision 0037); these prove that it posts what PostgreSQL does. `MODEL_SEED` repeats a run, `MODEL_RUNS` lengthens one; a
 * failure is shrunk.
 */
const RUNS_IN_CI = 1;
/** Enough sequences to reach every expected case. */
const RUNS_TO_COVER = 2;
const SEED = seedOf('MODEL_SEED');
const RUNS = Number(process.env.MODEL_RUNS ?? RUNS_IN_CI);
/** The longest time for shrinking a failure (tests/run.ts takes a longer silence for a hang). */
const LIMIT = process.env.MODEL_RUNS
  ? {}
  : { interruptAfterTimeLimit: 15 * 60_000, markInterruptAsFailure: true };

describe('mints and burns, and a plain model of them', () => {
  const world = testWorld();
  const seen = new Map<string, number>();
  const count = (what: string) => void seen.set(what, 1 + (seen.get(what) ?? 0));

  it('stablecoins.md §5.9, §5.10, §6.2, §6.3, §7.1, §8.4, money.md §12.12–12.15: after each of many random steps the service is in the model’s state, and every coin is covered', async (t) => {
    t.diagnostic(`MODEL_SEED=${SEED}`);
    const property = fc.asyncProperty(new Sequences(step), (steps) => run(world, steps, count));
    await fc.assert(property, { seed: SEED, numRuns: RUNS, ...LIMIT });
    const counts = [...seen].sort(([, a], [, b]) => b - a);
    t.diagnostic(counts.map(([what, n]) => `${n} ${what}`).join(', '));
  });

  after(() => {
    const expected = RUNS < RUNS_TO_COVER ? EXPECTED_OF_FEW : EXPECTED;
    for (const what of expected) assert.ok(seen.has(what), `never came to ${what}`);
    assert.ok((seen.get('steps') ?? 0) >= 300 * RUNS, 'too few steps');
  });
});

/** How often everything is compared over the API, and the whole ledger is verified. */
const WHOLE_EVERY = 20;

async function run(world: World, steps: readonly Step[], count: (what: string) => void): Promise<void> {
  const service = await CoinsService.open(world);
  const model = new CoinsModel(await service.now());
  const sequence = [...OPENING, ...INTERRUPTED, ...steps].map(withoutUncertainty);
  const answers: CutOffAnswer[] = [];
  for (const [i, next] of sequence.entries()) {
    // No two things happen at the same moment, so that their order is known.
    await service.tick(1);
    model.tick(1);
    const named = next.does === 'again' ? model.named(next.which) : undefined;
    const answered = await service.apply(next, named);
    if (next.does === 'kill') {
      answers.push({ answer: answered.answer, isMadeBefore: answered.createdAt === model.now });
    }
    const expected = model.apply(next, answered);
    assert.equal(answered.answer, expected, `answer to step ${i}, ${describeStep(next)}`);
    for (const what of ['steps', next.does, expected]) count(what);
    await agree(world, service, model);
    if (i % WHOLE_EVERY === 0) await agreeOnTheRest(world, service, model);
  }
  await agreeOnTheRest(world, service, model);
  for (const { status, reason } of model.operations) count(`ended ${reason ?? status}`);
  const simulated = simulateCoins(sequence, { seed: SEED, answers });
  assert.deepEqual(await loadJournal(world, service.platform.id), describeJournal(simulated));
}

/** What every sequence contains, however few there are: a call during which the process dies. */
const INTERRUPTED: readonly Step[] = [
  {
    ...{ does: 'kill', turns: 40 },
    during: { does: 'mint', source: 'WIRE', to: 'A', amount: 50_000n, bank: '890', ending: '999' },
  },
];

/** If the provider refuses a call that is interrupted, nothing tells whether its hold was ever placed. */
function withoutUncertainty(next: Step): Step {
  if (next.does !== 'kill' || next.during.source !== 'SVC_INTERNAL_ACCOUNT') return next;
  return next.during.ending === '004' || next.during.ending === '009' ? next.during : next;
}

function describeStep(next: Step): string {
  return JSON.stringify(next, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
}

async function agree(world: World, service: CoinsService, model: CoinsModel): Promise<void> {
  const { avail, hold, outside, issued } = model;
  const [statuses, balances, books] = await Promise.all([
    service.statuses(),
    service.balances(),
    service.books(),
  ]);
  assert.deepEqual(statuses, statusesOf(model));
  for (const account of ['USD', 'A', 'B'] as const) {
    assert.deepEqual(balances[account], [avail[account], hold[account]], `available and on hold: ${account}`);
  }
  assert.deepEqual(books, { issued, outside, reserve: issued / 10_000n });
  await assertProved(world, STABLECOIN_CHECKS);
}

async function assertProved({ database }: World, checks: readonly LedgerCheck[]): Promise<void> {
  assert.deepEqual(violationsIn(await verifyLedger(database.query, checks)), []);
}

function statusesOf({ operations }: CoinsModel): string[] {
  return operations.map(({ status, reason }) => `${status} ${reason ?? ''}`.trim());
}

async function agreeOnTheRest(world: World, service: CoinsService, model: CoinsModel): Promise<void> {
  await assertProved(world, SERVICE.ledgerChecks);
  assert.equal(await service.enablement(), model.status);
  assert.equal(await service.now(), model.now);
  assert.deepEqual((await service.listed()).sort(), statusesOf(model).sort());
}

const EXPECTED_OF_FEW = ['mint', 'burn', 'kill', '201 PENDING_FUNDING', 'OK', 'ended COMPLETED'];
