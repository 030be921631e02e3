import { availOf } from '#accounts/ledger-accounts.ts';
import type { Tx } from '#database/tx.ts';
import type { GuardedAccount } from '#ledger/accounts.ts';
import { lockBalances } from '#ledger/owned-balances.ts';

/** An internal account, and where its owner's debt in that currency is noted. */
export interface HeldAccount {
  /** Bare UUID. */
  readonly id: string;
  readonly debtAccount: GuardedAccount;
}

/**
 * What lies in internal accounts and what their owners owe, held until the transaction ends: a credit repays the debt
 * that there is, and what is taken back is taken from what there is (money.md §11 rule b), whoever else moves money at
 * the same time. Debts are read once the balances are held, so that one which arose meanwhile is seen.
 */
export async function holdMoney(tx: Tx, accounts: readonly HeldAccount[]): Promise<Map<string, bigint>> {
  if (accounts.length === 0) return new Map();
  const balances = await lockBalances(
    tx,
    accounts.map(({ id }) => availOf(id)),
  );
  const debts = await lockBalances(
    tx,
    accounts.map(({ debtAccount }) => debtAccount),
  );
  return new Map([...balances, ...debts].map(({ account, balance }) => [account, balance]));
}
