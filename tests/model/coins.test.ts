// lane: first — random sequences of payments beside a model

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { SERVICE } from '#app/compose.ts';
import { STABLECOIN_CHECKS } from '#capabilities/stablecoins/ledger-checks.ts';
import { type LedgerCheck, verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';
import { testWorld, type World } from '#tests/harness/harness.ts';
import { CoinsModel } from '#tests/model/coins-model.ts';
import { CoinsService } from '#tests/model/coins-service.ts';
import { OPENING, type Step, step } from '#tests/model/coins-steps.ts';
import { Sequences } from '#tests/model/sequences.ts';

/**
 * Runs random sequences of mints, burns and everything else that moves a coin, with failing or silent providers and killed
 * processes, and compares the service with a plain model after every step. `MODEL_SEED` repeats a run, `MODEL_RUNS`
 * lengthens one; a failure is shrunk.
 */
const RUNS_IN_CI = 2;
const STEPS_IN_CI = 600;
const SEED = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
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
    if (RUNS < RUNS_IN_CI) return;
    for (const what of EXPECTED) assert.ok(seen.has(what), `never came to ${what}`);
    assert.ok((seen.get('steps') ?? 0) >= STEPS_IN_CI, 'too few steps');
  });
});

/** How often everything is compared over the API, and the whole ledger is verified. */
const WHOLE_EVERY = 20;

async function run(world: World, steps: readonly Step[], count: (what: string) => void): Promise<void> {
  const service = await CoinsService.open(world);
  const model = new CoinsModel(await service.now());
  for (const [i, next] of [...OPENING, ...steps].entries()) {
    // No two things happen at the same moment, so that their order is known.
    await service.tick(1);
    model.tick(1);
    const named = next.does === 'again' ? model.named(next.which) : undefined;
    const answered = await service.apply(next, named);
    const expected = model.apply(next, answered);
    assert.equal(answered.answer, expected, `answer to step ${i}, ${describeStep(next)}`);
    for (const what of ['steps', next.does, expected]) count(what);
    await agree(world, service, model);
    if (i % WHOLE_EVERY === 0) await agreeOnTheRest(world, service, model);
  }
  await agreeOnTheRest(world, service, model);
  for (const { status, reason } of model.operations) count(`ended ${reason ?? status}`);
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

/** The cases that a useful run must cover. */
const EXPECTED = [
  ...['mint', 'burn', 'pay', 'payOut', 'deposit', 'disable', 'enable', 'kill', 'again'],
  ...['201 CREATED', '201 PENDING_FUNDING', '201 PENDING_PROVIDER', '409 CONFLICT', 'OK', 'CONFLICT'],
  ...['400 INSUFFICIENT_FUNDS', '400 STABLECOIN_SVC_OPERATIONS_NOT_ENABLED', '400 STABLECOIN_PROVIDER_ERROR'],
  ...['503 SERVICE_UNAVAILABLE', '400 STABLECOIN_OPERATION_NOT_SUPPORTED', '400 INVALID_CURRENCY'],
  ...['ended COMPLETED', 'ended EXPIRED', 'ended PROVIDER_TRANSFER_FAILED', 'ended FUNDING_REJECTED'],
];
