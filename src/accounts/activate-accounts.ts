import { emitAccount } from '#accounts/events.ts';
import { findAccounts, type LockedAccount, moveAccounts, openFunding, setFunding } from '#accounts/store.ts';
import { findLiveCustomer } from '#customers/store.ts';
import type { ReadTx, Tx } from '#database/tx.ts';

/**
 * Activates those of these accounts, locked by the caller and of one owner, that wait for nothing more: set up
 * by the provider, and the platform's own or of an approved customer (accounts.md §2.2). Their instructions
 * are shown from now on.
 */
export async function activateReady(tx: Tx, accounts: readonly LockedAccount[]): Promise<void> {
  const ready = accounts.filter(({ provisioning }) => provisioning === 'COMPLETED');
  const [first] = ready;
  if (!first || !(await mayBeActive(tx, first.customer_id))) return;
  const moved = await moveAccounts(
    tx,
    ready.map(({ id }) => id),
    'activate',
  );
  for (const account of ready.filter(({ id }) => moved.includes(id))) {
    const funding = openFunding(tx, account);
    if (funding.instructions.length > 0)
      await setFunding(tx, account.id, funding, funding.instructions.length);
  }
  for (const row of await findAccounts(tx, moved)) {
    emitAccount(tx, 'INTERNAL_ACCOUNT.STATUS_UPDATED', row);
    if (row.funding_count > 0) emitAccount(tx, 'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED', row);
  }
}

async function mayBeActive(tx: ReadTx, customerId: string | null): Promise<boolean> {
  return customerId === null || (await findLiveCustomer(tx, customerId))?.status === 'APPROVED';
}
