import type { OtpType } from '#capabilities/wallet-auth/schemas.ts';
import { deleteCodes } from '#foundation/codes/store.ts';
import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Changes, ReadTx, Tx } from '#foundation/database/tx.ts';

export interface OwnedWallet {
  readonly id: AccountId;
  /** False if it is closed, so that no login is possible. */
  readonly isLive: boolean;
}

/** All wallets that the customer has ever had. */
export function findWallets(tx: ReadTx, customerId: CustomerId): Promise<OwnedWallet[]> {
  return tx.sql<OwnedWallet>`
    select id, status <> 'CLOSED' as "isLive" from internal_accounts
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and type = 'EMBEDDED_WALLET'
     order by created_at, id`;
}

/** A credential whose codes go to a contact of the customer. */
export interface TiedCredential {
  readonly id: CredentialId;
  readonly accountId: AccountId;
}

/** Credentials of this type on these wallets, oldest first. */
export function findTiedCredentials(
  tx: ReadTx,
  walletIds: readonly AccountId[],
  type: OtpType,
): Promise<TiedCredential[]> {
  return tx.sql<TiedCredential>`
    select id, account_id as "accountId" from wallet_credentials
     where platform_id = ${tx.platformId} and account_id = any(${walletIds}::uuid[]) and type = ${type}
     order by created_at, id`;
}

/** wallets.md §6.11.49: whether another customer's wallet sends its codes to this address or number. */
export async function isContactTaken(
  tx: ReadTx,
  customerId: CustomerId,
  type: OtpType,
  contact: string,
): Promise<boolean> {
  const rows = await tx.query(otherCredentialsStatement(tx.platformId, customerId, type, contact));
  return rows.length > 0;
}

/**
 * Letter case does not make a different address (wallets.md §6.11.49); migrations/0043_contacts_in_any_case.sql has the
 * index.
 */
function foldContact(contact: string): string {
  return contact.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The type is compared in a way that fits no index, so that the planner uses the contact, which few rows share. */
function otherCredentialsStatement(
  platformId: PlatformId,
  customerId: CustomerId,
  type: OtpType,
  contact: string,
) {
  return sql`
    select 1 from wallet_credentials c
      join internal_accounts a on a.platform_id = c.platform_id and a.id = c.account_id
     where c.platform_id = ${platformId} and lower(c.nickname collate "C") = ${foldContact(contact)}
       and c.issuer is null and c.webauthn_id is null and c.type || '' = ${type}
       and a.customer_id <> ${customerId} and a.status <> 'CLOSED'`;
}

/** The facts that a change of a contact was checked against. */
export interface CheckedContact {
  readonly customerId: CustomerId;
  readonly type: OtpType;
  /** The wallets at the check, and their credentials. A wallet that the same commit opens has its own. */
  readonly walletIds: readonly AccountId[];
  readonly credentialIds: readonly CredentialId[];
  /** The contact, which no other customer's wallet may have; undefined if that does not matter. */
  readonly contact: string | undefined;
}

/**
 * Ends the commit as `stale` if other credentials depend on the contact by then, or another customer got it. The
 * customer's wallets are locked (`renameTiedCredentials`), and two changes to the same contact commit one after the
 * other.
 */
export function requireCheckedContact(changes: Changes, checked: CheckedContact): void {
  changes.collect(CHECKED_CONTACTS, { ...checked, platformId: changes.platformId });
}

type CheckedItem = CheckedContact & { readonly platformId: PlatformId };

function hasContact(item: CheckedItem): item is CheckedItem & { readonly contact: string } {
  return item.contact !== undefined;
}

/** The key that all items for the same contact share. */
function contactKey({ platformId, type, contact }: CheckedItem & { readonly contact: string }): string {
  return `${platformId} ${type} ${foldContact(contact)}`;
}

const CHECKED_CONTACTS: Writer<CheckedItem> = {
  name: 'checked contacts',
  stage: 'rows',
  write: (items) => [
    ...inLockOrder(items.filter(hasContact), contactKey).map(
      (item) => sql`select pg_advisory_xact_lock(hashtextextended(${contactKey(item)}, 0))`,
    ),
    ...items.map(
      ({ platformId, type, walletIds, credentialIds }) => sql`
        select refuse_commit('stale')
         where exists (
                 select from wallet_credentials
                  where platform_id = ${platformId} and account_id = any(${walletIds}::uuid[]) and type = ${type}
                 having count(*) <> ${credentialIds.length}
                     or count(*) filter (where id = any(${credentialIds}::uuid[])) <> ${credentialIds.length})`,
    ),
    ...items.filter(hasContact).map(
      ({ platformId, customerId, type, contact }) => sql`
        select refuse_commit('stale')
         where exists (${otherCredentialsStatement(platformId, customerId, type, contact)})`,
    ),
  ],
};

/**
 * Renames the credentials and their sessions to the new contact, where codes go from now on, and voids pending codes.
 */
export async function renameTiedCredentials(
  tx: Tx,
  customerId: CustomerId,
  type: OtpType,
  contact: string,
): Promise<void> {
  const { platformId } = tx;
  await tx.sql`
    select 1 from internal_accounts
     where platform_id = ${platformId} and customer_id = ${customerId} and type = 'EMBEDDED_WALLET'
     order by id
       for no key update`;
  const renamed = await tx.sql<{ id: CredentialId }>`
    with renamed as (
      update wallet_credentials c set nickname = ${contact}, updated_at = ${tx.now}
        from internal_accounts a
       where a.platform_id = ${platformId} and a.customer_id = ${customerId}
         and c.platform_id = a.platform_id and c.account_id = a.id and c.type = ${type}
      returning c.id, c.account_id),
    sessions as (
      update wallet_sessions s set nickname = ${contact}
        from renamed r
       where s.platform_id = ${platformId} and s.account_id = r.account_id and s.credential_id = r.id)
    select id from renamed`;
  const credentialIds = renamed.map(({ id }) => id);
  await deleteCodes(tx, ['WALLET'], credentialIds);
}
