import type { OtpType } from '#capabilities/wallet-auth/schemas.ts';
import {
  foldContact,
  hashContact,
  sealCredential,
  sealSessionNickname,
} from '#capabilities/wallet-auth/sealed-credential.ts';
import { deleteCodes } from '#foundation/codes/store.ts';
import type { KeyedHash } from '#foundation/crypto/keyed-hashes.ts';
import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import { allVersionsOf } from '#foundation/database/known-hashes.ts';
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
  const asked = {
    platformId: tx.platformId,
    customerId,
    type,
    contact,
    hash: hashContact(tx.vault, contact),
  };
  const rows = await tx.query(otherCredentialsStatement(asked));
  return rows.length > 0;
}

interface AskedContact {
  readonly platformId: PlatformId;
  readonly customerId: CustomerId;
  readonly type: OtpType;
  readonly contact: string;
  readonly hash: KeyedHash;
}

/**
 * Finds other credentials by two indexes: one of sealed credentials, and one of credentials in clear text. The type is
 * compared in a way that fits no index, so that the planner uses the contact, which few rows share.
 */
function otherCredentialsStatement({ platformId, customerId, type, contact, hash }: AskedContact) {
  return sql`
    select 1
      from (select c.platform_id, c.account_id, c.type from wallet_credentials c
             where c.platform_id = ${platformId} and c.contact_hash = any(${allVersionsOf(hash)})
            union all
            select c.platform_id, c.account_id, c.type from wallet_credentials c
             where c.platform_id = ${platformId} and lower(c.nickname collate "C") = ${foldContact(contact)}
               and c.issuer is null and c.webauthn_id is null) c
      join internal_accounts a on a.platform_id = c.platform_id and a.id = c.account_id
     where c.type || '' = ${type} and a.customer_id <> ${customerId} and a.status <> 'CLOSED'`;
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
  const { platformId, runtime } = changes;
  const { contact } = checked;
  const hash = contact === undefined ? undefined : hashContact(runtime.vault, contact);
  changes.collect(CHECKED_CONTACTS, { ...checked, hash, platformId });
}

type CheckedItem = CheckedContact & {
  readonly platformId: PlatformId;
  readonly hash: KeyedHash | undefined;
};

function hasContact(item: CheckedItem): item is CheckedItem & AskedContact {
  return item.contact !== undefined;
}

/** The key that all items for the same contact share. */
function contactKey({ platformId, type, contact }: AskedContact): string {
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
      (item) => sql`
        select refuse_commit('stale') where exists (${otherCredentialsStatement(item)})`,
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
  const wallets = await findWallets(tx, customerId);
  const walletIds = wallets.map(({ id }) => id);
  const credentials = await findTiedCredentials(tx, walletIds, type);
  for (const credential of credentials) await rename(tx, customerId, credential, type, contact);
  const credentialIds = credentials.map(({ id }) => id);
  await deleteCodes(tx, ['WALLET'], credentialIds);
}

/** Seals the new contact alone, because a credential of the OTP kinds has no other personal value. */
async function rename(
  tx: Tx,
  customerId: CustomerId,
  { id, accountId }: TiedCredential,
  type: OtpType,
  contact: string,
): Promise<void> {
  const { platformId, vault } = tx;
  const nothing = { issuer: null, audience: null, subject: null, webauthn_id: null, cose_key: null };
  const sealed = sealCredential(vault, customerId, { id, type, nickname: contact, ...nothing });
  await tx.sql`
    with renamed as (
      update wallet_credentials
         set details = ${sealed.details}, contact_hash = ${sealed.contact_hash}, nickname = null, updated_at = ${tx.now}
       where platform_id = ${platformId} and id = ${id})
    update wallet_sessions
       set nickname_sealed = ${sealSessionNickname(vault, customerId, id, contact)}, nickname = null
     where platform_id = ${platformId} and account_id = ${accountId} and credential_id = ${id}`;
}
