import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { DueSource } from '#foundation/jobs/due.ts';
import { rowsDue } from '#foundation/jobs/due-store.ts';
import { publicId } from '#foundation/lib/ids.ts';

export interface LinkRow {
  id: Id<'Link'>;
  customer_id: CustomerId;
  redirect_uri: string | null;
  expires_at: Date;
  used_at: Date | null;
  revoked_at: Date | null;
}

export async function insertLink(
  tx: Tx,
  link: { customerId: CustomerId; secretHash: Buffer; redirectUri: string | undefined; expiresAt: Date },
): Promise<void> {
  const id = tx.newId<'Link'>();
  // Sealed, because the query of the URL may contain a secret, or name the customer.
  const redirect =
    link.redirectUri === undefined
      ? null
      : tx.vault.sealFor([link.customerId], link.redirectUri, redirectContext(id));
  await tx.sql`
    insert into onboarding_links (platform_id, id, customer_id, secret_hash, redirect_uri, created_at, expires_at)
    values (${tx.platformId}, ${id}, ${link.customerId}, ${link.secretHash}, ${redirect},
      ${tx.now}, ${link.expiresAt})`;
}

function redirectContext(linkId: Id<'Link'>): string {
  return `onboarding_links.redirect_uri:${linkId}`;
}

type SealedRow = Omit<LinkRow, 'redirect_uri'> & { redirect_uri: Buffer | null };

function openRow(tx: ReadTx, row: SealedRow | undefined): LinkRow | undefined {
  if (!row) return undefined;
  const { redirect_uri: sealed } = row;
  const opened = sealed && tx.vault.openKept(sealed, redirectContext(row.id));
  return { ...row, redirect_uri: opened ?? null };
}

/** Also finds used, expired and revoked links. */
export async function findLink(tx: ReadTx, secretHash: Buffer): Promise<LinkRow | undefined> {
  const [row] = await tx.sql<SealedRow>`
    select id, customer_id, redirect_uri, expires_at, used_at, revoked_at from onboarding_links
     where platform_id = ${tx.platformId} and secret_hash = ${secretHash}`;
  return openRow(tx, row);
}

/** Lock the customer's row first: parent before child. Undefined: the link is no longer open. */
export async function lockOpenLink(tx: Tx, id: Id<'Link'>): Promise<LinkRow | undefined> {
  const [row] = await tx.sql<SealedRow>`
    select id, customer_id, redirect_uri, expires_at, used_at, revoked_at from onboarding_links
     where platform_id = ${tx.platformId} and id = ${id} and used_at is null and revoked_at is null
       and expires_at > ${tx.now}
       for update`;
  return openRow(tx, row);
}

export async function markUsed(tx: Tx, id: Id<'Link'>): Promise<void> {
  await tx.sql`
    update onboarding_links set used_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${id} and used_at is null`;
}

/** Called when the customer is deleted (customers.md §2.4.26). */
export async function revokeLinks(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    update onboarding_links set revoked_at = ${tx.now}
     where platform_id = ${tx.platformId} and customer_id = ${customerId}
       and used_at is null and revoked_at is null`;
}

/** Called when the customer is erased. */
export async function eraseLinks(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    delete from onboarding_links where platform_id = ${tx.platformId} and customer_id = ${customerId}`;
}

/** Deletes the oldest links that expired before this time and returns their number. */
export async function deleteExpiredLinks(tx: Tx, before: Date, rowsMax: number): Promise<number> {
  const gone = await tx.sql`
    with old as materialized (
      select platform_id, id from onboarding_links
       where platform_id = ${tx.platformId} and expires_at < ${before}
       order by expires_at limit ${rowsMax} for update skip locked)
    delete from onboarding_links l using old where l.platform_id = old.platform_id and l.id = old.id
    returning l.id`;
  return gone.length;
}

export async function hasLinks(tx: ReadTx): Promise<boolean> {
  const rows = await tx.sql`
    select from onboarding_links where platform_id = ${tx.platformId} limit 1`;
  return rows.length > 0;
}

/** Links expire without a job: their page compares the time. */
export const linkExpiries: DueSource = rowsDue<{ customer_id: string }>({
  name: 'onboarding link',
  ...{ from: sql`onboarding_links t`, at: sql`t.expires_at`, columns: sql`t.customer_id` },
  where: sql`t.used_at is null and t.revoked_at is null`,
  tell({ customer_id }) {
    const resourceId = publicId('Customer', customer_id);
    return { resourceId, sentence: `The link of ${resourceId} to the hosted page expires.` };
  },
});
