import type { Tx } from '#database/tx.ts';

/** Addresses that an earlier version stored in clear, and their sealing (seal-addresses.ts). */

interface ClearAddress {
  readonly id: string;
  readonly address: string;
}

interface SealedAddress {
  readonly id: string;
  readonly address: Buffer;
}

export function listClearConsents(tx: Tx, limit: number): Promise<ClearAddress[]> {
  return tx.sql<ClearAddress>`
    select id, ip_address as address from end_user_terms_consents
     where platform_id = ${tx.platformId} and ip_address is not null limit ${limit} for update`;
}

export async function sealConsents(tx: Tx, sealed: readonly SealedAddress[]): Promise<void> {
  await tx.sql`
    update end_user_terms_consents c set ip = g.address, ip_address = null
      from unnest(${sealed.map(({ id }) => id)}::uuid[], ${sealed.map(({ address }) => address)}::bytea[]) as g(id, address)
     where c.platform_id = ${tx.platformId} and c.id = g.id`;
}

export function listClearTerms(tx: Tx, limit: number): Promise<ClearAddress[]> {
  return tx.sql<ClearAddress>`
    select id, terms_consent ->> 'ipAddress' as address from customers
     where platform_id = ${tx.platformId} and terms_consent ? 'ipAddress' limit ${limit} for no key update`;
}

export async function sealTerms(tx: Tx, sealed: readonly SealedAddress[]): Promise<void> {
  await tx.sql`
    update customers c set terms_ip = g.address, terms_consent = c.terms_consent - 'ipAddress'
      from unnest(${sealed.map(({ id }) => id)}::uuid[], ${sealed.map(({ address }) => address)}::bytea[]) as g(id, address)
     where c.platform_id = ${tx.platformId} and c.id = g.id`;
}
