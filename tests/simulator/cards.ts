import assert from 'node:assert/strict';
import { CARD_TRANSACTIONS_MACHINE } from '#capabilities/cards/machine/table.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import type { CompleteEntry } from '#foundation/ledger/entries.ts';
import { reached } from '#tests/model/cards-cases.ts';
import { type Act, CardsModel, fundedUnits, type Row, type Terms } from '#tests/model/cards-model.ts';
import type { Step } from '#tests/model/cards-steps.ts';
import { assertCardRow } from '#tests/simulator/card-checks.ts';
import type { CardsMachine } from '#tests/simulator/card-notices.ts';
import { type Answered, CardsMemory } from '#tests/simulator/cards-memory.ts';
import { assertLedger } from '#tests/simulator/ledger-checks.ts';
import type { SimulatedRun } from '#tests/simulator/money.ts';
import { assertPayment } from '#tests/simulator/payment-checks.ts';

const START = Date.UTC(2026, 0, 5, 10);
const WHOLE_EVERY = 40;
/** Steps are about the last few rows; older ones change with time. */
const LATEST = 12;
const CURRENCIES = ['USD', 'USDB'] as const;
/** The dying process declined it (cards.md §6.6.8). */
const UNDECIDED = 'DECLINED OTHER';

interface CardsOptions extends SimulatedRun {
  readonly machine?: CardsMachine;
  /** The answers to interrupted notices elsewhere, in order; absent: nothing is interrupted for good. */
  readonly answers?: readonly string[];
}

/**
 * Runs the steps of the model of cards on the machine of card transactions, in memory, and compares both after each.
 * Returns the journal.
 */
export function simulateCards(terms: Terms, steps: readonly Step[], options: CardsOptions): CompleteEntry[] {
  const { count = () => undefined } = options;
  const run = new CardsRun(terms, options);
  for (const [i, step] of steps.entries()) {
    const answer = run.take(step);
    if (answer === undefined) continue;
    for (const what of ['steps', step.does, answer]) count(what);
    run.agree();
    if (i % WHOLE_EVERY === 0) run.agreeOnAll();
  }
  run.both({ does: 'advance', seconds: 86_401 });
  run.agree();
  run.agreeOnAll();
  for (const [what, times] of run.memory.disturbances.seen) for (let n = 0; n < times; n++) count(what);
  for (const row of run.model.rows) for (const what of reached(row)) count(what);
  return run.memory.memory.journal;
}

class CardsRun {
  readonly model: CardsModel;
  readonly memory: CardsMemory;
  readonly #answers: string[];

  constructor(
    terms: Terms,
    { seed, start = START, machine = CARD_TRANSACTIONS_MACHINE, answers = [] }: CardsOptions,
  ) {
    this.#answers = [...answers];
    this.model = new CardsModel(terms, start);
    this.memory = new CardsMemory(start, { seed, machine, terms });
  }

  /** As in the test on PostgreSQL; undefined: the step would have no effect. */
  take(step: Step): string | undefined {
    const { model } = this;
    const act = model.resolve(step);
    if (!act) return undefined;
    if (model.isDueElsewhere(cardOf(act))) this.both({ does: 'settle' });
    const answer = this.both(act);
    if (!(act.does === 'simulate' && !act.settles) && model.isDue) this.both({ does: 'settle' });
    if (model.rows.at(-1)?.confirmedAt) this.both({ does: 'advance', seconds: 1 });
    return answer;
  }

  /** Notices are answered here first, since the model needs the tokens of simulators; the other acts there. */
  both(act: Act): string {
    const notice = act.does === 'kill' ? act.during : act;
    if (notice.does === 'message' || notice.does === 'simulate') {
      const isUndecided = act.does === 'kill' && this.#answers.shift() === UNDECIDED;
      const answered: Answered =
        notice.does === 'message'
          ? this.memory.receive(notice.message, isUndecided)
          : this.memory.simulate(notice.call);
      const expected = this.model.apply(act, answered);
      assert.equal(answered.answer, expected, `answer to ${describeAct(act)}`);
      return expected;
    }
    const expected = this.model.apply(act, { answer: '' });
    const answer = this.#mirror(act, expected === 'OK');
    if (answer !== undefined) assert.equal(answer, expected, `answer to ${describeAct(act)}`);
    return expected;
  }

