import { insertOver } from '#foundation/database/row-sets.ts';
import { purgeRows } from '#foundation/database/rows.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** A key and its scope: its owner, method, path and query (platform.md §2.3). */
export interface KeyName {
  readonly scope: string;
  readonly key: string;
}

/**
 * The reply that a key stores: nothing before the call has ended, or if the reply contained a secret; the status alone if
 * the reply named a customer who has been erased since.
 */
export interface SealedReply {
  readonly status: number | null;
  readonly reply: Buffer | null;
}

export interface StoredKey extends SealedReply {
  readonly body_hash: Buffer | null;
}

export interface ClaimedKey extends StoredKey {
  /** True: this call claimed the key. False: the other columns are those of an earlier call. */
  readonly claimed: boolean;
  /** The lease of a call that has not ended yet. */
  readonly leased_until: Date | null;
}

/** Claims a key that is free (idempotency.sql), and waits for an earlier claim that has not committed. */
export async function claimKeyRow(
  tx: Tx,
  { scope, key, bodyHash }: KeyName & { readonly bodyHash: Buffer },
  lease: Date | null,
): Promise<ClaimedKey | undefined> {
  const [row] = await tx.sql<ClaimedKey>`
    select claimed, body_hash, status, reply, leased_until
      from idempotency_claim(${tx.platformId}, ${scope}, ${key}, ${bodyHash}, ${tx.now}, ${lease})`;
  return row;
}

export interface IdempotencyKeyRow extends StoredKey {
  /** Whether the key has not expired. */
  readonly is_alive: boolean;
}

export async function findKey(tx: ReadTx, { scope, key }: KeyName): Promise<IdempotencyKeyRow | undefined> {
  const [row] = await tx.sql<IdempotencyKeyRow>`
    select body_hash, status, reply, idempotency_key_is_alive(created_at, ${tx.now}) as is_alive
      from idempotency_keys
     where platform_id = ${tx.platformId} and scope = ${scope} and key = ${key}`;
  return row;
}

/** Deletes a key that has expired, before its next use. */
export async function deleteExpiredKey(tx: ReadTx, { scope, key }: KeyName): Promise<void> {
  await tx.sql`
    delete from idempotency_keys
     where platform_id = ${tx.platformId} and scope = ${scope} and key = ${key}
       and not idempotency_key_is_alive(created_at, ${tx.now})`;
}

export interface NewKey extends KeyName, SealedReply {
  readonly platformId: PlatformId;
  readonly createdAt: Date;
  readonly bodyHash: Buffer;
}

/** The statement that writes keys with their replies. */
export const insertKeys = insertOver<NewKey>({
  table: 'idempotency_keys',
  columns: {
    platform_id: ['uuid', (key) => key.platformId],
    scope: ['text', (key) => key.scope],
    key: ['text', (key) => key.key],
    body_hash: ['bytea', (key) => key.bodyHash],
    status: ['smallint', (key) => key.status],
    reply: ['bytea', (key) => key.reply],
    created_at: ['timestamptz', (key) => key.createdAt],
  },
});

/**
 * Stores the reply of a call that claimed the key, with this lease if it had one. The lease ends unless it is kept.
 * Returns false if the key is no longer claimed by that call.
 */
export async function storeReply(
  tx: Tx,
  name: KeyName,
  lease: Date | null,
  { status, reply, staysLeased = false }: SealedReply & { readonly staysLeased?: boolean },
): Promise<boolean> {
  const stored = await tx.sql`
    update idempotency_keys
       set status = ${status}, reply = ${reply}, leased_until = ${staysLeased ? lease : null}
     where ${isClaimed(tx, name, lease)}
    returning 1`;
  return stored.length > 0;
}

/** Ends the lease of a call that has already stored a reply, which is final from now on. */
export async function endLease(tx: Tx, name: KeyName, lease: Date): Promise<void> {
  await tx.sql`
    update idempotency_keys set leased_until = null
     where ${isClaimed(tx, name, lease)} and reply is not null`;
}

/** Releases the key of a call that claimed it, with this lease if it had one. */
export async function deleteKey(tx: Tx, name: KeyName, lease: Date | null): Promise<void> {
  await tx.sql`delete from idempotency_keys where ${isClaimed(tx, name, lease)}`;
}

function isClaimed(tx: Tx, { scope, key }: KeyName, lease: Date | null): Sql {
  return sql`platform_id = ${tx.platformId} and scope = ${scope} and key = ${key}
    and leased_until is not distinct from ${lease}::timestamptz`;
}

/** Lists a page of a platform's stored replies, in the order of their keys; the platform may be another one. */
export function listReplies(
  tx: Tx,
  platformId: PlatformId,
  after: KeyName,
  limit: number,
): Promise<(KeyName & { readonly reply: Buffer })[]> {
  return tx.sql`
    select scope, key, reply from idempotency_keys
     where platform_id = ${platformId} and reply is not null and (scope, key) > (${after.scope}, ${after.key})
     order by scope, key limit ${limit}`;
}

/** Empties stored replies. The keys stay used until they expire, so that no call takes effect again. */
export async function emptyReplies(tx: Tx, platformId: PlatformId, names: readonly KeyName[]): Promise<void> {
  await tx.sql`
    update idempotency_keys k set reply = null
      from unnest(${names.map(({ scope }) => scope)}::text[], ${names.map(({ key }) => key)}::text[]) as g(scope, key)
     where k.platform_id = ${platformId} and k.scope = g.scope and k.key = g.key`;
}

/** For an effect that moves the platform's clock: the key's life begins at the new time. */
export async function restartKeyLife(tx: Tx, { scope, key }: KeyName, at: Date): Promise<void> {
  await tx.sql`update idempotency_keys set created_at = ${at}
    where platform_id = ${tx.platformId} and scope = ${scope} and key = ${key}`;
}

/** Deletes at most `rowsMax` expired keys (platform.md §2.5: 24 hours from first use); returns how many. */
export function purgeKeys(tx: Tx, rowsMax: number): Promise<number> {
  const isOld = sql`created_at < ${tx.now}::timestamptz - idempotency_key_life()`;
  return purgeRows(tx, 'idempotency_keys', isOld, rowsMax);
}
