// lane: whole — random sequences of payments beside a model

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { SERVICE } from '#app/compose.ts';
import { verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';
import { testWorld, type World } from '#tests/harness/harness.ts';
import { seedOf } from '#tests/harness/seed.ts';
import { EXPECTED, reached } from '#tests/model/cards-cases.ts';
import { type Act, CardsModel, type Row, scaleOf, type Terms } from '#tests/model/cards-model.ts';
import { CardsService, type CardTransactionSnapshot } from '#tests/model/cards-service.ts';
import { OPENING, type Step, step } from '#tests/model/cards-steps.ts';
import { Sequences } from '#tests/model/sequences.ts';
import { simulateCards } from '#tests/simulator/cards.ts';
import { describeJournal, loadJournal } from '#tests/simulator/journal.ts';

/**
 * Runs random sequences of the card network's messages, by its own entry point and by the simulators, and of changes of a
 * card and its account, and compares the service with a plain model after every step. The simulator runs most sequences in
 * memory (decision 0037); these prove that it posts what PostgreSQL does. `MODEL_SEED` repeats a run, `MODEL_RUNS`
 * lengthens one; a failure is shrunk.
 */
const RUNS_IN_CI = 2;
/** Enough sequences to reach every expected case. */
const RUNS_TO_COVER = 8;
const SEED = seedOf('MODEL_SEED');
const RUNS = Number(process.env.MODEL_RUNS ?? RUNS_IN_CI);
/** The longest time for shrinking a failure (tests/run.ts takes a longer silence for a hang). */
const LIMIT = process.env.MODEL_RUNS
  ? {}
  : { interruptAfterTimeLimit: 15 * 60_000, markInterruptAsFailure: true };

/**
 * Both ways of cards.md §6.8: each lane has a service of its own, since most of the time is waiting for the database.
 */
const LANES: Readonly<Record<string, readonly Terms[]>> = {
  'the sandbox': [{ approvesUncovered: false, uncoveredMax: null }],
  'an issuer that approves what is not covered': [
    { approvesUncovered: true, uncoveredMax: null },
    { approvesUncovered: true, uncoveredMax: 6_000n },
  ],
};

describe('card messages and a plain model of them', { concurrency: 2 }, () => {
  const seen = new Map<string, number>();
  for (const [lane, [name, terms]] of Object.entries(LANES).entries()) {
    describe(name, () => checkSequences(SEED + lane, terms, seen));
  }
  after(() => {
    const expected = RUNS < RUNS_TO_COVER ? EXPECTED_OF_FEW : EXPECTED;
    for (const what of expected) assert.ok(seen.has(what), `never came to ${what}`);
    assert.ok((seen.get('steps') ?? 0) >= 200 * RUNS, 'too few steps');
  });
});

function checkSequences(seed: number, terms: readonly Terms[], seen: Map<string, number>): void {
  const world = testWorld();
  const count = (what: string) => seen.set(what, 1 + (seen.get(what) ?? 0));

  it('cards.md §6.1, §6.6, §6.9, §6.10, §6.11, §7.3: after each of many random steps the service is in the model’s state', async (t) => {
    t.diagnostic(`MODEL_SEED=${SEED}`);
    let runs = 0;
    const property = fc.asyncProperty(new Sequences(step), (steps) =>
      run(world, terms[runs++ % terms.length] as Terms, steps, count),
    );
    await fc.assert(property, { seed, numRuns: Math.ceil(RUNS / 2), ...LIMIT });
    const counts = [...seen].sort(([, a], [, b]) => b - a);
    t.diagnostic(`so far: ${counts.map(([what, n]) => `${n} ${what}`).join(', ')}`);
  });
}

/** What every sequence contains, however few there are: a notice during which the process dies. */
const INTERRUPTED: readonly Step[] = [
  {
    ...{ does: 'kill', turns: 11 },
    during: {
      ...{ does: 'ask', via: 'network', card: 1, asks: 'DEBIT', isFinal: false, amount: 700, settles: true },
      ...{ merchant: { descriptor: 'CORNER BOOKS' }, network: null, token: 'new' },
    },
  },
];

const EXPECTED_OF_FEW = ['kill', 'APPROVED', 'APPLIED', 'OK', 'PURCHASE SETTLED'];

/** How often the expensive checks run: everything over the API, and the verification of the ledger. */
const WHOLE_EVERY = 40;

async function run(
  world: World,
  terms: Terms,
  steps: readonly Step[],
  count: (what: string) => void,
): Promise<void> {
  const service = await CardsService.open(world, terms);
  const clock = await service.platform.call('getSandboxClock');
  const start = Date.parse(clock.body.now);
  const model = new CardsModel(terms, start);
  const sequence = [...OPENING, ...INTERRUPTED, ...steps];
  const answers: string[] = [];
  for (const [i, next] of sequence.entries()) {
    const act = model.resolve(next);
    if (!act) continue;
    if (model.isDueElsewhere(cardOf(act))) await both(service, model, { does: 'settle' });
    const answer = await both(service, model, act);
    for (const what of ['steps', next.does, answer]) count(what);
    if (act.does === 'kill') answers.push(answer);
    if (isSettledAfter(act) && model.isDue) await both(service, model, { does: 'settle' });
    // Late confirmations happen at different times.
    if (model.rows.at(-1)?.confirmedAt) await both(service, model, { does: 'advance', seconds: 1 });
    await agree(service, model);
    if (i % WHOLE_EVERY === 0) await agreeOnTheRest(world, service, model);
  }
  await both(service, model, { does: 'advance', seconds: 86_401 });
  await agree(service, model);
  await agreeOnTheRest(world, service, model);
  for (const row of model.rows) for (const what of reached(row)) count(what);
  const simulated = simulateCards(terms, sequence, { seed: SEED, start, answers });
  assert.deepEqual(await loadJournal(world, service.platform.id), describeJournal(simulated));
  if (process.env.MODEL_RUNS) console.log(`${model.rows.length} rows`);
}

function cardOf(act: Act): number {
  if (act.does === 'kill') return cardOf(act.during);
  if (act.does === 'message') return act.message.card;
  return act.does === 'simulate' ? act.call.card : -1;
}

function isSettledAfter(act: Act): boolean {
  return act.does === 'simulate' ? act.settles : true;
}

/** Service and model execute the act, and must give the same answer. */
async function both(service: CardsService, model: CardsModel, act: Act): Promise<string> {
  const answered = await service.apply(act);
  const expected = model.apply(act, answered);
  assert.equal(answered.answer, expected, `answer to ${describeAct(act)}`);
  return expected;
}

function describeAct(act: Act): string {
  return JSON.stringify(act, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
}

async function agree(service: CardsService, model: CardsModel): Promise<void> {
  const [rows, balances] = await Promise.all([service.rows(), service.balances(), service.hear()]);
  const byToken = new Map(rows.map((row) => [row.token, row]));
  for (const row of model.rows) {
    const seen = byToken.get(row.token);
    assert.ok(seen, `there is a row ${row.token}`);
    agreeOnRow(row, seen, service.told.get(`Transaction:${seen.id}`) ?? []);
  }
  assert.equal(rows.length, model.rows.length, 'no other rows');
  for (const currency of ['USD', 'USDB'] as const) {
    const { avail, hold, told } = model.accounts[currency];
    assert.deepEqual(balances[currency], [avail, hold], `available and on hold in ${currency}`);
    const held = model.rows
      .filter(({ account }) => account === currency)
      .reduce((sum, row) => sum + row.hold, 0n);
    assert.equal(hold, held * scaleOf(currency), `what the rows hold in ${currency}`);
    assert.equal(service.toldOfAccount(currency), told, `BALANCE_UPDATED in ${currency}`);
  }
}

/** Compared as text first, which is cheap and usually enough. */
function agreeOnRow(row: Row, seen: CardTransactionSnapshot, events: readonly string[]): void {
  const { receivable, account } = row;
  const should = [
    ...[row.card, account, row.direction, row.status, row.authorized, row.settled ?? null, row.hold],
    ...[receivable, receivable * scaleOf(account), row.reason ?? null, row.original ?? null],
    ...[row.at, row.expiresAt ?? null, ...row.events],
  ].map(String);
  const stands = [
    ...[seen.card, seen.account, seen.direction, seen.status, seen.authorized, seen.settled, seen.hold],
    ...[seen.receivable, seen.owed, seen.reason, seen.original, seen.at, seen.expires_at, ...events],
  ].map(String);
  if (stands.join() !== should.join()) assert.deepEqual(stands, should, `row ${row.token}`);
}

/** Compares the state beside the rows, and everything as the API shows it. */
async function agreeOnTheRest(world: World, service: CardsService, model: CardsModel): Promise<void> {
  const { withoutEffect, network } = model;
  assert.deepEqual(await service.rest(), { waiting: model.waiting.length, withoutEffect, network });
  const shown = await service.shownBalances();
  for (const currency of ['USD', 'USDB'] as const) {
    const { avail, hold } = model.accounts[currency];
    assert.deepEqual(shown[currency].map(BigInt), [avail, avail + hold], `balances in ${currency}`);
  }
  const standing = ({ token, status, settled }: Pick<Row, 'token' | 'status' | 'settled'>) =>
    `${token} ${status} ${settled}`;
  const listed = (await service.listed()).map(({ issuerTransactionToken: token, status, settledAmount }) =>
    standing({ token, status, settled: settledAmount && BigInt(settledAmount.amount) }),
  );
  assert.deepEqual(listed.sort(), model.rows.map(standing).sort());
  await assertLedger(world, service.platform.id);
}

/** The invariants also hold in the middle of a sequence. Violations of earlier sequences do not count here. */
async function assertLedger({ database }: World, platformId: string): Promise<void> {
  const found = violationsIn(await verifyLedger(database.query, SERVICE.ledgerChecks));
  const isOwn = (violation: string) => violation.includes(platformId) || !violation.includes('of platform');
  assert.deepEqual(found.filter(isOwn), []);
}
