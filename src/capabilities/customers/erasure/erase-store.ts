import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/**
 * Keeps the data that books and statistics need: id, type, region, currencies, status and times. Consents keep their
 * version and time.
 */
export async function eraseProfile(tx: Tx, id: CustomerId, umaAddress: string): Promise<void> {
  await tx.sql`
    update customers
       set platform_customer_id = id::text, uma_address = ${umaAddress}, email = null, phone_number = null,
           address = null, profile = '{}', identifier = null, tax_id = null, registration_number = null,
           terms_consent = null, terms_ip = null, erased_at = ${tx.now}, updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${id} and deleted_at is not null`;
  await tx.sql`
    update end_user_terms_consents set ip = null, ip_address = null
     where platform_id = ${tx.platformId} and customer_id = ${id}`;
}

export async function findErasedCustomers(tx: ReadTx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.sql<{ id: CustomerId }>`
    select id from customers
     where platform_id = ${tx.platformId} and id = any(${ids}::uuid[]) and erased_at is not null`;
  return rows.map(({ id }) => id);
}
