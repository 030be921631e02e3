import type { Tx } from '#database/tx.ts';

export async function markExternalAccountDeleted(tx: Tx, id: string): Promise<void> {
  await tx.sql`
    update external_accounts set deleted_at = ${tx.now}, updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${id} and deleted_at is null`;
}

/** With the customer's deletion, trusted accounts too (accounts.md §3.4). */
export async function markDeletedForCustomer(tx: Tx, customerId: string): Promise<void> {
  await tx.sql`
    with gone as (
      update external_accounts set deleted_at = ${tx.now}, updated_at = ${tx.now}
       where platform_id = ${tx.platformId} and customer_id = ${customerId} and deleted_at is null
      returning id)
    update ownership_challenges set closed_at = ${tx.now}
     where platform_id = ${tx.platformId} and closed_at is null and account_id in (select id from gone)`;
}

/** The rows stay for the transactions that refer to them, without any personal data. */
export async function eraseForCustomer(tx: Tx, customerId: string): Promise<void> {
  await tx.sql`
    delete from ownership_challenges
     where platform_id = ${tx.platformId} and account_id in (
       select id from external_accounts where platform_id = ${tx.platformId} and customer_id = ${customerId})`;
  await tx.sql`
    update external_accounts set details = null, fingerprint = null, platform_account_id = null
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and deleted_at is not null`;
}