  /** The answer in memory; undefined: an earlier check refused the act, or it is not simulated. */
  #mirror(act: Act, isDone: boolean): string | undefined {
    const { memory } = this;
    switch (act.does) {
      case 'advance':
        memory.advance(act.seconds * 1_000);
        return 'OK';
      case 'settle':
        memory.advance(0);
        return 'OK';
      case 'withdraw':
        return memory.withdraw(BigInt(act.cents));
      case 'claw':
        memory.claw(act.pull);
        return 'OK';
      default:
        if (isDone) this.#change(act);
        return undefined;
    }
  }

  #change(act: Act): void {
    const { memory } = this;
    if (act.does === 'patch') memory.patch(act.card, act.change);
    else if (act.does === 'key') memory.changeKey(act.card, act.change);
    else if (act.does === 'issue') memory.issue(act.account, act.months);
    else if (act.does === 'fund') memory.fund(act.account, fundedUnits(act.account, act.cents, act.odd));
    else if (act.does === 'freeze' || act.does === 'unfreeze')
      memory.setFrozen(act.account, act.does === 'freeze');
    else if (act.does === 'pull') memory.pull(BigInt(act.cents));
  }

  /** Compares the rows that have changed, and all balances. */
  agree(): void {
    const { model, memory } = this;
    assert.equal(memory.memory.now, model.now, 'clocks');
    for (const [name, row] of memory.memory.takeTouched()) {
      if (name.startsWith('card_transactions ')) assertCardRow(memory.memory, row as CardTransactionRow);
      else if (name.startsWith('transactions ')) assertPayment(memory.memory, row as TransactionRow);
    }
    for (const row of model.rows.slice(-LATEST)) this.#agreeOnRow(row);
    for (const currency of CURRENCIES) {
      const { avail, hold, told } = model.accounts[currency];
      const id = memory.accountId(currency);
      const of = (kind: string) => memory.memory.balanceOf(`${kind}:${id}`, currency);
      const events = memory.memory.events.get(`InternalAccount:${id}`)?.length ?? 0;
      if (of('AVAIL') === avail && of('HOLD') === hold && events === told) continue;
      assert.deepEqual(
        [of('AVAIL'), of('HOLD'), events].map(String),
        [avail, hold, told].map(String),
        currency,
      );
    }
  }

  agreeOnAll(): void {
    const { model, memory } = this;
    for (const row of model.rows) this.#agreeOnRow(row);
    assert.equal(memory.rows.size, model.rows.length, 'no other rows');
    assert.equal(memory.waiting, model.waiting.length, 'waiting notices');
    assert.equal(memory.withoutEffect, model.withoutEffect, 'notices without effect');
    for (const currency of CURRENCIES) {
      assert.equal(memory.memory.sumOf(`RAIL:CARD:${currency}`), model.network[currency], 'network');
    }
    assertLedger(memory.memory);
  }

  #agreeOnRow(row: Row): void {
    const { memory } = this;
    const seen = memory.byToken(row.token);
    assert.ok(seen, `there is a row ${row.token}`);
    const original = seen.original_id === null ? null : memory.rows.get(seen.original_id)?.token;
    const stands = [
      memory.cardNumber(seen.card_id),
      seen.account_currency,
      seen.direction,
      seen.status,
      seen.authorized_amount,
      seen.settled_amount,
      seen.hold,
      seen.receivable,
      seen.declined_reason,
      original,
      seen.created_at.getTime(),
      seen.hold_expires_at?.getTime() ?? null,
      String(memory.memory.events.get(`Transaction:${seen.id}`) ?? []),
    ];
    const should = [
      row.card,
      row.account,
      row.direction,
      row.status,
      row.authorized,
      row.settled ?? null,
      row.hold,
      row.receivable,
      row.reason ?? null,
      row.original ?? null,
      row.at,
      row.expiresAt ?? null,
      String(row.events),
    ];
    if (stands.some((value, i) => value !== should[i]))
      assert.deepEqual(stands.map(String), should.map(String), `row ${row.token}`);
  }
}

function cardOf(act: Act): number {
  if (act.does === 'kill') return cardOf(act.during);
  if (act.does === 'message') return act.message.card;
  return act.does === 'simulate' ? act.call.card : -1;
}

function describeAct(act: Act): string {
  return JSON.stringify(act, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
}
