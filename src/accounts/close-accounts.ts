import { accountsClosing } from '#accounts/announcements.ts';
import { emitAccounts } from '#accounts/events.ts';
import { ledgerAccountsOf } from '#accounts/ledger-accounts.ts';
import { type LockedAccount, moveAccounts } from '#accounts/store.ts';
import type { Tx } from '#database/tx.ts';
import { announce } from '#events/reactions.ts';
import { lockBalances } from '#ledger/owned-balances.ts';

/**
 * Closes accounts whose rows the caller has locked, each with its event. If any of them holds money, be it on
 * hold or still arriving, or a payment into or out of it is under way, nothing is closed and those come back.
 * Their ledger accounts stay locked to the end, so that no posting can slip in between the look and the closing.
 */
export async function closeAccounts(tx: Tx, accounts: readonly LockedAccount[]): Promise<LockedAccount[]> {
  if (accounts.length === 0) return [];
  const states = await lockBalances(
    tx,
    accounts.flatMap(({ id }) => ledgerAccountsOf(id)),
  );
  const kept = new Set(states.filter(({ balance }) => balance > 0n).map(({ account }) => ownerOf(account)));
  const accountIds = accounts.map(({ id }) => id);
  await announce(tx, accountsClosing, { accountIds, keepOpen: (id) => void kept.add(id) });
  const holding = accounts.filter(({ id }) => kept.has(id));
  if (holding.length > 0) return holding;
  const closed = await moveAccounts(tx, accountIds, 'close');
  await emitAccounts(tx, 'INTERNAL_ACCOUNT.STATUS_UPDATED', closed);
  return [];
}

/** `HOLD:<id>` → `<id>` */
function ownerOf(account: string): string {
  return account.slice(account.indexOf(':') + 1);
}
