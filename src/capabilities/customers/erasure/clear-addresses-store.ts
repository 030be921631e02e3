import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';

/** Finds and seals addresses that an earlier version stored in clear text (seal-addresses.ts). */

/** A row that may have such an address, with its paging key. */
interface ListedRow {
  readonly id: string;
  readonly address: string | null;
  readonly key: readonly string[];
}

interface SealedAddress {
  readonly id: string;
  readonly address: Buffer;
}

export function listConsents(
  tx: Tx,
  after: readonly string[] | undefined,
  limit: number,
): Promise<ListedRow[]> {
  const next = after ? sql`(customer_id, id) > (${after[0]}::uuid, ${after[1]}::uuid)` : sql`true`;
  return tx.sql<ListedRow>`
    select id, ip_address as address, array[customer_id, id]::text[] as key from end_user_terms_consents
     where platform_id = ${tx.platformId} and ${next} order by customer_id, id limit ${limit}`;
}

/** Skips a consent whose address has been erased meanwhile. */
export async function sealConsents(tx: Tx, sealed: readonly SealedAddress[]): Promise<void> {
  await tx.sql`
    update end_user_terms_consents c set ip = g.address, ip_address = null
      from unnest(${sealed.map(({ id }) => id)}::uuid[], ${sealed.map(({ address }) => address)}::bytea[]) as g(id, address)
     where c.platform_id = ${tx.platformId} and c.id = g.id and c.ip_address is not null`;
}

export function listTerms(tx: Tx, after: readonly string[] | undefined, limit: number): Promise<ListedRow[]> {
  const next = after ? sql`id > ${after[0]}::uuid` : sql`true`;
  return tx.sql<ListedRow>`
    select id, terms_consent ->> 'ipAddress' as address, array[id]::text[] as key from customers
     where platform_id = ${tx.platformId} and ${next} order by id limit ${limit}`;
}

/** Skips a customer who has been erased or has accepted other terms meanwhile. */
export async function sealTerms(tx: Tx, sealed: readonly SealedAddress[]): Promise<void> {
  await tx.sql`
    update customers c set terms_ip = g.address, terms_consent = c.terms_consent - 'ipAddress'
      from unnest(${sealed.map(({ id }) => id)}::uuid[], ${sealed.map(({ address }) => address)}::bytea[]) as g(id, address)
     where c.platform_id = ${tx.platformId} and c.id = g.id and c.terms_consent ? 'ipAddress'`;
}
