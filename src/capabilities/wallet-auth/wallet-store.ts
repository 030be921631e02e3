import type { AccountStatus } from '#capabilities/accounts/schemas.ts';
import type { CredentialType } from '#capabilities/wallet-auth/schemas.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';
import type { WalletSeed } from '#foundation/ports/custody.ts';

export interface WalletKey extends WalletSeed {
  readonly accountId: AccountId;
  readonly customerId: CustomerId | null;
  /** The Spark address; null until it is derived from the mnemonic. */
  readonly address: string | null;
}

/** Stores the key of a wallet, sealed for the owner. A wallet that already has a key keeps it. */
export async function insertWalletKey(
  tx: Tx,
  accountId: AccountId,
  customerId: CustomerId,
  { mnemonic, derivationPath }: WalletSeed,
): Promise<void> {
  const sealed = tx.vault.sealFor([customerId], mnemonic, contextOf('mnemonic', accountId));
  await tx.sql`
    insert into wallet_keys (platform_id, account_id, mnemonic, derivation_path, created_at)
    values (${tx.platformId}, ${accountId}, ${sealed}, ${derivationPath}, ${tx.now})
    on conflict (platform_id, account_id) do nothing`;
}

/** A wallet in the operator's list. */
export interface WalletSummary {
  readonly id: AccountId;
  readonly customer_id: CustomerId;
  readonly status: AccountStatus;
  readonly credentials: readonly CredentialType[];
  /** The number of active sessions. */
  readonly sessions: number;
  readonly has_key: boolean;
  readonly created_at: Date;
}

/** Newest first. */
export function listWallets<Item>(
  tx: ReadTx,
  request: PageRequest,
  { customerId }: { readonly customerId: CustomerId | undefined },
  present: (row: WalletSummary) => Item,
): Promise<Page<Item>> {
  const columns = sql`
    t.id, t.customer_id, t.status, t.created_at,
    array(select c.type from wallet_credentials c
           where c.platform_id = t.platform_id and c.account_id = t.id order by c.created_at, c.id) as credentials,
    (select count(*)::integer from wallet_sessions s
      where s.platform_id = t.platform_id and s.account_id = t.id and s.revoked_at is null
        and s.expires_at > ${tx.now}) as sessions,
    exists (select from wallet_keys k where k.platform_id = t.platform_id and k.account_id = t.id) as has_key`;
  const where = [
    // The index has accounts of customers alone.
    sql`t.platform_id = ${tx.platformId} and t.type = 'EMBEDDED_WALLET' and t.customer_id is not null
        and t.withdrawn_at is null`,
    ...(customerId === undefined ? [] : [sql`t.customer_id = ${customerId}`]),
  ];
  return keysetPage(tx, request, { columns, from: sql`internal_accounts t`, where }, present);
}

/**
 * The next wallets, by id, that are in use and have no key. Until the commit they cannot be closed, and their owner's
 * contact cannot change.
 */
export function lockWalletsWithoutKey(
  tx: Tx,
  after: string,
  rowsMax: number,
): Promise<{ readonly id: AccountId; readonly customerId: CustomerId }[]> {
  return tx.sql`
    select a.id, a.customer_id as "customerId" from internal_accounts a
     where a.platform_id = ${tx.platformId} and a.id > ${after} and a.type = 'EMBEDDED_WALLET'
       and a.status <> 'CLOSED' and a.withdrawn_at is null and a.customer_id is not null
       and not exists (select from wallet_keys k where k.platform_id = a.platform_id and k.account_id = a.id)
     order by a.id
     limit ${rowsMax}
       for no key update of a`;
}

/** The address is derived from the words and is always the same, so it may be stored at any time. */
export async function setWalletAddress(
  tx: ReadTx,
  { accountId, customerId }: Pick<WalletKey, 'accountId' | 'customerId'>,
  address: string,
): Promise<void> {
  const people = customerId === null ? [] : [customerId];
  const sealed = tx.vault.sealFor(people, address, contextOf('address_sealed', accountId));
  await tx.sql`
    update wallet_keys set address_sealed = ${sealed}, address = null
     where platform_id = ${tx.platformId} and account_id = ${accountId}`;
}

interface StoredKey {
  readonly customer_id: CustomerId | null;
  readonly mnemonic: Buffer;
  readonly derivation_path: string;
  /** The address in clear text, in rows of an earlier version. New rows have it sealed. */
  readonly address: string | null;
  readonly address_sealed: Buffer | null;
}

export async function findWalletKey(tx: ReadTx, accountId: AccountId): Promise<WalletKey | undefined> {
  const [row] = await tx.sql<StoredKey>`
    select a.customer_id, k.mnemonic, k.derivation_path, k.address, k.address_sealed
      from wallet_keys k
      join internal_accounts a on a.platform_id = k.platform_id and a.id = k.account_id
     where k.platform_id = ${tx.platformId} and k.account_id = ${accountId}`;
  if (!row) return undefined;
  const { address_sealed: sealed, address } = row;
  return {
    accountId,
    customerId: row.customer_id,
    mnemonic: tx.vault.openText(row.mnemonic, contextOf('mnemonic', accountId)),
    derivationPath: row.derivation_path,
    address: sealed === null ? address : tx.vault.openText(sealed, contextOf('address_sealed', accountId)),
  };
}

/**
 * The platform's time in milliseconds, or one more than the wallet's latest timestamp. Like a sequence number, it is
 * used up even if nothing is stored with it; a gap does no harm. Undefined if the wallet has no key.
 */
export async function reserveTimestamp(tx: ReadTx, accountId: AccountId): Promise<bigint | undefined> {
  const [row] = await tx.sql<{ last_timestamp_ms: bigint }>`
    update wallet_keys set last_timestamp_ms = greatest(last_timestamp_ms + 1, ${tx.now.getTime()})
     where platform_id = ${tx.platformId} and account_id = ${accountId}
    returning last_timestamp_ms`;
  return row?.last_timestamp_ms;
}

function contextOf(column: 'mnemonic' | 'address_sealed', accountId: AccountId): string {
  return `wallet_keys.${column}:${accountId}`;
}
