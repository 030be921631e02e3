import assert from 'node:assert/strict';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { MINTS_AND_BURNS, type OperationNotice } from '#capabilities/stablecoins/operations/machine.ts';
import type { OperationRow } from '#capabilities/stablecoins/operations/row.ts';
import type { CompleteEntry } from '#foundation/ledger/entries.ts';
import { CoinsModel, CUT_OFF_MS } from '#tests/model/coins-model.ts';
import type { Making, Step } from '#tests/model/coins-steps.ts';
import { assertOperation } from '#tests/simulator/coin-checks.ts';
import { type CoinsMachine, CoinsMemory, type CutOff } from '#tests/simulator/coins-memory.ts';
import { assertLedger } from '#tests/simulator/ledger-checks.ts';
import type { SimulatedRun } from '#tests/simulator/money.ts';
import { assertPayment } from '#tests/simulator/payment-checks.ts';

const START = Date.UTC(2026, 0, 5, 10);
const WHOLE_EVERY = 40;
/** Refusals by the machine and the commit; earlier checks, which the simulator does not have, make the others. */
const OWN_ANSWERS = /^(201|503|400 (INSUFFICIENT_FUNDS|STABLECOIN_PROVIDER_ERROR)$)/;
const CUT_OFFS: readonly CutOff[] = ['before the commit', 'after the commit', 'after the answer'];

/** How an interrupted call ended elsewhere. */
export interface CutOffAnswer {
  readonly answer: string;
  readonly isMadeBefore: boolean;
}

interface CoinsOptions extends SimulatedRun {
  readonly machine?: CoinsMachine;
  /** How interrupted calls ended elsewhere, in order; absent: it is drawn. */
  readonly answers?: readonly CutOffAnswer[];
}

/**
 * Runs the steps of the model of coins on the machine of mints and burns, in memory, and compares both after each.
 * Returns the journal.
 */
export function simulateCoins(steps: readonly Step[], options: CoinsOptions): CompleteEntry[] {
  const { count = () => undefined } = options;
  const run = new CoinsRun(options);
  for (const [i, step] of steps.entries()) {
    const answer = run.take(step);
    for (const what of ['steps', step.does, answer]) count(what);
    run.agree();
    run.stray();
    if (i % WHOLE_EVERY === 0) assertLedger(run.memory.memory);
  }
  for (const [what, times] of run.memory.disturbances.seen) for (let n = 0; n < times; n++) count(what);
  for (const { status, reason } of run.model.operations) count(`ended ${reason ?? status}`);
  const journal = [...run.memory.memory.journal];
  run.take({ does: 'advance', seconds: 90_000 });
  run.agree();
  assertLedger(run.memory.memory);
  return journal;
}

class CoinsRun {
  readonly model = new CoinsModel(START);
  readonly memory: CoinsMemory;
  readonly #answers: CutOffAnswer[] | undefined;

  constructor({ seed, machine = MINTS_AND_BURNS, answers }: CoinsOptions) {
    this.#answers = answers && [...answers];
    this.memory = new CoinsMemory(START, { seed, machine });
  }

  /** Both execute a step and must give the same answer. No two things happen at the same moment. */
  take(step: Step): string {
    const { model, memory } = this;
    memory.advance(1);
    model.tick(1);
    if (step.does === 'kill') return this.#cutOff(step.during);
    const expected = model.apply(step, { answer: '' });
    const answer = this.#mirror(step, expected);
    if (answer !== undefined) assert.equal(answer, expected, `answer to ${describeStep(step)}`);
    return expected;
  }

