// lane: whole — random sequences of payments beside a model

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { SERVICE } from '#app/compose.ts';
import { verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';
import { testWorld, type World } from '#tests/harness/harness.ts';
import { seedOf } from '#tests/harness/seed.ts';
import {
  agreeOnBalances,
  agreeOnPayment,
  agreeOnPayments,
  agreeOnProofs,
} from '#tests/model/compare-with-model.ts';
import { Watcher } from '#tests/model/glance.ts';
import { EXPECTED, reached } from '#tests/model/money-cases.ts';
import { inBigInts, MoneyModel, OPENING, type Payment } from '#tests/model/money-model.ts';
import { MoneyService } from '#tests/model/money-service.ts';
import { Sequences } from '#tests/model/sequences.ts';
import { type DrawnTerms, type Step, step, terms } from '#tests/model/steps.ts';
import { createWebhookCheck } from '#tests/model/webhook-check.ts';
import { describeJournal, loadJournal } from '#tests/simulator/journal.ts';
import { simulateMoney } from '#tests/simulator/money.ts';

/**
 * Runs random sequences of everything that moves money, and compares the service with a plain model after every step:
 * answers, balances, statuses, refunds, events. The simulator runs most sequences in memory (decision 0037); these prove
 * that it posts what PostgreSQL does, and cover what only the service has: checks, proofs, kills, races, webhooks.
 * `MODEL_SEED` repeats a run, `MODEL_RUNS` lengthens one; a failure is shrunk.
 */
const RUNS_IN_CI = 2;
/** Enough sequences to reach every expected case. */
const RUNS_TO_COVER = 12;
const SEED = seedOf('MODEL_SEED');
const RUNS = Number(process.env.MODEL_RUNS ?? RUNS_IN_CI);
/** Side by side, each with a service of its own: most of the time is waiting for the database. */
const LANES = 2;

describe('money and a plain model of it', { concurrency: LANES }, () => {
  const seen = new Map<string, number>();
  for (let lane = 0; lane < LANES; lane++) {
    describe(`sequences of lane ${lane + 1}`, () => checkSequences(SEED + lane, seen));
  }
  after(() => {
    const expected = RUNS < RUNS_TO_COVER ? EXPECTED_OF_FEW : EXPECTED;
    for (const what of expected) assert.ok(seen.has(what), `never came to ${what}`);
    assert.ok((seen.get('steps') ?? 0) >= 250 * RUNS, 'too few steps');
  });
});

const FUNDED = { does: 'fund', to: { kind: 'INSIDE', who: 'A', currency: 'USD' }, amount: 1_000 } as const;

const TO_BANK = {
  from: { kind: 'INSIDE', who: 'A', currency: 'USD' },
  to: { kind: 'OUTSIDE', who: 'A', currency: 'EUR', suffix: '115' },
} as const;

function checkSequences(seed: number, seen: Map<string, number>): void {
  const world = testWorld();
  const checkWebhook = createWebhookCheck();

  it('money.md §12.9, §12.11: after each of many random steps the service is in the model’s state, and the simulator posts the same entries', async (t) => {
    t.diagnostic(`MODEL_SEED=${SEED}`);
    const property = fc.asyncProperty(terms, new Sequences(step), (drawn, steps) => run(drawn, steps));
    await fc.assert(property, { seed, numRuns: Math.ceil(RUNS / LANES), ...LIMIT });
    const counts = [...seen].sort(([, a], [, b]) => b - a);
    t.diagnostic(`so far: ${counts.map(([what, count]) => `${count} ${what}`).join(', ')}`);
  });

  async function run(drawn: DrawnTerms, steps: readonly Step[]): Promise<void> {
    const count = (what: string) => seen.set(what, 1 + (seen.get(what) ?? 0));
    const service = await MoneyService.open(world, drawn);
    const watcher = await Watcher.of(world, service);
    const model = new MoneyModel(inBigInts(drawn));
    const sequence = [...OPENING, ...INTERRUPTED, ...steps];
    const answers: (readonly string[])[] = [];
    for (const [i, next] of sequence.entries()) {
      const target = model.target(next);
      if ('which' in next && !target) continue;
      const before = model.payments.length;
      const codes = await both(service, model, next, target);
      for (const code of ['steps', next.does, ...codes]) count(code);
      if (next.does === 'race') {
        count(next.between);
        answers.push(codes);
      }
      if (removes(next) && codes.includes('OK')) {
        await watcher.renew(service);
        if (!codes.includes('CONFLICT')) count('removed');
      }
      const made = model.payments[before];
      if (next.does === 'quote' && made) assertPriced(service.lastQuote, made);
      await agree(service, watcher, model, target ?? made);
      if (i % WHOLE_EVERY === 0) await agreeOverApi(service, watcher, model);
      if (i % PROVED_EVERY === 0) await assertLedger(world, service.platform.id);
    }
    await both(service, model, { does: 'advance', seconds: 1_000 }, undefined);
    await agreeOverApi(service, watcher, model);
    assertDelivered(service, model);
    await assertLastTold(service);
    for (const { body } of service.receiver.received) checkWebhook(body);
    for (const payment of model.payments) for (const what of reached(payment)) count(what);
    const simulated = simulateMoney(inBigInts(drawn), sequence, { seed, answers });
    assert.deepEqual(await loadJournal(world, service.platform.id), describeJournal(simulated));
    // A drill runs without a limit: each sequence is a sign of life.
    if (process.env.MODEL_RUNS) console.log(`${seen.get('steps')} steps so far`);
  }
}

/** What every sequence contains, however few there are: calls during which the process dies, and a race. */
const INTERRUPTED: readonly Step[] = [
  { does: 'kill', which: 0, after: 9, during: FUNDED },
  { does: 'quote', ...TO_BANK, side: 'SENDING', amount: 4_000, fee: null, atOnce: false },
  { does: 'kill', which: 1, after: 12, during: { does: 'execute', which: 1, how: 'once' } },
  { does: 'race', which: 0, between: 'cancellation and delivery' },
];

const EXPECTED_OF_FEW = ['kill', 'race', 'advance', 'notice', 'COMPLETED', 'FAILED', 'CONFLICT'];

function removes(step: Step): boolean {
  return (
    step.does === 'remove' ||
    (step.does === 'race' && step.between === 'payment and deletion of its receiver')
  );
}

/** The longest time for shrinking a failure (tests/run.ts takes a longer silence for a hang); the shortest sequence found by then is shown. */
const LIMIT = process.env.MODEL_RUNS
  ? {}
  : { interruptAfterTimeLimit: 15 * 60_000, markInterruptAsFailure: true };

/** How often everything is read over the API; after the other steps only what the step was about. */
const WHOLE_EVERY = 25;
/** How often the ledger is verified in the middle of a sequence. */
const PROVED_EVERY = 100;

/** Service and model execute the step, and must give the same answer. After a race the service's answer tells the outcome. */
async function both(
  service: MoneyService,
  model: MoneyModel,
  next: Step,
  target: Payment | undefined,
): Promise<string[]> {
  const [n, now] = [model.payments.length, model.now];
  const name = () => `answers of ${JSON.stringify(next)} about payment ${target?.n}`;
  if (next.does === 'race') {
    const answered = await service.apply(next, target, n, now);
    assert.deepEqual(answered, model.apply(next, target, answered), name());
    return answered;
  }
  const expected = model.apply(next, target);
  assert.deepEqual(await service.apply(next, target, n, now), expected, name());
  return expected;
}

function assertPriced(quote: MoneyService['lastQuote'], { price, currencies }: Payment): void {
  assert.ok(quote);
  const { totalSendingAmount, totalReceivingAmount, feesIncluded, platformFeesIncluded } = quote;
  const shown = [totalSendingAmount, totalReceivingAmount, feesIncluded, platformFeesIncluded ?? 0].map(
    BigInt,
  );
  const { sent, received, serviceFee, platformFee } = price;
  assert.deepEqual(
    shown,
    [sent, received, serviceFee + platformFee, platformFee],
    `price in ${currencies.join(' → ')}`,
  );
}

/** Compares everything below the API, and the subject of the step over the API. */
async function agree(
  service: MoneyService,
  watcher: Watcher,
  model: MoneyModel,
  touched: Payment | undefined,
): Promise<void> {
  const { listed, accounts, told, proofs } = await watcher.look(model.now);
  agreeOnProofs(proofs, model);
  agreeOnBalances(accounts, model, told);
  agreeOnPayments(service, model, listed, told);
  if (!touched) return;
  const row = await service.transaction(touched.n);
  agreeOnPayment(touched, row, told.get(row.id) ?? []);
  if (touched.kind !== 'QUOTE') return;
  const { status, scaChallenge } = await service.quote(touched.n);
  assert.equal(status, quoteStatusOf(touched), `quote ${touched.n}`);
  const shown = scaChallenge && {
    factor: scaChallenge.factor,
    purpose: scaChallenge.purpose,
    until: watcher.secondOf(new Date(scaChallenge.expiresAt)),
  };
  assert.deepEqual(shown, askedOf(touched), `what quote ${touched.n} waits for`);
}

/** customers.md §7.10: it stands on the quote while it waits. */
function askedOf({ status, asked }: Payment) {
  if (status !== 'PENDING_AUTHORIZATION' || !asked) return undefined;
  const { factor, purpose, until } = asked;
  return { factor, purpose, until };
}

async function agreeOverApi(service: MoneyService, watcher: Watcher, model: MoneyModel): Promise<void> {
  const { told } = await watcher.look(model.now);
  agreeOnBalances(await service.accounts(), model, told);
  agreeOnPayments(service, model, await service.transactions(), told);
}

/** The invariants also hold in the middle of a sequence. Violations of earlier sequences do not count here. */
async function assertLedger({ database }: World, platformId: string): Promise<void> {
  const found = violationsIn(await verifyLedger(database.query, SERVICE.ledgerChecks));
  const isOwn = (violation: string) => violation.includes(platformId) || !violation.includes('of platform');
  assert.deepEqual(found.filter(isOwn), []);
}

/** money.md §4.1: one to one, except for an executed pull within one currency. */
function quoteStatusOf({ type, status, isExecuted }: Payment): string {
  return type === 'INCOMING' && status === 'PENDING' && isExecuted ? 'PROCESSING' : status;
}

/** Every event reached the platform's endpoint, once and in order per transaction. */
function assertDelivered(service: MoneyService, model: MoneyModel): void {
  for (const payment of model.payments) {
    const id = service.transactionIds.get(payment.n);
    const delivered = service.receiver.received.filter(({ body }) => body.data.id === id);
    const types = delivered.map(({ body }) => body.type.slice(body.type.indexOf('.') + 1));
    assert.deepEqual(types, payment.events, `deliveries of payment ${payment.n}`);
  }
}

/** money.md §10.2: the last event of a transaction equals its state, except for changes without an event. */
async function assertLastTold(service: MoneyService): Promise<void> {
  const last = new Map(service.receiver.received.map(({ body }) => [body.data.id, body.data]));
  for (const row of await service.transactions()) {
    const told = last.get(row.id);
    // An unexecuted pull expires silently (money.md §4.2).
    if (row.type === 'INCOMING' && row.status === 'EXPIRED') assert.equal(told, undefined);
    else assert.deepEqual(tellable(told ?? {}), tellable(row), `the last event of ${row.id}`);
  }
}

/** Without a receipt's delivery, and without the time of that or of a pull's reversal. */
function tellable(data: object): object {
  const { receiptDeliveryConfirmedAt: _, updatedAt: __, ...rest } = data as Record<string, unknown>;
  return rest;
}
