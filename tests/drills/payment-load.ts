import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '#tests/drills/areas/area.ts';
import { isWelcome, type PaymentPlatform } from '#tests/drills/payment-platform.ts';
import type { SeededRandom } from '#tests/drills/seeded-random.ts';
import { readTransaction } from '#tests/given/payments.ts';
import type { Payment } from '#tests/model/money-model.ts';
import {
  type Customer,
  type Inside,
  type ProviderChecks,
  type Realtime,
  type RequestedFactor,
  SCENARIOS,
  type Step,
} from '#tests/model/steps.ts';

const SUFFIXES = ['115', '115', '115', '002', '003', '004', '005', '006', '007'] as const;
const AMOUNT_MAX = 2_000;
/** Enough for several payments, so that most of the load is payments. */
const FUNDING = 20_000;
/** The time by which a worker has started due work. */
const TIMER_MS = 15_000;
const LOOK_MS = 100;
const WAITING = 'PENDING_AUTHORIZATION';

const A_USD = { kind: 'INSIDE', who: 'A', currency: 'USD' } as const;
const RESEND: Step = { does: 'resend', which: 0, times: 1 };
const AUTHORIZE = { does: 'authorize', which: 0, logsIn: false, answer: 'right' } as const;

type SourceChoice = Omit<Inside, 'who'> | Omit<ProviderChecks, 'who'> | Omit<Realtime, 'who'>;

/**
 * One client that makes payments of all kinds, one after the other. Its outcomes do not depend on timing: the model records
 * spending before the call and deposits after it, so that money which the model calls spendable is always available, and
 * only payments that stay cancellable for minutes are cancelled.
 */
export class PaymentClient {
  /** Questions that a kill interrupted: the platform is asked only once whether to accept a payment (money.md §7.2). */
  questionsLost = 0;
  /** Calls that were answered with a refusal, as they should. */
  refusals = 0;
  /** Resources that only one client of a platform may use at a time, because every use affects the outcome. */
  static readonly #taken = new WeakMap<object, Set<string>>();
  protected readonly parts: PaymentPlatform;
  protected readonly random: SeededRandom;

  constructor(parts: PaymentPlatform, random: SeededRandom) {
    this.parts = parts;
    this.random = random;
  }

  /** One payment, from its beginning until the service continues alone. */
  course(): Promise<unknown> {
    return this.random.pick(this.courses())();
  }

  /** The courses, each weighted by how often it is listed. */
  protected courses(): readonly (() => Promise<unknown>)[] {
    return [
      () => this.pay(),
      () => this.pay(),
      () => this.pay(),
      () => this.#payAtOnce(),
      () => this.#payAtOnce(),
      () => this.#payInRealTime(),
      () => this.#transferOut(),
      () => this.#transferIn(),
      () => this.#receive(),
      () => this.#cancel(),
      () => this.#leave(),
      () => this.#payTooMuch(),
      () => this.#payAuthorized(null),
      () => this.#payAuthorized(null),
      () => this.#payAuthorized(null),
      // A passkey numbers its answers: one that arrives after a later one is refused.
      () => this.alone('passkey', () => this.#payAuthorized('PASSKEY')),
      () => this.alone('E', () => this.#payInVain()),
      () => this.alone('E', () => this.#payInVain()),
    ];
  }

  protected async pay(): Promise<void> {
    const from = this.payer();
    const side = this.random.pick(['SENDING', 'RECEIVING'] as const);
    const payment = await this.quote({ from, to: this.#receiver(from), side });
    const how = this.random.pick(['once', 'twice at once', 'with a key'] as const);
    await this.covered(from, payment.price.sent);
    await this.step({ does: 'execute', which: 0, how }, payment);
    if (how === 'with a key') await this.step({ does: 'replay', which: 0 }, payment);
  }

  async #payAtOnce(): Promise<void> {
    const from = this.payer();
    const [to, amount] = [this.#receiver(from), this.amount()];
    await this.covered(from, BigInt(amount));
    await this.quote({ from, to, amount, atOnce: true });
  }

  async #payInRealTime(): Promise<void> {
    const { who, currency } = this.payer();
    const from = { kind: 'REALTIME', who, currency } as const;
    const payment = await this.quote({ from, to: this.outside(who) });
    await this.step({ does: 'send', which: 0, off: this.random.pick([0, 0, 0, 1, -1]) }, payment);
  }

  async #transferOut(): Promise<void> {
    const from = this.payer();
    const [to, amount] = [this.outside(from.who, from.currency), this.amount()];
    await this.covered(from, BigInt(amount));
    await this.step({ does: 'transferOut', from, to, amount });
  }

  async #transferIn(): Promise<void> {
    const to = this.payer();
    await this.step({
      does: 'transferIn',
      from: this.outside(to.who, to.currency),
      to,
      amount: this.amount(),
    });
  }

  /** Answered both over the webhook and by a call, with the same answer: whichever comes first decides. */
  async #receive(): Promise<void> {
    const { site, service, model } = this.parts;
    const { who, currency } = this.payer();
    const [amount, scenario, kills] = [this.amount(), this.random.pick(SCENARIOS), site.kills];
    const payment = await this.step({ does: 'receive', who, currency, scenario, amount, answer: 202 });
    const decision: Step = {
      does: 'decide',
      which: 0,
      decision: isWelcome(amount) ? 'approve' : 'reject',
    };
    const [code] = await service.apply(decision, payment, -1);
    if (code !== 'OK') {
      assert.equal(code, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL');
      if (site.kills > kills && (await this.#isTimedOut(payment))) {
        this.questionsLost++;
        return;
      }
    }
    assert.deepEqual(model.apply(decision, payment), ['OK']);
  }

  /** A call that is too late may arrive before the timer has run. */
  async #isTimedOut(payment: Payment | undefined): Promise<boolean> {
    const { service } = this.parts;
    const id = service.transactionIds.get(payment?.n ?? -1) ?? '';
    for (const deadline = Date.now() + TIMER_MS; Date.now() < deadline; await delay(LOOK_MS)) {
      const { status, failureReason } = await readTransaction(service.platform, id);
      if (status !== 'PENDING') return failureReason === 'PAYMENT_APPROVAL_TIMED_OUT';
    }
    return false;
  }

  /** Six minutes pass before this payment would be delivered. */
  async #cancel(): Promise<void> {
    const from = { ...this.payer(), currency: 'USD' } as const;
    const payment = await this.quote({ from, to: { ...this.outside(from.who, 'EUR'), suffix: '003' } });
    await this.covered(from, payment.price.sent);
    await this.step({ does: 'execute', which: 0, how: 'once' }, payment);
    await this.step({ does: 'cancel', which: 0 }, payment);
  }

  /** A quote that is not executed. */
  async #leave(): Promise<void> {
    const from = this.payer();
    await this.quote({ from, to: this.outside(from.who) });
  }

