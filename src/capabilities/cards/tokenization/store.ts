import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { MessageChannel } from '#foundation/ports/messages.ts';

/** The last code of a card. */
export interface Tokenization {
  readonly id: string;
  readonly channel: MessageChannel;
  readonly codeHash: Buffer;
  /** Undefined once its message has been sent. */
  readonly code: string | undefined;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly wrongTries: number;
  readonly usedAt: Date | null;
  /** How many were issued on the UTC day of this one, itself included. */
  readonly issuedThatDay: number;
}

export interface NewTokenization
  extends Pick<Tokenization, 'id' | 'channel' | 'codeHash' | 'expiresAt' | 'issuedThatDay'> {
  readonly code: string;
}

export async function findTokenization(tx: ReadTx, cardId: string): Promise<Tokenization | undefined> {
  const [row] = await tx.sql<Omit<Tokenization, 'code'> & { code: Buffer | null }>`
    select id, channel, code_hash as "codeHash", code, issued_at as "issuedAt", expires_at as "expiresAt",
           wrong_tries as "wrongTries", used_at as "usedAt", issued_that_day as "issuedThatDay"
      from card_tokenizations
     where platform_id = ${tx.platformId} and card_id = ${cardId}`;
  if (!row) return undefined;
  return { ...row, code: row.code === null ? undefined : tx.vault.openText(row.code, codeContext(row.id)) };
}

/** The new code takes the place of the one before, which is void from then on. The caller has locked the card. */
export async function replaceTokenization(tx: Tx, cardId: string, issued: NewTokenization): Promise<void> {
  const { id, channel, codeHash, expiresAt, issuedThatDay } = issued;
  const sealed = tx.vault.seal(issued.code, codeContext(id));
  await tx.sql`
    insert into card_tokenizations
      (platform_id, card_id, id, channel, code_hash, code, issued_at, expires_at, issued_that_day)
    values (${tx.platformId}, ${cardId}, ${id}, ${channel}, ${codeHash}, ${sealed}, ${tx.now}, ${expiresAt},
            ${issuedThatDay})
    on conflict (platform_id, card_id) do update
       set id = excluded.id, channel = excluded.channel, code_hash = excluded.code_hash, code = excluded.code,
           issued_at = excluded.issued_at, expires_at = excluded.expires_at, wrong_tries = 0, used_at = null,
           issued_that_day = excluded.issued_that_day`;
}

export async function countWrongTry(tx: Tx, cardId: string): Promise<void> {
  await tx.sql`
    update card_tokenizations set wrong_tries = wrong_tries + 1
     where platform_id = ${tx.platformId} and card_id = ${cardId}`;
}

export async function markUsed(tx: Tx, cardId: string): Promise<void> {
  await tx.sql`
    update card_tokenizations set used_at = ${tx.now}, code = null
     where platform_id = ${tx.platformId} and card_id = ${cardId}`;
}

/** Once the message is sent, only the hash of the code is needed. */
export async function clearCode(tx: Tx, cardId: string, id: string): Promise<void> {
  await tx.sql`
    update card_tokenizations set code = null
     where platform_id = ${tx.platformId} and card_id = ${cardId} and id = ${id}`;
}

/** Called when a customer is erased. */
export async function eraseTokenizations(tx: Tx, customerId: string): Promise<void> {
  await tx.sql`
    delete from card_tokenizations t using cards c
     where t.platform_id = ${tx.platformId} and c.platform_id = t.platform_id and c.id = t.card_id
       and c.customer_id = ${customerId}`;
}

/** Deletes codes a day after their expiry, when no limit counts them any more (cards.md §10.3). */
export async function purgeTokenizations(tx: Tx, rowsMax: number): Promise<number> {
  const deleted = await tx.sql`
    with old as materialized (
      select platform_id, card_id from card_tokenizations
       where platform_id = ${tx.platformId} and expires_at < ${tx.now}::timestamptz - interval '1 day'
       limit ${rowsMax} for update skip locked)
    delete from card_tokenizations t using old
     where t.platform_id = old.platform_id and t.card_id = old.card_id
    returning 1`;
  return deleted.length;
}

function codeContext(id: string): string {
  return `card_tokenizations.code:${id}`;
}
