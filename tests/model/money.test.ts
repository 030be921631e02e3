import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { inCurrency } from '#tests/given-accounts.ts';
import { testWorld } from '#tests/harness.ts';
import { MoneyModel, type Payment } from '#tests/model/money-model.ts';
import { CURRENCIES, MoneyService, type Seen } from '#tests/model/money-service.ts';
import type { Terms } from '#tests/model/plain-prices.ts';
import { type DrawnTerms, type Step, step, terms } from '#tests/model/steps.ts';

/**
 * Random sequences of everything that moves money, held against a plain model after every step: answers,
 * balances, statuses, refunds, events. `MODEL_SEED` repeats a run, `MODEL_RUNS` lengthens one; a failure shrinks.
 */
describe('money and a plain model of it', () => {
  const world = testWorld();
  const runs = Number(process.env.MODEL_RUNS ?? 25);

  it('money.md §12.9: after each of many random steps the service stands where the model does', async (t) => {
    const seed = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
    t.diagnostic(`MODEL_SEED=${seed}`);
    const seen = new Map<string, number>();
    const property = fc.asyncProperty(
      terms,
      fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }),
      (drawn, steps) => run(drawn, steps, seen),
    );
    await fc.assert(property, { seed, numRuns: runs });
    t.diagnostic(
      [...seen]
        .sort(([, a], [, b]) => b - a)
        .map(([what, count]) => `${count} ${what}`)
        .join(', '),
    );
    for (const what of ['COMPLETED', 'FAILED', 'EXPIRED', 'refund COMPLETED', 'INSUFFICIENT_FUNDS']) {
      assert.ok(seen.has(what), `never came to ${what}`);
    }
  });

  async function run(drawn: DrawnTerms, steps: readonly Step[], seen: Map<string, number>): Promise<void> {
    const count = (what: string) => seen.set(what, 1 + (seen.get(what) ?? 0));
    const service = await MoneyService.open(world, drawn);
    const model = new MoneyModel(inBigInts(drawn));
    for (const [i, next] of [...OPENING, ...steps].entries()) {
      const target = model.target(next);
      if ('which' in next && !target) continue;
      const before = model.payments.length;
      const expected = model.apply(next, target);
      const answered = await service.apply(next, target, before);
      assert.deepEqual(answered, expected, `answers of step ${i}: ${JSON.stringify(next)}`);
      const made = model.payments[before];
      if (next.does === 'quote' && made) assertPriced(service.lastQuote, made);
      await agree(service, model, target ?? made);
      for (const code of [next.does, ...expected]) count(code);
    }
    model.advance(1_000);
    await service.apply({ does: 'advance', seconds: 1_000 }, undefined, -1);
    await agree(service, model, undefined);
    assertDelivered(service, model);
    for (const { status, refund } of model.payments) {
      count(status);
      if (refund) count(`refund ${refund.status}`);
    }
  }
});

/** Something to begin with, so that not everything is refused for want of money. */
const OPENING = (['A', 'B', 'P'] as const).map((who): Step => {
  return { does: 'fund', to: { kind: 'INSIDE', who, currency: 'USD' }, amount: 150_000 };
});

function assertPriced(quote: MoneyService['lastQuote'], { price, currencies }: Payment): void {
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

async function agree(service: MoneyService, model: MoneyModel, touched: Payment | undefined): Promise<void> {
  const reads = [service.told(), service.accounts(), service.transactions()] as const;
  const [told, accounts, listed] = await Promise.all(reads);
  agreeOnBalances(accounts, model, told);
  const rows = new Map(listed.map((row) => [row.id, row]));
  for (const payment of model.payments) {
    const id = service.transactionIds.get(payment.n) ?? '';
    const row = rows.get(id);
    assert.ok(row, `payment ${payment.n} is listed`);
    assert.deepEqual(standingOf(row, told.get(id) ?? []), standingOfModel(payment), `payment ${payment.n}`);
    rows.delete(id);
  }
  const arrivals = [...rows.values()].map((row) => arrivalOf(service, row, told.get(row.id) ?? []));
  assert.deepEqual(arrivals.toSorted(), model.arrivals.toSorted());
  if (touched?.kind === 'QUOTE') {
    assert.equal(await service.quoteStatus(touched.n), quoteStatusOf(touched), `quote ${touched.n}`);
  }
}

function agreeOnBalances(
  accounts: Awaited<ReturnType<MoneyService['accounts']>>,
  model: MoneyModel,
  told: ReadonlyMap<string, readonly string[]>,
): void {
  for (const who of ['A', 'B', 'P'] as const) {
    for (const currency of CURRENCIES) {
      const { id, balance, totalBalance } = inCurrency(accounts[who], currency);
      const spendable = model.spendable(who, currency);
      const { pendingIn, told: expected } = model.account(who, currency);
      const name = `${who}:${currency}`;
      assert.deepEqual(
        [BigInt(balance.amount), BigInt(totalBalance.amount)],
        [spendable, spendable + pendingIn],
        `balance and total balance of ${name}`,
      );
      const updates = told.get(id)?.filter((type) => type === 'BALANCE_UPDATED').length ?? 0;
      assert.equal(updates, expected, `BALANCE_UPDATED of ${name}`);
    }
  }
}

function standingOf(row: Seen, events: readonly string[]) {
  const { type, status, failureReason, pendingReason, refund } = row;
  return {
    type,
    status,
    failureReason,
    pendingReason,
    refund: refund && [refund.status, refund.reason],
    events,
  };
}

function standingOfModel({ type, status, reason, pendingReason, refund, events }: Payment) {
  return {
    type,
    status,
    failureReason: reason,
    pendingReason,
    refund: refund && [refund.status, refund.reason],
    events,
  };
}

/** A transaction that no step asked for by itself: a deposit, or the receiver's view of a payment. */
function arrivalOf(service: MoneyService, row: Seen, events: readonly string[]): string {
  assert.deepEqual([row.type, row.status, ...events], ['INCOMING', 'COMPLETED', 'COMPLETED']);
  const { amount, currency } = row.receivedAmount ?? { amount: 0, currency: { code: '' } };
  return `${service.whoIs(row.customerId)} ${amount} ${currency.code}`;
}

/** money.md §4: one to one, but for an executed pull within one currency. */
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

function inBigInts({ fixed, counterpartyFixed, ...numbers }: DrawnTerms): Terms {
  const each = (amounts: Record<string, number>) =>
    Object.fromEntries(Object.entries(amounts).map(([currency, amount]) => [currency, BigInt(amount)]));
  return {
    crossCurrencyBps: BigInt(numbers.crossCurrencyBps),
    sameCurrencyBps: BigInt(numbers.sameCurrencyBps),
    maxUsdCents: BigInt(numbers.maxUsdCents),
    dailyUsdCents: BigInt(numbers.dailyUsdCents),
    fixed: each(fixed),
    counterpartyFixed: each(counterpartyFixed),
  };
}
