import assert from 'node:assert/strict';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import type { CompleteEntry } from '#foundation/ledger/entries.ts';
import { reached } from '#tests/model/money-cases.ts';
import {
  AFTER_RACE,
  feeOf,
  MoneyModel,
  type Payment,
  sentAmount,
  takenBack,
} from '#tests/model/money-model.ts';
import { plainPrice, type Terms } from '#tests/model/plain-prices.ts';
import { QUESTION_SECONDS } from '#tests/model/proofs-model.ts';
import { EVERYBODY, type Step } from '#tests/model/steps.ts';
import { assertLedger } from '#tests/simulator/ledger-checks.ts';
import { CURRENCIES, MoneyMemory } from '#tests/simulator/money-memory.ts';
import { assertPayment } from '#tests/simulator/payment-checks.ts';
import type { PaymentsMachine } from '#tests/simulator/payments.ts';
import { sendStrayNotices } from '#tests/simulator/stray-notices.ts';

const WAITING = 'PENDING_AUTHORIZATION';
const OK = 'OK';
/** Refusals by the machine and the commit; earlier checks, which the simulator does not have, make all others. */
const OWN_CODES = [OK, 'QUOTE_EXPIRED', 'CONFLICT', 'INSUFFICIENT_FUNDS', 'DAILY_VOLUME_LIMIT_EXCEEDED'];
/** How often everything is compared; after the other steps only what they changed. */
const WHOLE_EVERY = 40;

export interface SimulatedRun {
  readonly seed: number;
  /** When it begins, in milliseconds, where days and months matter. */
  readonly start?: number;
  count?(what: string): void;
}

interface MoneyOptions extends SimulatedRun {
  readonly machine?: PaymentsMachine;
  /** How races ended elsewhere, in order; absent: it is drawn. */
  readonly answers?: readonly (readonly string[])[];
}

/**
 * Runs the steps of the model of money on the machine of payments, in memory, and compares both after every step. Returns
 * the journal.
 */
export function simulateMoney(terms: Terms, steps: readonly Step[], options: MoneyOptions): CompleteEntry[] {
  const { count = () => undefined } = options;
  const run = new MoneyRun(terms, options);
  for (const [i, step] of steps.entries()) {
    const codes = run.take(step);
    if (!codes) continue;
    for (const what of ['steps', step.does, ...codes]) count(what);
    if (step.does === 'remove' && codes.includes(OK)) count('removed');
    run.agree();
    run.stray();
    if (i % WHOLE_EVERY === 0) run.agreeOnAll();
  }
  run.take({ does: 'advance', seconds: 1_000 });
  run.agree();
  run.agreeOnAll();
  for (const [what, times] of run.memory.disturbances.seen) for (let n = 0; n < times; n++) count(what);
  for (const payment of run.model.payments) for (const what of reached(payment)) count(what);
  return run.memory.memory.journal;
}

class MoneyRun {
  readonly model: MoneyModel;
  readonly memory: MoneyMemory;
  readonly #terms: Terms;
  readonly #answers: (readonly string[])[] | undefined;

  constructor(terms: Terms, { seed, machine = PAYMENTS, answers }: MoneyOptions) {
    this.#terms = terms;
    this.#answers = answers && [...answers];
    this.model = new MoneyModel(terms);
    this.memory = new MoneyMemory(this.model.now, { seed, machine, dailyLimitUsdCents: terms.dailyUsdCents });
  }

  /** Both execute a step and must give the same answers; undefined: it has no subject. */
  take(step: Step): readonly string[] | undefined {
    const { model } = this;
    const target = model.target(step);
    if ('which' in step && !target) return undefined;
    const asked = target?.asked;
    const waiting = model.payments.filter(({ status }) => status === WAITING);
    const n = model.payments.length;
    const answered = step.does === 'race' ? this.#drawAnswer() : [];
    const expected = model.apply(step, target, answered);
    const inner = step.does === 'kill' ? step.during : step;
    const codes = this.#mirror(inner, { target, asked, n, expected, answered });
    if (codes)
      assert.deepEqual(codes, expected, `answers of ${JSON.stringify(step)} about payment ${target?.n}`);
    if (inner.does !== 'advance' && inner.does !== 'race') this.#voidQuestions(waiting);
    return expected;
  }

