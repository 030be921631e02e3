import { availOf } from '#accounts/ledger-accounts.ts';
import type { Account, GuardedAccount } from '#ledger/accounts.ts';
import type { Line } from '#ledger/entries.ts';
import { smaller } from '#lib/money.ts';
import { type Fixed, isCrossCurrency, netAmount } from '#payments/row.ts';

/** The lines of each kind of entry (money.md §11): pure. Lines of zero are left out (money.md §11.a). */

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

/** What a credit to an internal account goes to first: its owner's debt to us, if there is one (money.md §11.b). */
export interface Debt {
  readonly account: GuardedAccount;
  readonly balance: bigint;
}

/** L1: money came in for an internal account. */
export function deposit(to: string, rail: string, currency: string, amount: bigint, debt?: Debt): Line[] {
  return [debit(railOf(rail, currency), currency, amount), ...credited(to, currency, amount, debt)];
}

/** L2: the payer's money leaves the spendable balance. */
export function execute(row: Amounts & Pick<Fixed, 'source_account'>): Line[] {
  const { sending_currency: currency, sending_amount: amount } = row;
  return [
    debit(availOf(row.source_account ?? ''), currency, amount),
    credit(inflightOf(row), currency, amount),
  ];
}

/** L4, and L5 for a pull: the payer's money arrives from outside for a payment. */
export function fund(row: Amounts, rail: string, amount: bigint): Line[] {
  const { sending_currency: currency } = row;
  return [debit(railOf(rail, currency), currency, amount), credit(inflightOf(row), currency, amount)];
}

/** L6: fees are ours, and the rest becomes the receiving currency. Nothing to post within one currency without a fee. */
export function convert(row: Amounts): Line[] {
  const { sending_currency: from, receiving_currency: to, service_fee: fee } = row;
  if (!isCrossCurrency(row)) {
    return fee === 0n ? [] : [debit(inflightOf(row), from, fee), credit(`FEES:${from}`, from, fee)];
  }
  return present([
    debit(inflightOf(row), from, row.sending_amount - row.platform_fee),
    debit(`FX:${to}`, to, row.receiving_amount),
    credit(`FEES:${from}`, from, fee),
    credit(`FX:${from}`, from, netAmount(row)),
    credit(inflightOf(row), to, row.receiving_amount),
  ]);
}

/** Where money goes: over a rail, or to an internal account. */
export type Receiver =
  | { readonly rail: string }
  | { readonly internal: string; readonly debt?: Debt | undefined };

/** L7: the receiver has the money, and the platform its fee. */
export function deliver(row: Amounts, receiver: Receiver, feeDebt?: Debt): Line[] {
  const { receiving_currency: to, receiving_amount: amount, sending_currency: from, platform_fee: fee } = row;
  const isOneCredit = 'internal' in receiver && receiver.internal === row.fee_account && from === to;
  const received = isOneCredit ? amount + fee : amount;
  const owed = feeDebt && 'internal' in receiver ? leftOf(feeDebt, receiver.debt, received) : feeDebt;
  const feeOut = fee === 0n || isOneCredit ? [] : credited(row.fee_account ?? '', from, fee, owed);
  return merged([
    debit(inflightOf(row), to, amount),
    ...present([debit(inflightOf(row), from, fee)]),
    ...paidTo(receiver, to, received),
    ...feeOut,
  ]);
}

/** What can be taken back from an internal account, and where the rest is noted (money.md §11.b). */
export interface TakeBack {
  /** What the account's AVAIL holds. */
  readonly available: bigint;
  readonly receivable: GuardedAccount;
}

/** L8: the bank returned it. The platform's fee is taken back, as far as it is there. */
export function takeReturn(row: Amounts, rail: string, feeBack: TakeBack | undefined): Line[] {
  const { receiving_currency: to, receiving_amount: amount, sending_currency: from, platform_fee: fee } = row;
  const lines = [debit(railOf(rail, to), to, amount), credit(inflightOf(row), to, amount)];
  if (fee === 0n || feeBack === undefined) return lines;
  return merged([
    ...lines,
    ...takenBack(row.fee_account ?? '', from, fee, feeBack),
    credit(inflightOf(row), from, fee),
  ]);
}

/** L10: it is owed back. */
export function oweRefund(row: Amounts, amount: bigint): Line[] {
  const { sending_currency: currency } = row;
  return [debit(inflightOf(row), currency, amount), credit(refundPayableOf(row), currency, amount)];
}

/** L11: it is paid back, to an internal account, be it frozen (money.md §11.c), or over the rail. */
export function payRefund(row: Amounts, amount: bigint, to: Receiver): Line[] {
  const { sending_currency: currency } = row;
  return [debit(refundPayableOf(row), currency, amount), ...paidTo(to, currency, amount)];
}

/** L12: it cannot be paid back, and waits for a person. */
export function suspendRefund(row: Amounts, amount: bigint): Line[] {
  const { sending_currency: currency } = row;
  return [debit(refundPayableOf(row), currency, amount), credit(`SUSPENSE:${currency}`, currency, amount)];
}

