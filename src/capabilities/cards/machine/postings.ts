import { availAccountOf, holdAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import { credit, debit, dropZeroLines, type Line } from '#foundation/ledger/entries.ts';
import type { GuardedAccount } from '#foundation/ledger/kinds.ts';
import { smaller } from '#foundation/lib/money.ts';

/** The lines of card entries (cards.md §7, money.md §11), in the smallest unit of the account's currency. */

/** The account of a row, and the row itself, which owes an amount that could not be pulled. */
export interface PostedRow {
  readonly id: TransactionId;
  readonly account_id: AccountId;
  readonly account_currency: string;
}

/** money.md §11.L16: places a hold, or releases it with the sides exchanged. */
export function hold({ account_id: id, account_currency: currency }: PostedRow, amount: bigint): Line[] {
  return [debit(availAccountOf(id), currency, amount), credit(holdAccountOf(id), currency, amount)];
}

/** money.md §11.L17: the captured hold, and the amount pulled beyond it, are owed to the network from now on. */
export function clear(row: PostedRow, captured: bigint, pulled: bigint): Line[] {
  const { account_id: id, account_currency: currency } = row;
  return dropZeroLines([
    debit(holdAccountOf(id), currency, captured),
    debit(availAccountOf(id), currency, pulled),
    credit(networkAccountOf(currency), currency, captured + pulled),
  ]);
}

/**
 * money.md §11.L23: the network has been paid, but the account does not cover the amount: the row itself owes it
 * (cards.md §7.1).
 */
export function shortfall(row: PostedRow, amount: bigint): Line[] {
  const { account_currency: currency } = row;
  return dropZeroLines([
    debit(receivableAccountOf(row), currency, amount),
    credit(networkAccountOf(currency), currency, amount),
  ]);
}

/** The other debt of the account's owner, which a card's credit repays first (money.md §11.b). */
export interface OwnersDebt {
  readonly account: GuardedAccount;
  readonly balance: bigint;
}

/** money.md §11.L18: money comes back. It repays the purchase's debt first, then the owner's other debt. */
export function creditBack(
  row: PostedRow,
  amount: bigint,
  purchase: { readonly row: PostedRow; readonly owed: bigint } | undefined,
  debt: OwnersDebt | undefined,
): Line[] {
  const { account_id: id, account_currency: currency } = row;
  const forPurchase = purchase ? smaller(purchase.owed, amount) : 0n;
  const forDebt = debt ? smaller(debt.balance, amount - forPurchase) : 0n;
  return dropZeroLines([
    debit(networkAccountOf(currency), currency, amount),
    ...(purchase ? [credit(receivableAccountOf(purchase.row), currency, forPurchase)] : []),
    ...(debt ? [credit(debt.account, currency, forDebt)] : []),
    credit(availAccountOf(id), currency, amount - forPurchase - forDebt),
  ]);
}

/** money.md §11.L20: the credit waits in suspense, because its account is closed. */
export function suspendCredit({ account_currency: currency }: PostedRow, amount: bigint): Line[] {
  return dropZeroLines([
    debit(networkAccountOf(currency), currency, amount),
    credit(`SUSPENSE:${currency}`, currency, amount),
  ]);
}

/** money.md §11.L24: a return is reversed. */
export function takeBack({ account_id: id, account_currency: currency }: PostedRow, amount: bigint): Line[] {
  return dropZeroLines([
    debit(availAccountOf(id), currency, amount),
    credit(networkAccountOf(currency), currency, amount),
  ]);
}

/** money.md §11.L25: the operator collects a row's debt from the account. */
export function collect(row: PostedRow, amount: bigint): Line[] {
  const { account_id: id, account_currency: currency } = row;
  return [debit(availAccountOf(id), currency, amount), credit(receivableAccountOf(row), currency, amount)];
}

/** money.md §11.L22: an uncollectable debt is written off against our fees. */
export function writeOff(row: PostedRow, amount: bigint): Line[] {
  const { account_currency: currency } = row;
  return [debit(`FEES:${currency}`, currency, amount), credit(receivableAccountOf(row), currency, amount)];
}

/** The ledger account of one card transaction's debt. */
export function receivableAccountOf({ id, account_currency }: PostedRow): `RECEIVABLE:${string}` {
  return `RECEIVABLE:${id}:${account_currency}`;
}

function networkAccountOf(currency: string): `RAIL:${string}` {
  return `RAIL:CARD:${currency}`;
}
