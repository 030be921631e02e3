import assert from 'node:assert/strict';
import { availAccountOf, holdAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import { creditAccount, type Debt } from '#capabilities/accounts/locked-balances.ts';
import {
  type Fixed,
  feeAccount,
  isCrossCurrency,
  netAmount,
  payerAccount,
} from '#capabilities/payments/row.ts';
import { credit, debit, dropZeroLines, type Line } from '#foundation/ledger/entries.ts';
import type { GuardedAccount } from '#foundation/ledger/kinds.ts';
import { smaller } from '#foundation/lib/money.ts';
import type { Moved } from '#foundation/ports/payments.ts';

/** The lines of each kind of ledger entry (money.md §11). Zero lines are left out (money.md §11.a). */

type Amounts = Pick<
  Fixed,
  | 'id'
  | 'sending_currency'
  | 'sending_amount'
  | 'receiving_currency'
  | 'receiving_amount'
  | 'service_fee'
  | 'platform_fee'
  | 'fee_account'
>;

/** money.md §11.L1: money arrived for an internal account. */
export function deposit(to: string, rail: string, currency: string, amount: bigint, debt?: Debt): Line[] {
  return [debit(railAccount(rail, currency), currency, amount), ...creditAccount(to, currency, amount, debt)];
}

/** money.md §11.L2: the payer's money leaves its available balance. */
export function execute(row: Amounts & Pick<Fixed, 'source'>): Line[] {
  const { sending_currency: currency, sending_amount: amount } = row;
  return [
    debit(availAccountOf(payerAccount(row)), currency, amount),
    credit(inflightAccountOf(row), currency, amount),
  ];
}

/** money.md §11.L3a: the payer's money is reserved until the customer has authorized the payment. */
export function hold(row: Amounts & Pick<Fixed, 'source'>): Line[] {
  const { sending_currency: currency, sending_amount: amount } = row;
  return [
    debit(availAccountOf(payerAccount(row)), currency, amount),
    credit(holdAccountOf(payerAccount(row)), currency, amount),
  ];
}

/** money.md §11.L3b: the reserved money leaves the account, as with L2. */
export function capture(row: Amounts & Pick<Fixed, 'source'>): Line[] {
  const { sending_currency: currency, sending_amount: amount } = row;
  return [
    debit(holdAccountOf(payerAccount(row)), currency, amount),
    credit(inflightAccountOf(row), currency, amount),
  ];
}

/** money.md §11.L4 for real-time funds, L5 for a pull: the payer's money arrives for a payment. */
export function fund(row: Amounts, rail: string, amount: bigint): Line[] {
  const { sending_currency: currency } = row;
  return [
    debit(railAccount(rail, currency), currency, amount),
    credit(inflightAccountOf(row), currency, amount),
  ];
}

/** money.md §11.L6: our fee is booked, and the rest is converted. No lines within one currency without a fee. */
export function convert(row: Amounts): Line[] {
  const { sending_currency: from, receiving_currency: to, service_fee: fee } = row;
  if (!isCrossCurrency(row)) {
    return fee === 0n ? [] : [debit(inflightAccountOf(row), from, fee), credit(`FEES:${from}`, from, fee)];
  }
  return dropZeroLines([
    debit(inflightAccountOf(row), from, row.sending_amount - row.platform_fee),
    debit(`FX:${to}`, to, row.receiving_amount),
    credit(`FEES:${from}`, from, fee),
    credit(`FX:${from}`, from, netAmount(row)),
    credit(inflightAccountOf(row), to, row.receiving_amount),
  ]);
}

/** The receiver of money: a rail, or an internal account. */
export type Receiver =
  | { readonly rail: string }
  | { readonly internal: AccountId; readonly debt?: Debt | undefined };

/** money.md §11.L7: the receiver gets the money, and the platform its fee. */
export function deliver(row: Amounts, receiver: Receiver, feeDebt?: Debt): Line[] {
  const { receiving_currency: to, receiving_amount: amount, sending_currency: from, platform_fee: fee } = row;
  const isOneCredit = 'internal' in receiver && receiver.internal === row.fee_account && from === to;
  const received = isOneCredit ? amount + fee : amount;
  const owed = feeDebt && 'internal' in receiver ? remainingDebt(feeDebt, receiver.debt, received) : feeDebt;
  const feeTo = isOneCredit ? undefined : feeAccount(row);
  const feeOut = feeTo === undefined ? [] : creditAccount(feeTo, from, fee, owed);
  return mergeLines([
    debit(inflightAccountOf(row), to, amount),
    ...dropZeroLines([debit(inflightAccountOf(row), from, fee)]),
    ...payTo(receiver, to, received),
    ...feeOut,
  ]);
}

/** The amount that can be reclaimed from an internal account, and the receivable for the rest (money.md §11.b). */
export interface Clawback {
  readonly account: string;
  /** The balance of the account's AVAIL. */
  readonly available: bigint;
  readonly receivable: GuardedAccount;
}

/** money.md §11.L8: the bank returned the payout. The platform's fee is clawed back. */
export function returnPayout(row: Amounts, rail: string, feeClawback: Clawback | undefined): Line[] {
  const { receiving_currency: to, receiving_amount: amount, sending_currency: from, platform_fee: fee } = row;
  const lines = [debit(railAccount(rail, to), to, amount), credit(inflightAccountOf(row), to, amount)];
  if (fee === 0n || feeClawback === undefined) return lines;
  return mergeLines([
    ...lines,
    ...clawBack(from, fee, feeClawback),
    credit(inflightAccountOf(row), from, fee),
  ]);
}

/** money.md §11.L10: a refund is owed. */
export function oweRefund(row: Amounts, amount: bigint): Line[] {
  const { sending_currency: currency } = row;
  return [
    debit(inflightAccountOf(row), currency, amount),
    credit(refundPayableAccountOf(row), currency, amount),
  ];
}

/** money.md §11.L11: the refund is paid over the rail or to an internal account, even a frozen one (money.md §11.c). */
export function payRefund(row: Amounts, amount: bigint, to: Receiver): Line[] {
  const { sending_currency: currency } = row;
  return [debit(refundPayableAccountOf(row), currency, amount), ...payTo(to, currency, amount)];
}

/** money.md §11.L12: the refund cannot be paid and waits for the operator. */
export function suspendRefund(row: Amounts, amount: bigint): Line[] {
  const { sending_currency: currency } = row;
  return [
    debit(refundPayableAccountOf(row), currency, amount),
    credit(`SUSPENSE:${currency}`, currency, amount),
  ];
}

/** money.md §11.L20: money arrived that belongs to no known account. */
export function suspend(rail: string, currency: string, amount: bigint): Line[] {
  return [
    debit(railAccount(rail, currency), currency, amount),
    credit(`SUSPENSE:${currency}`, currency, amount),
  ];
}

/** money.md §11.L21: the operator assigns suspended money. */
export function leaveSuspense(currency: string, amount: bigint, to: Receiver): Line[] {
  return [debit(`SUSPENSE:${currency}`, currency, amount), ...payTo(to, currency, amount)];
}

/** money.md §11.L22: a debt is written off against our fees in that currency. */
export function writeOffDebt(debtor: GuardedAccount, currency: string, amount: bigint): Line[] {
  return [debit(`FEES:${currency}`, currency, amount), credit(debtor, currency, amount)];
}

/**
 * money.md §11.L19: a collected pull was reversed after the credit. Receiver, platform and service each return their
 * part.
 */
export function reverseCollection(
  row: Amounts,
  rail: string,
  back: Clawback,
  feeClawback: Clawback | undefined,
): Line[] {
  const { sending_currency: currency, sending_amount: amount, platform_fee: fee } = row;
  const isOneAccount = back.account === row.fee_account;
  const received = isOneAccount ? row.receiving_amount + fee : row.receiving_amount;
  return mergeLines([
    ...clawBack(currency, received, back),
    ...(isOneAccount || !feeClawback ? [] : clawBack(currency, fee, feeClawback)),
    ...dropZeroLines([debit(`FEES:${currency}`, currency, row.service_fee)]),
    credit(railAccount(rail, currency), currency, amount),
  ]);
}

/** money.md §11.L19 for money that fed an outgoing payment: it has left, so the owner owes it. */
export function oweCollection(row: Amounts, rail: string, amount: bigint, owner: GuardedAccount): Line[] {
  const { sending_currency: currency } = row;
  return [debit(owner, currency, amount), credit(railAccount(rail, currency), currency, amount)];
}

/** The rail in RAIL:<rail>:<currency> over which a payment's money comes in. */
export function fundingRailOf({ id, details: { fundingRail } }: Pick<Fixed, 'id' | 'details'>): string {
  assert(fundingRail !== undefined, `payment ${id} is not funded over a rail`);
  return fundingRail;
}

export function payoutRailOf({ id, details: { payoutRail } }: Pick<Fixed, 'id' | 'details'>): string {
  assert(payoutRail !== undefined, `payment ${id} is not paid out over a rail`);
  return payoutRail;
}

export function inflightAccountOf({ id }: Pick<Fixed, 'id'>): `INFLIGHT:${string}` {
  return `INFLIGHT:${id}`;
}

export function refundPayableAccountOf({ id }: Pick<Fixed, 'id'>): `REFUND_PAYABLE:${string}` {
  return `REFUND_PAYABLE:${id}`;
}

/** The payment's rail or the reported one, with the operator's account at the bank if a connector reported the movement (money.md §11.6). */
export function railThrough(own: string, { rail = own, settlementAccount }: Moved): string {
  return settlementAccount === undefined ? rail : `${rail}:${settlementAccount}`;
}

function railAccount(rail: string, currency: string): `RAIL:${string}:${string}` {
  return `RAIL:${rail}:${currency}`;
}

/** The debt of a customer, or of the platform, in one currency. */
export function receivableAccount(ownerId: string, currency: string): `RECEIVABLE:${string}:${string}` {
  return `RECEIVABLE:${ownerId}:${currency}`;
}

function payTo(to: Receiver, currency: string, amount: bigint): Line[] {
  if ('rail' in to) return [credit(railAccount(to.rail, currency), currency, amount)];
  return creditAccount(to.internal, currency, amount, to.debt);
}

/** Two credits of one entry may repay the same debt. Returns the debt that is left after the first credit. */
function remainingDebt(debt: Debt, first: Debt | undefined, amount: bigint): Debt {
  if (first?.account !== debt.account) return debt;
  return { ...debt, balance: debt.balance - smaller(first.balance, amount) };
}

function clawBack(currency: string, amount: bigint, back: Clawback): Line[] {
  const there = smaller(back.available, amount);
  return dropZeroLines([
    debit(availAccountOf(back.account), currency, there),
    debit(back.receivable, currency, amount - there),
  ]);
}

/** One line per account and side: within one currency R and Fp are debited to the same INFLIGHT. */
function mergeLines(lines: Line[]): Line[] {
  const byPlace = new Map<string, Line>();
  for (const line of lines) {
    const place = `${line.account} ${line.currency} ${line.side}`;
    const known = byPlace.get(place);
    byPlace.set(place, known ? { ...known, amount: known.amount + line.amount } : line);
  }
  return [...byPlace.values()];
}
