import type { Writer } from '#foundation/database/changes.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Changes, ReadTx, Tx } from '#foundation/database/tx.ts';

export const DELEGATED_KEY_STATUSES = ['PENDING', 'ACTIVE', 'REVOKED'] as const;

/**
 * A key with which a wallet's owner lets one card spend from it (wallets.md §6.8.43). Reads never include its private
 * half.
 */
export interface DelegatedKeyRow {
  readonly id: Id<'DelegatedKey'>;
  readonly card_id: CardId;
  /** The wallet. */
  readonly account_id: AccountId;
  readonly binding_id: Id<'CardFundingSource'>;
  /** Compressed, in hexadecimal. */
  readonly public_key: string;
  readonly nickname: string;
  readonly status: (typeof DELEGATED_KEY_STATUSES)[number];
  readonly created_at: Date;
  readonly updated_at: Date;
}

const COLUMNS = sql`
  k.id, k.card_id, k.account_id, k.binding_id, k.public_key, k.nickname, k.nickname_sealed, k.status, k.created_at,
  k.updated_at`;

/** A key as it is stored: its nickname is sealed. Rows of an earlier version have it in clear text. */
interface StoredKey extends Omit<DelegatedKeyRow, 'nickname'> {
  readonly nickname: string | null;
  readonly nickname_sealed: Buffer | null;
}

/** The keys of a deleted customer are not found, like the wallet itself. */
const FROM = sql`delegated_keys k
  join internal_accounts a on a.platform_id = k.platform_id and a.id = k.account_id and a.withdrawn_at is null`;

export async function findDelegatedKey(
  tx: ReadTx,
  id: Id<'DelegatedKey'>,
): Promise<DelegatedKeyRow | undefined> {
  const [row] = await tx.query<StoredKey>(sql`
    select ${COLUMNS} from ${FROM} where k.platform_id = ${tx.platformId} and k.id = ${id}`);
  return row && openKey(tx, row);
}

/** wallets.md §6.8.45. */
export async function hasActiveKey(tx: ReadTx, bindingId: Id<'CardFundingSource'>): Promise<boolean> {
  const rows = await tx.sql`
    select 1 from delegated_keys
     where platform_id = ${tx.platformId} and binding_id = ${bindingId} and status = 'ACTIVE'`;
  return rows.length > 0;
}

export interface DelegatedKeyFilters {
  readonly accountId?: AccountId | undefined;
  readonly bindingId?: Id<'CardFundingSource'> | undefined;
}

/** Oldest first. */
export async function listDelegatedKeys(
  tx: ReadTx,
  { accountId, bindingId }: DelegatedKeyFilters,
): Promise<DelegatedKeyRow[]> {
  const ofAccount = accountId === undefined ? sql`true` : sql`k.account_id = ${accountId}`;
  const ofBinding = bindingId === undefined ? sql`true` : sql`k.binding_id = ${bindingId}`;
  const rows = await tx.query<StoredKey>(sql`
    select ${COLUMNS} from ${FROM}
     where k.platform_id = ${tx.platformId} and ${ofAccount} and ${ofBinding}
     order by k.created_at, k.id`);
  // All keys belong to one wallet or one card, and so to one person: the first miss fetches the key for all of them.
  return rows.map((row) => openKey(tx, row));
}

function openKey(
  { vault }: ReadTx,
  { nickname_sealed: sealed, nickname, ...row }: StoredKey,
): DelegatedKeyRow {
  return {
    ...row,
    nickname: sealed === null ? (nickname ?? '') : vault.openText(sealed, nicknameContext(row.id)),
  };
}

function nicknameContext(id: Id<'DelegatedKey'>): string {
  return `delegated_keys.nickname_sealed:${id}`;
}

/**
 * Statements, in the order in which they were collected. Every change of a key holds its card, by a lock or by its version
 * (`touchCard`), which keeps two changes apart.
 */
const KEYS: Writer<Sql> = {
  name: 'delegated keys',
  stage: 'rows',
  constraints: { delegated_keys_active: 'stale' },
  write: (statements) => statements,
};

export type NewDelegatedKey = Pick<
  DelegatedKeyRow,
  'id' | 'card_id' | 'account_id' | 'binding_id' | 'public_key' | 'nickname'
>;

/**
 * Inserts a delegated key as `PENDING`, without its private half. The nickname is sealed for the owner of the wallet.
 */
export function insertKey(changes: Changes, ownerId: CustomerId, key: NewDelegatedKey): void {
  const { platformId, now, runtime } = changes;
  const { id, card_id, account_id, binding_id, public_key } = key;
  const nickname = runtime.vault.sealFor([ownerId], key.nickname, nicknameContext(id));
  changes.collect(
    KEYS,
    sql`
      insert into delegated_keys (platform_id, id, card_id, account_id, binding_id, public_key, nickname_sealed,
                                  status, created_at, updated_at)
      values (${platformId}, ${id}, ${card_id}, ${account_id}, ${binding_id}, ${public_key}, ${nickname}, 'PENDING',
              ${now}, ${now})`,
  );
}

export function activateKey(
  changes: Changes,
  ownerId: CustomerId,
  id: Id<'DelegatedKey'>,
  privateKey: Uint8Array,
): void {
  const { platformId, now, runtime } = changes;
  const sealed = runtime.vault.sealFor([ownerId], privateKey, `delegated_keys.private_key:${id}`);
  changes.collect(
    KEYS,
    sql`
      update delegated_keys set status = 'ACTIVE', private_key = ${sealed}, updated_at = ${now}
       where platform_id = ${platformId} and id = ${id} and status = 'PENDING'`,
  );
}

/** Revokes it for good, and destroys its private half. */
export function revokeKey(changes: Changes, id: Id<'DelegatedKey'>): void {
  revoke(changes, sql`id = ${id}`);
}

/** Revokes the keys of a binding that has ended (wallets.md §6.8.43). */
export function revokeBindingKeys(changes: Changes, bindingId: Id<'CardFundingSource'>): void {
  revoke(changes, sql`binding_id = ${bindingId}`);
}

function revoke(changes: Changes, which: Sql): void {
  const { platformId, now } = changes;
  changes.collect(
    KEYS,
    sql`
      update delegated_keys set status = 'REVOKED', private_key = null, updated_at = ${now}
       where platform_id = ${platformId} and ${which} and status <> 'REVOKED'`,
  );
}

/** Called when a customer is erased: a key's nickname may be a person's name (customers.md §2.4.26a). */
export async function eraseKeys(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    delete from delegated_keys k using cards c
     where c.platform_id = ${tx.platformId} and c.customer_id = ${customerId}
       and k.platform_id = c.platform_id and k.card_id = c.id`;
}
