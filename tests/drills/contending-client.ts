import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { PaymentClient } from '#tests/drills/payment-load.ts';
import { readTransaction } from '#tests/given/payments.ts';
import { command } from '#tests/harness/command-line.ts';
import type { Payment } from '#tests/model/money-model.ts';
import type { Inside, Step } from '#tests/model/steps.ts';

const LOOK_MS = 100;
/** The sandbox delivers after a second: a cancellation from about then on may come first or not. */
const DELIVERY_MS = [850, 1_250] as const;
const SCRAMBLERS = 6;
/** The operator's command is a separate process, which takes processor time from the others. */
const FROZEN_EVERY = 12;
/** USDC is counted in millionths. */
const MILLIONTHS_OF_CENT = 10_000;
const PURSE: Inside = { kind: 'INSIDE', who: 'P', currency: 'USDC' };

/**
 * A client that also contends with itself, with the workers and with the operator. The answers tell who wins such a race.
 * The model checks that someone wins, how many can win, and everything that follows.
 */
export class ContendingClient extends PaymentClient {
  protected override courses() {
    return [
      ...super.courses(),
      () => this.#deposit(),
      () => this.#cancelLate(),
      () => this.#cancelLate(),
      () => this.alone('purse', () => this.#scramble()),
      () => this.alone('purse', () => this.#scramble()),
      () => this.alone('C', () => this.#closeReceiver()),
    ];
  }

  #deposit(): Promise<unknown> {
    return this.step({ does: 'fund', to: this.payer(), amount: this.amount() });
  }

  /** A cancellation at the moment at which a worker delivers. */
  async #cancelLate(): Promise<void> {
    const from = { ...this.payer(), currency: 'USD' } as const;
    const payment = await this.quote({ from, to: { ...this.outside(from.who, 'EUR'), suffix: '115' } });
    await this.covered(from, payment.price.sent);
    await this.step({ does: 'execute', which: 0, how: 'once' }, payment);
    await delay(this.random.between(...DELIVERY_MS));
    const cancel: Step = { does: 'cancel', which: 0 };
    const answered = await this.asked(cancel, payment);
    if (answered[0] !== 'OK') this.parts.model.finish(payment);
    assert.deepEqual(this.parts.model.apply(cancel, payment), answered);
  }

  /** Several payments at the same time out of an account that has enough for some, now and then while it is frozen. */
  async #scramble(): Promise<void> {
    const { model } = this.parts;
    const amount = this.amount() * MILLIONTHS_OF_CENT;
    const to = { kind: 'OUTSIDE', who: 'P', currency: 'USD', suffix: '115' } as const;
    const some = Array.from({ length: SCRAMBLERS }, () => this.quote({ from: PURSE, to, amount }));
    const payments = await Promise.all(some);
    const lacking = amount * this.random.between(0, SCRAMBLERS - 1) - Number(model.spendable('P', 'USDC'));
    if (lacking > 0) await this.step({ does: 'fund', to: PURSE, amount: lacking });
    const how = this.random.pick(['once', 'twice at once'] as const);
    const execute: Step = { does: 'execute', which: 0, how };
    const isFrozen = this.random.between(1, FROZEN_EVERY) === 1;
    const frozen = isFrozen ? this.#operate('freeze') : undefined;
    // The operator's command takes this long to start; the answers tell which payments it stops.
    if (isFrozen) await delay(this.random.between(300, 1_200));
    const answers = await Promise.all(payments.map((payment) => this.asked(execute, payment)));
    await frozen;
    if (isFrozen) await this.#operate('unfreeze');
    this.#believe(execute, payments, answers);
  }

  /** Applies the successful payments first; the failures of the others then follow, except for a frozen account. */
  #believe(execute: Step, payments: readonly Payment[], answers: readonly string[][]): void {
    const { model } = this.parts;
    const answered = payments.map((payment, i) => [payment, answers[i] as string[]] as const);
    const isPaid = ([, codes]: (typeof answered)[number]) => codes.includes('OK');
    for (const [payment, codes] of answered.filter(isPaid)) {
      assert.deepEqual(model.apply(execute, payment), codes);
    }
    for (const one of answered) {
      const [payment, codes] = one;
      if (isPaid(one) || codes.includes('USER_NOT_READY')) continue;
      assert.deepEqual(model.apply(execute, payment), codes);
    }
  }

  async #operate(action: 'freeze' | 'unfreeze'): Promise<void> {
    const { site, service, platform } = this.parts;
    const which = ['--platform', `Platform:${platform.id}`, '--reason', 'drill'];
    const words = ['account', action, service.insideId(PURSE), ...which];
    const { code, stderr } = await command(words, site.environment);
    assert.equal(code, 0, stderr);
  }

  /** A payment and the deletion of its receiver, at the same time. If it was paid, the receiver leaves with its balance. */
  async #closeReceiver(): Promise<void> {
    const { model } = this.parts;
    const from = this.payer();
    const account = { kind: 'INSIDE', who: 'C', currency: 'USD' } as const;
    const payment = await this.quote({ from, to: account });
    // The money is deposited before, and the model learns of it afterwards, so that no other client spends it.
    const fund: Step = { does: 'fund', to: from, amount: Number(payment.price.sent) };
    assert.deepEqual(await this.asked(fund, undefined), ['OK']);
    const race: Step = { does: 'race', which: 0, between: 'payment and deletion of its receiver' };
    const answered = await this.asked(race, payment);
    model.apply(fund, undefined);
    assert.deepEqual(model.apply(race, payment, answered), answered);
    if (!payment.isExecuted) return;
    await this.#finished(payment);
    const to = { kind: 'OUTSIDE', who: 'C', currency: 'USD', suffix: '115' } as const;
    const emptied = await this.step({ does: 'transferOut', from: account, to, amount: null });
    assert.ok(emptied);
    await this.#finished(emptied);
    await this.step({ does: 'remove' });
  }

  /** Waits until the service has finished a payment, then updates the model. */
  async #finished(payment: Payment): Promise<void> {
    const { service, model } = this.parts;
    const id = service.transactionIds.get(payment.n) ?? '';
    while ((await readTransaction(service.platform, id)).status !== 'COMPLETED') await delay(LOOK_MS);
    model.finish(payment);
  }
}
