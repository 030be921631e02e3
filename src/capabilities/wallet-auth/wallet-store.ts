import type { AccountStatus } from '#capabilities/accounts/schemas.ts';
import type { CredentialType } from '#capabilities/wallet-auth/schemas.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { WalletSeed } from '#foundation/ports/custody.ts';

export interface WalletKey extends WalletSeed {
  readonly accountId: AccountId;
  /** The Spark address; null until it is derived from the mnemonic. */
  readonly address: string | null;
}

/** A wallet that already has a key keeps it. */
export async function insertWalletKey(
  tx: Tx,
  accountId: AccountId,
  { mnemonic, derivationPath }: WalletSeed,
): Promise<void> {
  const sealed = tx.vault.seal(mnemonic, contextOf(accountId));
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
export function listWallets(
  tx: ReadTx,
  { customerId, rowsMax }: { readonly customerId: CustomerId | undefined; readonly rowsMax: number },
): Promise<WalletSummary[]> {
  const whose = customerId === undefined ? sql`true` : sql`a.customer_id = ${customerId}`;
  return tx.query<WalletSummary>(sql`
    select a.id, a.customer_id, a.status, a.created_at,
           array(select c.type from wallet_credentials c
                  where c.platform_id = a.platform_id and c.account_id = a.id order by c.created_at, c.id) as credentials,
           (select count(*)::integer from wallet_sessions s
             where s.platform_id = a.platform_id and s.account_id = a.id and s.revoked_at is null
               and s.expires_at > ${tx.now}) as sessions,
           exists (select from wallet_keys k where k.platform_id = a.platform_id and k.account_id = a.id) as has_key
      from internal_accounts a
     where a.platform_id = ${tx.platformId} and a.type = 'EMBEDDED_WALLET' and a.withdrawn_at is null and ${whose}
     order by a.created_at desc, a.id desc
     limit ${rowsMax}`);
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
export async function setWalletAddress(tx: ReadTx, accountId: AccountId, address: string): Promise<void> {
  await tx.sql`
    update wallet_keys set address = ${address}
     where platform_id = ${tx.platformId} and account_id = ${accountId}`;
}

export async function findWalletKey(tx: ReadTx, accountId: AccountId): Promise<WalletKey | undefined> {
  const [row] = await tx.sql<{ mnemonic: Buffer; derivation_path: string; address: string | null }>`
    select mnemonic, derivation_path, address from wallet_keys
     where platform_id = ${tx.platformId} and account_id = ${accountId}`;
  return (
    row && {
      accountId,
      mnemonic: tx.vault.openText(row.mnemonic, contextOf(accountId)),
      derivationPath: row.derivation_path,
      address: row.address,
    }
  );
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

function contextOf(accountId: AccountId): string {
  return `wallet_keys.mnemonic:${accountId}`;
}