  /** Which of two things came first; the rest must follow from that. */
  #drawAnswer(): readonly string[] {
    if (this.#answers) return this.#answers.shift() ?? assert.fail('every race has an answer');
    const isFirst = this.memory.disturbances.draw(1) === 0;
    return isFirst ? [OK] : ['QUOTE_EXPIRED', 'USER_NOT_READY'];
  }

  /** Proofs are not simulated: a question that the model voided is voided here as well. */
  #voidQuestions(waiting: readonly Payment[]): void {
    for (const { n, status, reason } of waiting) {
      if (status === 'FAILED' && reason === 'SCA_NOT_COMPLETED' && this.memory.row(n).status === WAITING) {
        this.memory.lapse(n);
      }
    }
  }

  /** The answers in memory; undefined: an earlier check refused the step. */
  #mirror(step: Step, { target, asked, n, expected, answered }: Mirrored): string[] | undefined {
    const { memory } = this;
    switch (step.does) {
      case 'fund':
        memory.fund(step.to, BigInt(step.amount));
        return [OK];
      case 'quote':
        return this.#quote(step, n, expected[0] ?? OK);
      case 'execute':
        return this.#execute(target as Payment, expected);
      case 'authorize':
        this.#authorize(target as Payment, asked, expected);
        return undefined;
      case 'send':
        return this.#send(target as Payment, sentAmount(target as Payment, step.off), expected);
      case 'transferOut':
        return this.#transfer(step, n, expected[0] ?? OK);
      case 'transferIn':
        return this.#transfer(step, n, expected[0] ?? OK);
      case 'cancel':
        return [memory.cancel((target as Payment).n)];
      case 'receive':
        memory.receive(n, this.model.payments[n] as Payment, step.answer);
        return [OK];
      case 'decide':
        return [memory.decide((target as Payment).n, step.decision)];
      case 'remove':
        return [memory.remove()];
      case 'advance':
        memory.advance(step.seconds);
        return [OK];
      case 'notice':
        memory.report((target as Payment).n, step.kinds, step.how === 'each twice at once');
        return [OK];
      case 'race':
        return this.#race(step, target as Payment, { asked, expected, answered });
      default:
        return undefined;
    }
  }

  #quote(step: Extract<Step, { does: 'quote' }>, n: number, code: string): string[] | undefined {
    const made = this.model.payments[n];
    if (code !== OK && !OWN_CODES.includes(code)) return undefined;
    const wallet = step.from.kind === 'INSIDE' && step.from.currency === 'USDB';
    const asked = made ?? this.#refusedQuote(step);
    if (!asked || (wallet && !made)) return undefined;
    const asksUntil = made?.status === WAITING ? made.asked?.until : undefined;
    const isRealtime = step.from.kind === 'REALTIME';
    return [this.memory.quote(n, asked, { atOnce: step.atOnce && !isRealtime, asksUntil })];
  }

  /** The payment of a quote that was refused when it was executed at once; its customer was not asked. */
  #refusedQuote({ from, to, side, amount, fee }: Extract<Step, { does: 'quote' }>): Asked | undefined {
    if (from.who === 'D' || from.who === 'E' || to.kind === 'ADDRESSED' || to.kind === 'UMA')
      return undefined;
    const currencies = [from.currency, to.currency] as const;
    const asked = { from: currencies[0], to: currencies[1], side, amount: BigInt(amount) };
    const price = plainPrice({ ...asked, fee: feeOf(fee) }, this.#terms);
    const type =
      from.kind === 'OUTSIDE' && to.kind === 'INSIDE' && currencies[0] === currencies[1]
        ? 'INCOMING'
        : 'OUTGOING';
    return (
      price && { kind: 'QUOTE', type, owner: from.who, from, to, currencies, price, addressed: undefined }
    );
  }

  #execute({ n, status, asked }: Payment, expected: readonly string[]): string[] | undefined {
    if (!expected.every((code) => OWN_CODES.includes(code))) return undefined;
    const isRefused = expected.some(
      (code) => code === 'INSUFFICIENT_FUNDS' || code === 'DAILY_VOLUME_LIMIT_EXCEEDED',
    );
    const isAsked = status === WAITING && expected.includes(OK);
    // A question that never came about is not known.
    if (isRefused && ['D', 'E'].includes(this.model.payments[n]?.owner ?? '')) return undefined;
    return expected.map(() => this.memory.execute(n, isAsked ? asked?.until : undefined)).sort();
  }

  /** Every accepted answer goes on with the payment; the first of a conversion is followed by another question. */
  #authorize({ n, expiresAt }: Payment, asked: Payment['asked'], expected: readonly string[]): void {
    let purpose = asked?.purpose;
    for (const code of expected) {
      if (code !== OK || asked === undefined) continue;
      const isFirstOfTwo = purpose === 'CURRENCY_CONVERSION';
      this.memory.authorized(
        n,
        isFirstOfTwo ? Math.min(this.model.now + QUESTION_SECONDS, expiresAt) : undefined,
      );
      purpose = 'PAYOUT';
    }
  }

  #send(payment: Payment, amount: bigint, expected: readonly string[]): string[] | undefined {
    if (payment.from.kind === 'REALTIME') return [this.memory.send(payment.n, amount)];
    if (payment.from.kind === 'OUTSIDE' && amount === payment.price.sent)
      return this.#execute(payment, expected);
    return undefined;
  }

  #transfer(
    { from, to, amount }: Extract<Step, { does: 'transferOut' | 'transferIn' }>,
    n: number,
    code: string,
  ): string[] | undefined {
    const made = this.model.payments[n];
    if (made) return [this.memory.transfer(n, made)];
    if (amount === null || code === 'CONFLICT' || !OWN_CODES.includes(code)) return undefined;
    const sent = BigInt(amount);
    const price = { sent, received: sent, serviceFee: 0n, platformFee: 0n };
    const currencies = [from.currency, from.currency] as const;
    const type = from.kind === 'INSIDE' ? 'OUTGOING' : 'INCOMING';
    return [
      this.memory.transfer(n, {
        kind: 'TRANSFER',
        type,
        owner: from.who,
        from,
        to,
        currencies,
        price,
        addressed: undefined,
      }),
    ];
  }

  #race(
    { between }: Extract<Step, { does: 'race' }>,
    payment: Payment,
    { asked, expected, answered }: Pick<Mirrored, 'asked' | 'expected' | 'answered'>,
  ): string[] | undefined {
    const { memory } = this;
    const { n } = payment;
    if (between === 'cancellation and delivery') {
      if (answered[0] !== OK) memory.report(n, ['delivered'], false);
      const code = memory.cancel(n);
      memory.report(n, ['delivered'], false);
      return [code];
    }
    if (between === 'payment and deletion of its receiver') {
      const pay = () => memory.execute(n, payment.status === WAITING ? payment.asked?.until : undefined);
      const isGone = answered.includes('USER_NOT_READY') || answered.includes('ACCOUNT_NOT_FOUND');
      const codes = isGone ? [memory.remove(), pay()] : [pay(), memory.remove()];
      return codes.every((code) => OWN_CODES.includes(code) || expected.includes(code))
        ? codes.sort()
        : undefined;
    }
    return this.#raceExpiry(between, payment, { asked, expected, isLate: answered[0] === 'QUOTE_EXPIRED' });
  }

  /** The model has already moved its clock by `AFTER_RACE`, counted from a second before the expiry. */
  #raceExpiry(
    between: string,
    payment: Payment,
    { asked, expected, isLate }: { asked: Payment['asked']; expected: readonly string[]; isLate: boolean },
  ): undefined {
    const { memory, model } = this;
    const before = model.now - AFTER_RACE - this.#now;
    memory.advance(before + (isLate ? 1 : 0));
    if (between === 'expiry and authorization') this.#authorize(payment, asked, expected);
    else if (payment.from.kind === 'REALTIME') memory.send(payment.n, payment.price.sent);
    else if (expected[0] === OK) memory.execute(payment.n, this.#askedInRace(payment));
    memory.advance(model.now - this.#now);
  }

  /** A payment that was asked in a race has lapsed by now; its question began a second before the expiry. */
  #askedInRace({ events, owner, from, expiresAt }: Payment): number | undefined {
    const isAsked = events.includes(WAITING) && (owner === 'D' || owner === 'E') && from.kind !== 'REALTIME';
    return isAsked ? expiresAt - 1 + QUESTION_SECONDS : undefined;
  }

  /** The memory's clock in the model's seconds. */
  get #now(): number {
    return this.memory.now;
  }

  /** Compares the rows that have changed, and all balances. */
  agree(): void {
    assert.equal(this.#now, this.model.now, 'clocks');
    for (const [name, row] of this.memory.memory.takeTouched()) {
      if (name.startsWith('transactions ')) assertPayment(this.memory.memory, row as TransactionRow);
    }
    for (const who of EVERYBODY) {
      for (const currency of CURRENCIES) {
        const { avail, hold, pendingIn, told, wasOwed } = this.model.account(who, currency);
        const stands = this.memory.balances(who, currency);
        const isSame = stands[0] === avail && stands[1] === hold && stands[2] === pendingIn;
        if (!isSame || (!wasOwed && stands[3] !== told)) {
          assert.deepEqual(
            stands.map(String),
            [avail, hold, pendingIn, told].map(String),
            `${who}:${currency}`,
          );
        }
      }
    }
    for (const payment of this.model.payments.slice(-LATEST)) agreeOnPayment(payment, this.memory);
  }

  /** Notices that cannot be about one of the last payments. */
  stray(): void {
    const { disturbances, payments } = this.memory;
    const last = this.model.payments.length - 1 - disturbances.draw(LATEST);
    if (last >= 0) sendStrayNotices(payments, this.memory.row(last), disturbances);
  }

  agreeOnAll(): void {
    for (const payment of this.model.payments) agreeOnPayment(payment, this.memory);
    const others = new Set(this.memory.ids.values());
    const came = [...this.memory.payments.rows.values()]
      .filter(({ id }) => !others.has(id))
      .map((row) => describeArrival(this.memory, row));
    assert.deepEqual(came.toSorted(), this.model.arrivals.toSorted(), 'arrivals');
    assertLedger(this.memory.memory);
  }
}

