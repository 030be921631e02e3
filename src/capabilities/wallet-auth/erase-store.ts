import type { Tx } from '#foundation/database/tx.ts';
import { deleteRequests } from '#foundation/http/signed/store.ts';

/** Erases everything of a customer's wallets except the accounts themselves (customers.md §2.4.26a). */
export async function eraseWallets(tx: Tx, customerId: CustomerId): Promise<void> {
  const { platformId } = tx;
  await deleteRequests(tx, await listTargets(tx, customerId));
  await tx.sql`
    with wallets as (
      select id from internal_accounts
       where platform_id = ${platformId} and customer_id = ${customerId} and type = 'EMBEDDED_WALLET'),
    sessions as (
      delete from wallet_sessions s using wallets w where s.platform_id = ${platformId} and s.account_id = w.id),
    challenges as (
      delete from wallet_passkey_challenges c using wallets w
       where c.platform_id = ${platformId} and c.account_id = w.id),
    keys as (
      delete from wallet_keys k using wallets w where k.platform_id = ${platformId} and k.account_id = w.id)
    delete from wallet_credentials c using wallets w where c.platform_id = ${platformId} and c.account_id = w.id`;
}

/** The targets of this customer's pending requests. */
async function listTargets(tx: Tx, customerId: CustomerId): Promise<string[]> {
  const { platformId } = tx;
  const targets = await tx.sql<{ name: string }>`
    with wallets as (
      select id from internal_accounts
       where platform_id = ${platformId} and customer_id = ${customerId} and type = 'EMBEDDED_WALLET')
    select 'InternalAccount:' || id as name from wallets
    union all select 'Customer:' || ${customerId}::uuid
    union all
    select 'AuthMethod:' || c.id from wallet_credentials c, wallets w
     where c.platform_id = ${platformId} and c.account_id = w.id
    union all
    select 'Session:' || s.id from wallet_sessions s, wallets w
     where s.platform_id = ${platformId} and s.account_id = w.id`;
  return targets.map(({ name }) => name);
}
