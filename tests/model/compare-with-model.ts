import assert from 'node:assert/strict';
import { type AccountReply, inCurrency } from '#tests/given/accounts.ts';
import { type MoneyModel, type Payment, takenBack } from '#tests/model/money-model.ts';
import { CURRENCIES, type MoneyService, type PaymentReply } from '#tests/model/money-service.ts';
import { EVERYBODY, type ScaCustomer, type Who } from '#tests/model/steps.ts';

/** The event types of each resource, in order, without the part before the dot. */
export type EventsByPayment = ReadonlyMap<string, readonly string[]>;

export type Balances = Readonly<Record<Who, readonly AccountReply[]>>;

export function agreeOnBalances(accounts: Balances, model: MoneyModel, told: EventsByPayment): void {
  for (const who of EVERYBODY) {
    for (const currency of CURRENCIES) {
      const { id, balance, totalBalance } = inCurrency(accounts[who], currency);
      const spendable = model.spendable(who, currency);
      const { hold, pendingIn, told: expected, wasOwed } = model.account(who, currency);
      const name = `${who}:${currency}`;
      assert.deepEqual(
        [BigInt(balance.amount), BigInt(totalBalance.amount)],
        [spendable, spendable + hold + pendingIn],
        `balance and total balance of ${name}`,
      );
      if (wasOwed) continue;
      const updates = told.get(id)?.filter((type) => type === 'BALANCE_UPDATED').length ?? 0;
      assert.equal(updates, expected, `BALANCE_UPDATED of ${name}`);
    }
  }
}

/** The authentication state of a customer under SCA, in seconds since midnight of the first day. */
export interface ProofsSnapshot {
  readonly failures: number;
  readonly lockedUntil: number | null;
  readonly isSuspended: boolean;
  readonly sessions: number;
  readonly trusted: number;
}

export function agreeOnProofs(seen: Readonly<Record<ScaCustomer, ProofsSnapshot>>, model: MoneyModel): void {
  for (const who of ['D', 'E'] as const) {
    const proofs = model.proofs(who);
    const expected: ProofsSnapshot = {
      failures: proofs.failures,
      lockedUntil: proofs.lockedUntil(model.now),
      isSuspended: proofs.isSuspended,
      sessions: proofs.sessions(model.now).length,
      trusted: proofs.trusted.size,
    };
    assert.deepEqual(seen[who], expected, `failures, lock, sessions and trust of ${who}`);
  }
}

/** Asserts that every payment equals the model's, and that there are no others except those that arrived by themselves. */
export function agreeOnPayments(
  service: MoneyService,
  model: MoneyModel,
  listed: readonly PaymentReply[],
  told: EventsByPayment,
): void {
  const rows = new Map(listed.map((row) => [row.id, row]));
  assert.equal(rows.size, listed.length, 'no transaction is listed twice');
  for (const payment of model.payments) {
    const id = service.transactionIds.get(payment.n) ?? '';
    const row = rows.get(id);
    assert.ok(row, `payment ${payment.n} is listed`);
    agreeOnPayment(payment, row, told.get(id) ?? []);
    assert.equal(service.whoIs(row.customerId), payment.owner, `owner of payment ${payment.n}`);
    rows.delete(id);
  }
  const arrivals = [...rows.values()].map((row) => describeArrival(service, row, told.get(row.id) ?? []));
  const [came, should] = [arrivals.toSorted(), model.arrivals.toSorted()];
  if (came.join() !== should.join()) assert.deepEqual(came, should);
}

/** Compared as text first, which is cheap and usually enough. */
export function agreeOnPayment(payment: Payment, row: PaymentReply, events: readonly string[]): void {
  const { type, status, failureReason, pendingReason, refund } = row;
  const { reason, refund: expected } = payment;
  const stands = [type, status, failureReason, pendingReason, refund?.status, refund?.reason];
  const should = [
    ...[payment.type, payment.status, reason, payment.pendingReason, expected?.status, expected?.reason],
    ...[expected && String(expected.amount), ...payment.events],
  ];
  stands.push(refund && String(refund.amount.amount), ...events);
  if (stands.join() !== should.join()) assert.deepEqual(stands, should, `payment ${payment.n}`);
}

/** A transaction that no step asked for by itself: a deposit, or the receiver's view of a payment. */
function describeArrival(service: MoneyService, row: PaymentReply, events: readonly string[]): string {
  const { amount, currency } = row.receivedAmount ?? { amount: 0, currency: { code: '' } };
  const came = `${service.whoIs(row.customerId)} ${amount} ${currency.code} of ${row.sentAmount?.amount}`;
  const course = [row.type, row.status, row.failureReason, ...events];
  if (row.status === 'FAILED') {
    assert.deepEqual(course, ['INCOMING', 'FAILED', row.failureReason, 'COMPLETED', 'FAILED']);
    return takenBack(came, row.failureReason ?? '');
  }
  assert.deepEqual(course, ['INCOMING', 'COMPLETED', undefined, 'COMPLETED']);
  return came;
}