/** Steps are about the last few payments; older ones change with time. */
const LATEST = 12;

interface Mirrored {
  readonly target: Payment | undefined;
  readonly asked: Payment['asked'];
  readonly n: number;
  readonly expected: readonly string[];
  readonly answered: readonly string[];
}

type Asked = Parameters<MoneyMemory['quote']>[1];

/** Compared as text first, which is cheap. */
function agreeOnPayment(payment: Payment, memory: MoneyMemory): void {
  const row = memory.row(payment.n);
  const { reason, refund } = payment;
  const stands = [
    ...[row.type, row.status, row.failure_reason, row.pending_reason, row.refund_status, row.refund_reason],
    ...[row.refund_amount, ...memory.eventsOf(row)],
  ];
  const should = [
    ...[payment.type, payment.status, reason, payment.pendingReason, refund?.status, refund?.reason],
    ...[refund?.amount, ...payment.events],
  ];
  if (stands.join() !== should.join())
    assert.deepEqual(stands.map(String), should.map(String), `payment ${payment.n}`);
}

function describeArrival(memory: MoneyMemory, row: TransactionRow): string {
  const who = memory.whoIs(row.customer_id);
  const sent = row.details.sent?.amount ?? row.sending_amount;
  const came = `${who} ${row.receiving_amount} ${row.receiving_currency} of ${sent}`;
  return row.status === 'FAILED' ? takenBack(came, row.failure_reason ?? '') : came;
}
