import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/**
 * Keeps the data that books and statistics need: id, type, region, currencies, status and times. Consents keep their
 * version and time.
 */
export async function eraseProfile(tx: Tx, id: CustomerId, umaAddress: string): Promise<void> {
  await tx.sql`
    update customers
       set platform_customer_id = id::text, uma_address = ${umaAddress}, email = null, phone_number = null,
           address = null, profile = '{}', reference = null, uma = null, person = null, reference_hash = null,
           uma_hash = null, email_hash = null, phone_hash = null, name_hashes = null, identifier = null, tax_id = null, registration_number = null,
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

/**
 * Locks a customer without opening it, because the key may be destroyed. Returns undefined if there is no
 * such customer.
 */
export async function lockDeletedAt(tx: Tx, id: CustomerId): Promise<Date | null | undefined> {
  const [row] = await tx.sql<{ deleted_at: Date | null }>`
    select deleted_at from customers where platform_id = ${tx.platformId} and id = ${id} for update`;
  return row?.deleted_at;
}

/** Marks a customer as deleted without opening it. */
export async function markUnreadableDeleted(tx: Tx, id: CustomerId): Promise<void> {
  await tx.sql`
    delete from customer_currencies where platform_id = ${tx.platformId} and customer_id = ${id}`;
  await tx.sql`
    update customers set deleted_at = ${tx.now}, updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${id} and deleted_at is null`;
}
