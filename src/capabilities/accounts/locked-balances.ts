import { availAccountOf, ledgerAccountsOf } from '#capabilities/accounts/ledger-accounts.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Entry } from '#foundation/ledger/entries.ts';
import { credit, dropZeroLines, type Line } from '#foundation/ledger/entries.ts';
import type { GuardedAccount } from '#foundation/ledger/kinds.ts';
import { effectOf } from '#foundation/ledger/post.ts';
import { lockBalances } from '#foundation/ledger/store.ts';
import { AMOUNT_MAX, smaller } from '#foundation/lib/money.ts';

/** The debt of an internal account's owner; credits repay it first (money.md §11.b). */
export interface Debt {
  readonly account: GuardedAccount;
  readonly balance: bigint;
}

/** An internal account, and the receivable that holds its owner's debt in that currency. */
export interface AccountToLock {
  readonly id: AccountId;
  readonly debtAccount: GuardedAccount;
}

/**
 * Locks the balances of internal accounts and their owners' debts until the transaction ends, so that a credit repays
 * the current debt, and a clawback takes the current balance (money.md §11.b). Debts are read after the balances are
 * locked, so that a debt that arose meanwhile is seen.
 */
export async function lockAccountBalances(
  tx: Tx,
  accounts: readonly AccountToLock[],
): Promise<LockedBalances> {
  if (accounts.length === 0) return lockedBalances(new Map());
  const balances = await lockBalances(
    tx,
    accounts.map(({ id }) => availAccountOf(id)),
  );
  const others = await lockBalances(
    tx,
    accounts.flatMap(({ id, debtAccount }) => [
      debtAccount,
      ...ledgerAccountsOf(id).filter((account) => account !== availAccountOf(id)),
    ]),
  );
  return lockedBalances(new Map([...balances, ...others].map(({ account, balance }) => [account, balance])));
}

export interface LockedBalances {
  /** Zero if there is no such account. */
  balanceOf(account: GuardedAccount): bigint;
  /** The debt in a receivable, if any. */
  debtIn(account: GuardedAccount): Debt | undefined;
  /**
   * Whether an internal account may hold this much more: JSON must be able to state its whole balance exactly
   * (platform.md §1.2.4). If so, the amount is reserved until `record`.
   */
  canHold(accountId: AccountId, amount: bigint): boolean;
  /** Updates the balances by entries of this transaction that are not written yet. */
  record(entries: readonly Entry[]): void;
}

function lockedBalances(balances: Map<string, bigint>): LockedBalances {
  const reserved = new Map<string, bigint>();
  const balanceOf = (account: GuardedAccount) => balances.get(account) ?? 0n;
  return {
    balanceOf,
    debtIn(account) {
      const balance = balanceOf(account);
      return balance > 0n ? { account, balance } : undefined;
    },
    canHold(accountId, amount) {
      const more = (reserved.get(accountId) ?? 0n) + amount;
      const held = ledgerAccountsOf(accountId).reduce((sum, account) => sum + balanceOf(account), 0n);
      if (held + more > AMOUNT_MAX) return false;
      reserved.set(accountId, more);
      return true;
    },
    record(entries) {
      reserved.clear();
      for (const line of entries.flatMap(({ lines }) => lines)) {
        const balance = balances.get(line.account);
        if (balance !== undefined) balances.set(line.account, balance + effectOf(line));
      }
    },
  };
}

/** Credits an internal account with the amount left after its owner's debt is repaid (money.md §11.b). */
export function creditAccount(to: string, currency: string, amount: bigint, debt: Debt | undefined): Line[] {
  const repaid = debt === undefined ? 0n : smaller(debt.balance, amount);
  return dropZeroLines([
    ...(debt === undefined ? [] : [credit(debt.account, currency, repaid)]),
    credit(availAccountOf(to), currency, amount - repaid),
  ]);
}
