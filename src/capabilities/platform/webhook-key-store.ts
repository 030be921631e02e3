import type { Database } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** A key pair that signs webhooks, without its private half. Times are business time. */
export interface WebhookKeyRow {
  readonly id: Id<'WebhookKey'>;
  /** SPKI PEM. */
  readonly public_key: string;
  readonly signs_from: Date;
  /** Null: until it is replaced. */
  readonly signs_until: Date | null;
  readonly goes_at: Date | null;
}

export interface NewWebhookKey extends Pick<WebhookKeyRow, 'id' | 'public_key' | 'signs_from'> {
  /** Sealed. */
  readonly private_key: Buffer;
}

/** A signing key with its sealed private half. */
export interface SealedKey {
  readonly key_id: Id<'WebhookKey'>;
  readonly private_key: Buffer;
}

/**
 * Joins the key `k` that signs at this business time to platforms `p`: the earliest key that has not ended. There always
 * is one, even for a process whose clock lags a little. src/edge/webhooks/claim-webhooks.sql has the same rule.
 */
export function signingKeyAt(time: Sql): Sql {
  return sql`cross join lateral (
    select k.id as key_id, k.private_key from webhook_keys k
     where k.platform_id = p.id and (k.signs_until is null or k.signs_until > ${time})
     order by k.signs_from limit 1) k`;
}

/** The same at a real time, which is converted to the platform's business time. */
export function signingKeyNow(now: Date): Sql {
  return signingKeyAt(sql`${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond'`);
}

/** Finds the key that signs for the platform at this real time. */
export async function findSigningKey(
  database: Pick<Database, 'lookUp'>,
  platformId: PlatformId,
  now: Date,
): Promise<SealedKey | undefined> {
  const [row] = await database.lookUp<SealedKey>(sql`
    select k.key_id, k.private_key from platforms p ${signingKeyNow(now)} where p.id = ${platformId}`);
  return row;
}

/** Lists the published keys, in the order in which they sign. */
export function listShownKeys(tx: ReadTx): Promise<WebhookKeyRow[]> {
  return tx.sql<WebhookKeyRow>`
    select id, public_key, signs_from, signs_until, goes_at from webhook_keys
     where platform_id = ${tx.platformId} and (goes_at is null or goes_at > ${tx.now})
     order by signs_from`;
}

/** Inserts the platform's newest key; the previous one must have been ended or deleted before. */
export async function insertWebhookKey(tx: Tx, key: NewWebhookKey): Promise<void> {
  await tx.sql`
    insert into webhook_keys (platform_id, id, public_key, private_key, created_at, signs_from)
    values (${tx.platformId}, ${key.id}, ${key.public_key}, ${key.private_key}, ${tx.now}, ${key.signs_from})`;
  await tx.sql`update platforms set webhook_key_id = ${key.id} where id = ${tx.platformId}`;
}

export async function endWebhookKey(
  tx: Tx,
  { id, signsUntil, goesAt }: { id: Id<'WebhookKey'>; signsUntil: Date; goesAt: Date },
): Promise<void> {
  await tx.sql`
    update webhook_keys set signs_until = ${signsUntil}, goes_at = ${goesAt}
     where platform_id = ${tx.platformId} and id = ${id}`;
}

/** Deletes expired keys with their private halves, which sign nothing any more. */
export async function deleteGoneKeys(tx: Tx): Promise<void> {
  await tx.sql`delete from webhook_keys where platform_id = ${tx.platformId} and goes_at <= ${tx.now}`;
}

export async function deleteAllKeys(tx: Tx): Promise<void> {
  await tx.sql`delete from webhook_keys where platform_id = ${tx.platformId}`;
}
