import type { KeyedHash } from '#foundation/crypto/keyed-hashes.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { Database } from '#foundation/database/database.ts';
import { versionsOf } from '#foundation/database/known-hashes.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { KeysetQuery } from '#foundation/http/paging.ts';
import type { Message } from '#foundation/ports/messages.ts';

/** The sealed parts of a message, and the hash that finds messages to the same contact. */
export interface SealedMessage {
  readonly id: Id<'Message'>;
  readonly text: Buffer;
  readonly contact: Buffer;
  readonly contact_hash: Buffer;
}

export function hashContact(vault: Pick<Vault, 'hash'>, recipient: string): KeyedHash {
  return vault.hash(recipient, 'sandbox_messages.contact');
}

/** Puts a message into the inbox. Inserting the same message again changes nothing. */
export async function insertMessage(
  database: Pick<Database, 'query'>,
  { platformId, reference, customerId, channel, at }: Message,
  { id, text, contact, contact_hash }: SealedMessage,
): Promise<void> {
  await database.query(sql`
    insert into sandbox_messages
      (platform_id, id, reference, customer_id, channel, contact, contact_hash, text, created_at)
    values (${platformId}, ${id}, ${reference}, ${customerId ?? null}, ${channel}, ${contact}, ${contact_hash}, ${text},
            ${at})
    on conflict (platform_id, reference) do nothing`);
}

/** Deletes messages older than this, at most `rowsMax`. */
export async function deleteMessages(
  database: Pick<Database, 'query'>,
  platformId: PlatformId,
  before: Date,
  rowsMax: number,
): Promise<void> {
  await database.query(sql`
    delete from sandbox_messages
     where platform_id = ${platformId} and id in (
       select id from sandbox_messages
        where platform_id = ${platformId} and created_at < ${before}
        limit ${rowsMax} for update skip locked)`);
}

export interface MessageRow {
  id: Id<'Message'>;
  channel: Message['channel'];
  /** Null if the recipient is sealed, in `contact`. */
  recipient: string | null;
  contact: Buffer | null;
  text: Buffer;
  created_at: Date;
}

export function searchMessages(tx: ReadTx, since: Date, recipient: string | undefined): KeysetQuery {
  return {
    columns: sql`t.id, t.channel, t.recipient, t.contact, t.text, t.created_at`,
    from: sql`sandbox_messages t`,
    where: [sql`t.platform_id = ${tx.platformId}`, sql`t.created_at >= ${since}`],
    ...(recipient !== undefined && {
      alternatives: [
        ...versionsOf(hashContact(tx.vault, recipient)).map((hash) => [sql`t.contact_hash = ${hash}`]),
        [sql`t.recipient = ${recipient}`],
      ],
    }),
  };
}

/** Called when a customer is erased. */
export async function eraseMessages(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    delete from sandbox_messages where platform_id = ${tx.platformId} and customer_id = ${customerId}`;
}