  /** Pays out of an account that is always empty. */
  async #payTooMuch(): Promise<void> {
    const from = { ...this.payer(), currency: 'USDC' } as const;
    const payment = await this.quote({ from, to: this.outside(from.who), amount: 5_000_000 });
    await this.step({ does: 'execute', which: 0, how: 'once' }, payment);
    assert.equal(payment.isExecuted, false);
  }

  /** A payment that its customer authorizes, perhaps after a resent message, or does not. */
  async #payAuthorized(factor: RequestedFactor): Promise<void> {
    const payment = await this.#payWaiting('D', this.#askedSource(), factor);
    const answers = this.random.between(0, 3);
    if (factor === null && this.random.between(0, 2) === 0) await this.#whileWaiting(payment, RESEND);
    // One of two concurrent answers is refused, unless another question follows. A passkey answers only one question.
    const times = factor === null ? this.random.pick([1, 1, 2]) : 1;
    for (let i = 0; i < answers; i++) await this.#whileWaiting(payment, { ...AUTHORIZE, times });
    const isFundable = payment.from.kind === 'REALTIME' && payment.status === 'PENDING';
    if (isFundable) await this.step({ does: 'send', which: 0, off: 0 }, payment);
  }

  async #whileWaiting(payment: Payment, step: Step): Promise<void> {
    if (payment.status === WAITING) await this.step(step, payment);
  }

  /** Payments that wait until a reset of the password voids them all. */
  async #payInVain(): Promise<void> {
    for (let count = this.random.between(1, 3); count > 0; count--) {
      const payment = await this.#payWaiting('E', this.#askedSource(), null);
      assert.equal(payment.status, WAITING);
    }
    await this.step({ does: 'record', who: 'E', event: 'RESET_PASSWORD_COMPLETED', times: 1 });
  }

  async #payWaiting(who: 'D' | 'E', source: SourceChoice, factor: RequestedFactor): Promise<Payment> {
    const from = { ...source, who };
    const to = this.#askedReceiver(from);
    const [amount, atOnce] = [this.amount(), this.random.between(0, 1) === 0];
    const isInside = from.kind === 'INSIDE';
    if (isInside && atOnce) await this.covered(from, BigInt(amount));
    const payment = await this.quote({ from, to, amount, atOnce, factor });
    if (from.kind === 'REALTIME' || atOnce) return payment;
    if (isInside) await this.covered(from, payment.price.sent);
    const how = this.random.pick(['once', 'twice at once', 'with a key'] as const);
    await this.step({ does: 'execute', which: 0, how, factor }, payment);
    return payment;
  }

  /** Pulled money goes to another external account of the same customer; everything else to any receiver. */
  #askedReceiver({ kind, who, currency }: Inside | ProviderChecks | Realtime): Inside | ProviderChecks {
    const customer = who as Customer;
    if (kind === 'OUTSIDE') return this.outside(customer, currency === 'USD' ? 'EUR' : 'USD');
    return this.random.between(0, 3) === 0 ? A_USD : this.outside(customer);
  }

  #askedSource(): SourceChoice {
    const currency = this.random.pick(['USD', 'USD', 'EUR'] as const);
    const kind = this.random.pick(['INSIDE', 'INSIDE', 'OUTSIDE', 'REALTIME'] as const);
    return kind === 'OUTSIDE' ? { kind, currency, suffix: this.random.pick(SUFFIXES) } : { kind, currency };
  }

  /** Chooses another course if another client uses the resource. */
  protected async alone(what: string, course: () => Promise<unknown>): Promise<unknown> {
    const taken = PaymentClient.#taken.get(this.parts) ?? new Set();
    PaymentClient.#taken.set(this.parts, taken);
    if (taken.has(what)) return this.pay();
    taken.add(what);
    await course();
    return taken.delete(what);
  }

  protected async quote(
    wish: Pick<Extract<Step, { does: 'quote' }>, 'from' | 'to'> & {
      readonly amount?: number;
      readonly side?: 'SENDING' | 'RECEIVING';
      readonly atOnce?: boolean;
      readonly factor?: RequestedFactor;
    },
  ): Promise<Payment> {
    const hasFee = wish.from.currency === 'USD' && this.random.between(0, 2) === 0;
    const step: Step = {
      does: 'quote',
      side: 'SENDING',
      amount: this.amount(),
      atOnce: false,
      fee: hasFee ? { bps: 30, fixed: 5 } : null,
      ...wish,
    };
    const payment = await this.step(step);
    assert.ok(payment, `no quote came of ${JSON.stringify(step)}`);
    return payment;
  }

  /** Waits until the model has enough money; there must be no await between this and the spending. */
  protected async covered({ who, currency }: Inside, amount: bigint): Promise<void> {
    while (this.parts.model.spendable(who, currency) < amount) {
      await this.step({ does: 'fund', to: { kind: 'INSIDE', who, currency }, amount: FUNDING });
    }
  }

  /** Returns the resulting payment, if any. The answers must equal the model's. */
  protected async step(step: Step, target?: Payment): Promise<Payment | undefined> {
    const { service, model } = this.parts;
    const n = model.payments.length;
    const predict = () => [model.apply(step, target), model.payments[n]] as const;
    if (step.does === 'fund' || step.does === 'record') {
      assert.deepEqual(await service.apply(step, target, n), ['OK']);
      predict();
      return undefined;
    }
    const [expected, made] = predict();
    const answered = await this.asked(step, target, n);
    assert.deepEqual(answered, expected, JSON.stringify({ step, target: target?.n }));
    return made;
  }

  /** The service's answer; if the model cannot know it beforehand, it is told afterwards. */
  protected async asked(step: Step, target: Payment | undefined, n = -1): Promise<string[]> {
    const answered = await this.parts.service.apply(step, target, n);
    this.refusals += answered.filter((code) => code !== 'OK').length;
    return answered;
  }

  protected payer(): Inside & { readonly who: 'A' | 'B'; readonly currency: 'USD' | 'EUR' } {
    const who = this.random.pick(['A', 'B'] as const);
    return { kind: 'INSIDE', who, currency: this.random.pick(['USD', 'USD', 'EUR'] as const) };
  }

  #receiver(from: Inside): Inside | ProviderChecks | { kind: 'UMA'; scenario: (typeof SCENARIOS)[number] } {
    const kind = this.random.between(0, 9);
    if (kind === 0) return { kind: 'UMA', scenario: this.random.pick(SCENARIOS) };
    if (kind > 2) return this.outside(from.who as 'A' | 'B');
    const who = this.random.pick((['A', 'B', 'P'] as const).filter((other) => other !== from.who));
    return { kind: 'INSIDE', who, currency: this.random.pick(['USD', 'EUR'] as const) };
  }

  protected outside(
    who: Customer,
    currency: 'USD' | 'EUR' = this.random.pick(['USD', 'EUR']),
  ): ProviderChecks {
    return { kind: 'OUTSIDE', who, currency, suffix: this.random.pick(SUFFIXES) };
  }

  protected amount(): number {
    return this.random.between(200, AMOUNT_MAX);
  }
}

export interface Load {
  /** Waits until this many more courses have finished. */
  more(courses: number): Promise<void>;
  done(): number;
}

/** Keeps all clients busy while `steps` runs, then lets each finish its current payment. */
export async function underLoad(clients: readonly Client[], steps: (load: Load) => Promise<void>) {
  let [isOver, done] = [false, 0];
  const waiting: { count: number; reached(): void }[] = [];
  const loops = clients.map(async (client) => {
    while (!isOver) {
      await client.course();
      done++;
      for (const { count, reached } of waiting) if (done >= count) reached();
    }
  });
  const more = (courses: number) =>
    new Promise<void>((reached) => void waiting.push({ count: done + courses, reached }));
  const all = Promise.all(loops);
  try {
    // A client that finds something wrong ends the drill at once.
    await Promise.race([steps({ more, done: () => done }), all]);
  } finally {
    isOver = true;
  }
  await all;
}