  /** The answer in memory; undefined: an earlier check refused the step, or it is not simulated. */
  #mirror(step: Step, expected: string): string | undefined {
    const { memory } = this;
    switch (step.does) {
      case 'mint':
      case 'burn':
        return OWN_ANSWERS.test(expected) ? memory.make(step) : undefined;
      case 'fund':
        memory.fund(BigInt(step.cents));
        return '200';
      case 'pay':
        return expected === '400 INVALID_CURRENCY' ? undefined : memory.pay(BigInt(step.units));
      case 'payOut':
        return expected === '400 INVALID_CURRENCY'
          ? undefined
          : memory.payOut(BigInt(step.units), step.fails);
      case 'deposit':
        return memory.deposit(step.to, BigInt(step.units));
      case 'advance':
        memory.advance(step.seconds * 1_000);
        return '200';
      default:
        return undefined;
    }
  }

  /** The process dies during the call, which is repeated when it must be over, and again if it had no effect. */
  #cutOff(wish: Making): string {
    const { model, memory } = this;
    const cutOff = this.#howFar();
    const isAllowed = OWN_ANSWERS.test(model.refusal(wish) ?? '201');
    const first = isAllowed ? memory.make(wish, cutOff) : '';
    const isStored = first.startsWith('201');
    const expected = model.apply(
      { does: 'kill', turns: 0, during: wish },
      { answer: first, createdAt: isStored ? memory.memory.now : undefined },
    );
    memory.advance(CUT_OFF_MS);
    const answer = isStored || !OWN_ANSWERS.test(expected) ? undefined : memory.make(wish);
    if (answer !== undefined) assert.equal(answer, expected, `repeated ${describeStep(wish)}`);
    return expected;
  }

  #howFar(): CutOff {
    const drawn = CUT_OFFS[this.memory.disturbances.draw(CUT_OFFS.length - 1)] as CutOff;
    if (!this.#answers) return drawn;
    const { answer, isMadeBefore } =
      this.#answers.shift() ?? assert.fail('every interrupted call has an answer');
    if (!isMadeBefore) return 'before the commit';
    return answer === '201 CREATED' ? 'after the commit' : 'after the answer';
  }

  agree(): void {
    const { model, memory } = this;
    assert.equal(memory.memory.now, model.now, 'clocks');
    for (const [name, row] of memory.memory.takeTouched()) {
      if (name.startsWith('transactions ')) assertPayment(memory.memory, row as TransactionRow);
      else assertOperation(memory.memory, row as OperationRow);
    }
    const statuses = memory.made.map((id) => standing(memory.rows.get(id)));
    const should = model.operations.map(({ status, reason }) => `${status} ${reason ?? ''}`.trim());
    if (statuses.join() !== should.join()) assert.deepEqual(statuses, should);
    for (const name of ['USD', 'A', 'B'] as const) {
      const stands = memory.balances(name);
      const isSame = stands[0] === model.avail[name] && stands[1] === model.hold[name];
      if (!isSame)
        assert.deepEqual(stands.map(String), [model.avail[name], model.hold[name]].map(String), name);
    }
    assert.equal(memory.issued, model.issued, 'money.md §12.12: issued');
    assert.equal(memory.reserve * 10_000n, model.issued, 'money.md §12.15: reserve');
    assert.equal(memory.outside, model.outside, 'money.md §12.13, §12.14: outside');
  }

  /** A notice for an operation that has ended, which must not change it. */
  stray(): void {
    const { memory } = this;
    const id = memory.made[memory.disturbances.draw(Math.max(0, memory.made.length - 1))];
    const row = id === undefined ? undefined : memory.rows.get(id);
    if (!row || !['COMPLETED', 'FAILED', 'EXPIRED'].includes(row.status)) return;
    const kind = STRAY[memory.disturbances.draw(STRAY.length - 1)] as (typeof STRAY)[number];
    memory.reportAgain(row.id, {
      kind,
      providerStatus: 'again',
      askAgainAfterMs: undefined,
    } as OperationNotice);
    assert.equal(
      memory.rows.get(row.id),
      row,
      `stablecoins.md §5: "${kind}" changes an operation that is ${row.status}`,
    );
  }
}

const STRAY = [
  ...(['awaitingFunding', 'awaitingProvider', 'processing', 'completed', 'failed', 'expired'] as const),
  ...(['refused', 'lost'] as const),
];

function standing(row: OperationRow | undefined): string {
  return `${row?.status} ${row?.failure_reason ?? ''}`.trim();
}

function describeStep(step: Step): string {
  return JSON.stringify(step, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
}
