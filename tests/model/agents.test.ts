// lane: whole — random sequences of payments beside a model

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { SERVICE } from '#app/compose.ts';
import { verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';
import { testWorld, type World } from '#tests/harness/harness.ts';
import { seedOf } from '#tests/harness/seed.ts';
import { AgentsModel } from '#tests/model/agents-model.ts';
import { AgentsService } from '#tests/model/agents-service.ts';
import { EXPECTED, OPENING, type Step, step } from '#tests/model/agents-steps.ts';
import { Sequences } from '#tests/model/sequences.ts';
import { simulateAgents } from '#tests/simulator/agents.ts';
import { describeJournal, loadJournal } from '#tests/simulator/journal.ts';

/**
 * Runs random sequences of submissions by two agents, decisions by their platform, changes of policies and the clock, and
 * killed processes, and compares the service with a plain model after every step. The simulator runs most sequences in
 * memory (decision 0037); these prove that it posts what PostgreSQL does. `MODEL_SEED` repeats a run, `MODEL_RUNS` lengthens
 * one; a failure is shrunk.
 */
const SEED = seedOf('MODEL_SEED');
const RUNS_IN_CI = 1;
const STEPS = 160;
const RUNS = Number(process.env.MODEL_RUNS ?? RUNS_IN_CI);
/** The longest time for shrinking a failure (tests/run.ts takes a longer silence for a hang). */
const LIMIT = process.env.MODEL_RUNS
  ? {}
  : { interruptAfterTimeLimit: 10 * 60_000, markInterruptAsFailure: true };

describe('actions of agents, and a plain model of them', () => {
  const world = testWorld();
  const seen = new Map<string, number>();
  const count = (what: string) => void seen.set(what, 1 + (seen.get(what) ?? 0));

  it('agents.md §1.3, §1.4, §1.4a, §4.1–4.8, §5.11–5.15, §5.2, §5.6, money.md §12.11: after each of many random steps balances, usage and actions are what the model says', async (t) => {
    t.diagnostic(`MODEL_SEED=${SEED}`);
    const property = fc.asyncProperty(new Sequences(step, STEPS), (steps) => run(world, steps, count));
    await fc.assert(property, { seed: SEED, numRuns: RUNS, ...LIMIT });
    const counts = [...seen].sort(([, a], [, b]) => b - a);
    t.diagnostic(counts.map(([what, n]) => `${n} ${what}`).join(', '));
  });

  after(() => {
    if (RUNS < RUNS_IN_CI) return;
    for (const answer of EXPECTED) assert.ok(seen.has(answer), `never came to ${answer}`);
  });
});

/** How often everything is compared, and the whole ledger is verified. */
const WHOLE_EVERY = 20;

async function run(world: World, steps: readonly Step[], count: (what: string) => void): Promise<void> {
  const service = await AgentsService.open(world);
  const start = await service.now();
  const model = new AgentsModel(start);
  for (const [i, next] of [...OPENING, ...steps].entries()) {
    const before = next.does === 'kill' ? await service.failures() : 0;
    const answer = await service.apply(next, model.now);
    const failures = next.does === 'kill' ? (await service.failures()) - before : 0;
    assert.equal(answer, model.apply(next, failures), `answer to step ${i}, ${JSON.stringify(next)}`);
    for (const what of ['steps', next.does, answer]) count(what);
    await agree(service, model, `after step ${i}, ${JSON.stringify(next)}`);
    if (i % WHOLE_EVERY === 0) await agreeOnTheRest(world, service, model);
  }
  await agreeOnTheRest(world, service, model);
  const simulated = simulateAgents([...OPENING, ...steps], { seed: SEED, start });
  assert.deepEqual(await loadJournal(world, service.platform.id), describeJournal(simulated));
}

async function agree(service: AgentsService, model: AgentsModel, when: string): Promise<void> {
  const [balances, a, b] = await Promise.all([service.balances(), service.usage('A'), service.usage('B')]);
  assert.deepEqual([balances, a, b], [model.balance, model.usage('A'), model.usage('B')], when);
  assert.equal(await service.open(), model.open(), when);
}

async function agreeOnTheRest(world: World, service: AgentsService, model: AgentsModel): Promise<void> {
  for (const who of ['A', 'B'] as const) assert.deepEqual(await service.statuses(who), model.statuses(who));
  assert.equal(await service.now(), model.now);
  const checks = SERVICE.ledgerChecks;
  assert.deepEqual(violationsIn(await verifyLedger(world.database.query, checks)), []);
}
