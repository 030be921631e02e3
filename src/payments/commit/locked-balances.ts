import { availOf, ledgerAccountsOf } from '#accounts/ledger-accounts.ts';
import type { Tx } from '#database/tx.ts';
import type { GuardedAccount } from '#ledger/accounts.ts';
import type { Entry } from '#ledger/entries.ts';
import { lockBalances } from '#ledger/owned-balances.ts';
import { effectOf } from '#ledger/writer.ts';
import { AMOUNT_MAX } from '#lib/money.ts';
import type { Debt } from '#payments/machine/postings.ts';

/** An internal account, and where its owner's debt in that currency is noted. */
export interface HeldAccount {
  /** Bare UUID. */
  readonly id: string;
  readonly debtAccount: GuardedAccount;
}

/**
 * What lies in internal accounts and what their owners owe, held until the transaction ends: a credit repays the debt
 * that there is, and what is taken back is taken from what there is (money.md §11.b), whoever else moves money at
 * the same time. Debts are read once the balances are held, so that one which arose meanwhile is seen.
 */
export async function holdMoney(tx: Tx, accounts: readonly HeldAccount[]): Promise<HeldMoney> {
  if (accounts.length === 0) return heldMoney(new Map());
  const balances = await lockBalances(
    tx,
    accounts.map(({ id }) => availOf(id)),
  );
  const others = await lockBalances(
    tx,
    accounts.flatMap(({ id, debtAccount }) => [
      debtAccount,
      ...ledgerAccountsOf(id).filter((account) => account !== availOf(id)),
    ]),
  );
  return heldMoney(new Map([...balances, ...others].map(({ account, balance }) => [account, balance])));
}

export interface HeldMoney {
  /** Zero where there is no such account. */
  balanceOf(account: GuardedAccount): bigint;
  /** What is noted in a debt account, if anything. */
  debtIn(account: GuardedAccount): Debt | undefined;
  /**
   * Whether an internal account can take in this much more: what it holds in all must be a number that JSON says
   * exactly (platform.md §1.2.4). What was granted counts from then on.
   */
  canHold(accountId: string, amount: bigint): boolean;
  /** What entries make of it, for whoever comes after them in the same transaction. */
  follow(entries: readonly Entry[]): void;
}

function heldMoney(balances: Map<string, bigint>): HeldMoney {
  const granted = new Map<string, bigint>();
  const balanceOf = (account: GuardedAccount) => balances.get(account) ?? 0n;
  return {
    balanceOf,
    debtIn(account) {
      const balance = balanceOf(account);
      return balance > 0n ? { account, balance } : undefined;
    },
    canHold(accountId, amount) {
      const more = (granted.get(accountId) ?? 0n) + amount;
      const held = ledgerAccountsOf(accountId).reduce((sum, account) => sum + balanceOf(account), 0n);
      if (held + more > AMOUNT_MAX) return false;
      granted.set(accountId, more);
      return true;
    },
    follow(entries) {
      granted.clear();
      for (const line of entries.flatMap(({ lines }) => lines)) {
        const balance = balances.get(line.account);
        if (balance !== undefined) balances.set(line.account, balance + effectOf(line));
      }
    },
  };
}
