import type { Database } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** A key pair that signs webhooks, without its private half. Times are business time. */
export interface WebhookKeyRow {
  readonly id: string;
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

/** What signs, sealed. */
export interface SealedKey {
  readonly key_id: string;
  readonly private_key: Buffer;
}

/**
 * Joined to platforms `p` as `k`: the key that signs at this business time, the earliest that has not ended. There always
 * is one, also by the clock of a process that is a little behind. src/edge/webhooks/claim-webhooks.sql says the
 * same.
 */
export function signingKeyAt(time: Sql): Sql {
  return sql`cross join lateral (
    select k.id as key_id, k.private_key from webhook_keys k
     where k.platform_id = p.id and (k.signs_until is null or k.signs_until > ${time})
     order by k.signs_from limit 1) k`;
}

/** The same for a real time, whatever the platform's clock says. */
export function signingKeyNow(now: Date): Sql {
  return signingKeyAt(sql`${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond'`);
}

/** What signs for the platform at this real time. */
export async function findSigningKey(
  database: Pick<Database, 'lookUp'>,
  platformId: string,
  now: Date,
): Promise<SealedKey | undefined> {
  const [row] = await database.lookUp<SealedKey>(sql`
    select k.key_id, k.private_key from platforms p ${signingKeyNow(now)} where p.id = ${platformId}`);
  return row;
}

/** Those on show, in the order in which they sign. */
export function listShownKeys(tx: ReadTx): Promise<WebhookKeyRow[]> {
  return tx.sql<WebhookKeyRow>`
    select id, public_key, signs_from, signs_until, goes_at from webhook_keys
     where platform_id = ${tx.platformId} and (goes_at is null or goes_at > ${tx.now})
     order by signs_from`;
}

/** The platform's newest key; the one before it must have been ended or deleted. */
export async function insertWebhookKey(tx: Tx, key: NewWebhookKey): Promise<void> {
  await tx.sql`
    insert into webhook_keys (platform_id, id, public_key, private_key, created_at, signs_from)
    values (${tx.platformId}, ${key.id}, ${key.public_key}, ${key.private_key}, ${tx.now}, ${key.signs_from})`;
  await tx.sql`update platforms set webhook_key_id = ${key.id} where id = ${tx.platformId}`;
}

export async function endWebhookKey(
  tx: Tx,
  { id, signsUntil, goesAt }: { id: string; signsUntil: Date; goesAt: Date },
): Promise<void> {
  await tx.sql`
    update webhook_keys set signs_until = ${signsUntil}, goes_at = ${goesAt}
     where platform_id = ${tx.platformId} and id = ${id}`;
}

/** With their private halves: what nobody signs with any more is not kept. */
export async function deleteGoneKeys(tx: Tx): Promise<void> {
  await tx.sql`delete from webhook_keys where platform_id = ${tx.platformId} and goes_at <= ${tx.now}`;
}

export async function deleteAllKeys(tx: Tx): Promise<void> {
  await tx.sql`delete from webhook_keys where platform_id = ${tx.platformId}`;
}
