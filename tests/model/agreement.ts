import assert from 'node:assert/strict';
import { inCurrency } from '#tests/given-accounts.ts';
import type { MoneyModel, Payment } from '#tests/model/money-model.ts';
import { CURRENCIES, type MoneyService, type Seen } from '#tests/model/money-service.ts';

/** What was told of each resource, in order, without what stands before the dot. */
export type Told = ReadonlyMap<string, readonly string[]>;

export function agreeOnBalances(
  accounts: Awaited<ReturnType<MoneyService['accounts']>>,
  model: MoneyModel,
  told: Told,
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

/** Every payment stands where the model has it, and there is nothing beside them but what arrived by itself. */
export function agreeOnPayments(
  service: MoneyService,
  model: MoneyModel,
  listed: readonly Seen[],
  told: Told,
): void {
  const rows = new Map(listed.map((row) => [row.id, row]));
  assert.equal(rows.size, listed.length, 'no transaction is listed twice');
  for (const payment of model.payments) {
    const id = service.transactionIds.get(payment.n) ?? '';
    const row = rows.get(id);
    assert.ok(row, `payment ${payment.n} is listed`);
    assert.deepEqual(standingOf(row, told.get(id) ?? []), standingOfModel(payment), `payment ${payment.n}`);
    rows.delete(id);
  }
  const arrivals = [...rows.values()].map((row) => arrivalOf(service, row, told.get(row.id) ?? []));
  assert.deepEqual(arrivals.toSorted(), model.arrivals.toSorted());
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