/** L20: it came, and nobody can be credited with it. */
export function suspend(rail: string, currency: string, amount: bigint): Line[] {
  return [debit(railOf(rail, currency), currency, amount), credit(`SUSPENSE:${currency}`, currency, amount)];
}

/** L21: a person knows where it belongs. */
export function leaveSuspense(currency: string, amount: bigint, to: Receiver): Line[] {
  return [debit(`SUSPENSE:${currency}`, currency, amount), ...paidTo(to, currency, amount)];
}

/** L22: a debt that nobody will pay is our loss, out of what we earn in that currency. */
export function writeOffDebt(debtor: GuardedAccount, currency: string, amount: bigint): Line[] {
  return [debit(`FEES:${currency}`, currency, amount), credit(debtor, currency, amount)];
}

/** L19: a collected pull was reversed after the credit. Receiver, platform and we give back what each of them got. */
export function reverseCollection(
  row: Amounts,
  from: string,
  rail: string,
  back: TakeBack,
  feeBack: TakeBack | undefined,
): Line[] {
  const { sending_currency: currency, sending_amount: amount, platform_fee: fee } = row;
  const isOneAccount = from === row.fee_account;
  const received = isOneAccount ? row.receiving_amount + fee : row.receiving_amount;
  return merged([
    ...takenBack(from, currency, received, back),
    ...(isOneAccount || !feeBack ? [] : takenBack(row.fee_account ?? '', currency, fee, feeBack)),
    ...present([debit(`FEES:${currency}`, currency, row.service_fee)]),
    credit(railOf(rail, currency), currency, amount),
  ]);
}

/** L19 behind an outgoing payment: there is no account to take it from, so the owner owes it. */
export function oweCollection(row: Amounts, rail: string, owner: GuardedAccount): Line[] {
  const { sending_currency: currency, sending_amount: amount } = row;
  return [debit(owner, currency, amount), credit(railOf(rail, currency), currency, amount)];
}

/** The word in RAIL:<rail>:<currency> that a payment's money comes in over. */
export function railIn({ details }: Pick<Fixed, 'details'>): string {
  return details.fundingRail ?? 'UNKNOWN';
}

/** The same for what goes out. */
export function railOut({ details }: Pick<Fixed, 'details'>): string {
  return details.payoutRail ?? 'UNKNOWN';
}

export function inflightOf({ id }: Pick<Fixed, 'id'>): `INFLIGHT:${string}` {
  return `INFLIGHT:${id}`;
}

export function refundPayableOf({ id }: Pick<Fixed, 'id'>): `REFUND_PAYABLE:${string}` {
  return `REFUND_PAYABLE:${id}`;
}

function railOf(rail: string, currency: string): `RAIL:${string}:${string}` {
  return `RAIL:${rail}:${currency}`;
}

/** The debt of a customer, or of the platform, in one currency. */
export function receivableOf(ownerId: string, currency: string): `RECEIVABLE:${string}:${string}` {
  return `RECEIVABLE:${ownerId}:${currency}`;
}

function paidTo(to: Receiver, currency: string, amount: bigint): Line[] {
  if ('rail' in to) return [credit(railOf(to.rail, currency), currency, amount)];
  return credited(to.internal, currency, amount, to.debt);
}

/** A credit to an internal account, after what its owner owes us (money.md §11.b). */
function credited(to: string, currency: string, amount: bigint, debt: Debt | undefined): Line[] {
  const repaid = debt === undefined ? 0n : smaller(debt.balance, amount);
  return present([
    ...(debt === undefined ? [] : [credit(debt.account, currency, repaid)]),
    credit(availOf(to), currency, amount - repaid),
  ]);
}

/** Of a debt that two credits of one entry go to, what the first leaves to the second. */
function leftOf(debt: Debt, first: Debt | undefined, amount: bigint): Debt {
  if (first?.account !== debt.account) return debt;
  return { ...debt, balance: debt.balance - smaller(first.balance, amount) };
}

function takenBack(from: string, currency: string, amount: bigint, back: TakeBack): Line[] {
  const there = smaller(back.available, amount);
  return present([debit(availOf(from), currency, there), debit(back.receivable, currency, amount - there)]);
}

function debit(account: Account, currency: string, amount: bigint): Line {
  return { account, currency, side: 'DEBIT', amount };
}

function credit(account: Account, currency: string, amount: bigint): Line {
  return { account, currency, side: 'CREDIT', amount };
}

function present(lines: Line[]): Line[] {
  return lines.filter(({ amount }) => amount > 0n);
}

/** One line per account and side: within one currency R and Fp leave the same INFLIGHT. */
function merged(lines: Line[]): Line[] {
  const byPlace = new Map<string, Line>();
  for (const line of lines) {
    const place = `${line.account} ${line.currency} ${line.side}`;
    const known = byPlace.get(place);
    byPlace.set(place, known ? { ...known, amount: known.amount + line.amount } : line);
  }
  return [...byPlace.values()];
}
