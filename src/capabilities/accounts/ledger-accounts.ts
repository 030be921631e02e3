import { type GuardedAccount, kindsOwnedBy } from '#foundation/ledger/kinds.ts';

/** Spendable money of an internal account, by its bare UUID (money.md §11.6). */
export function availAccountOf(accountId: string): `AVAIL:${string}` {
  return `AVAIL:${accountId}`;
}

/** Reserved money of an internal account. */
export function holdAccountOf(accountId: string): `HOLD:${string}` {
  return `HOLD:${accountId}`;
}

/** Money that has arrived and is not released yet. */
export function pendingInAccountOf(accountId: string): `PENDING_IN:${string}` {
  return `PENDING_IN:${accountId}`;
}

const KINDS = kindsOwnedBy('internal account');

/** The accounts whose sum is `totalBalance`. */
export function ledgerAccountsOf(accountId: string): GuardedAccount[] {
  return KINDS.map((name) => `${name}:${accountId}` as GuardedAccount);
}
