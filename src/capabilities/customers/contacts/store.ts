import type { ReadTx, Tx } from '#foundation/database/tx.ts';

export type Channel = 'EMAIL' | 'PHONE';

export interface ContactCode {
  id: string;
  code_hash: Buffer;
  /** Sealed; null once the message has been sent. */
  code: Buffer | null;
  issued_at: Date;
  expires_at: Date;
  wrong_tries: number;
  /** The code is void after this many wrong tries; null: no limit. */
  wrong_tries_max: number | null;
}

/** The sealed code can be opened for this customer and channel only. */
export function codeContext(customerId: string, channel: Channel): string {
  return `contact_codes.code:${customerId}:${channel}`;
}

export async function findCode(
  tx: ReadTx,
  customerId: string,
  channel: Channel,
): Promise<ContactCode | undefined> {
  const [row] = await tx.sql<ContactCode>`
    select id, code_hash, code, issued_at, expires_at, wrong_tries, wrong_tries_max from contact_codes
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and channel = ${channel}`;
  return row;
}

/** Stores the new code in place of the previous one, which becomes void. */
export async function replaceCode(
  tx: Tx,
  customerId: string,
  channel: Channel,
  issued: Pick<ContactCode, 'id' | 'code_hash' | 'code' | 'expires_at' | 'wrong_tries_max'>,
): Promise<void> {
  await tx.sql`
    insert into contact_codes
      (platform_id, customer_id, channel, id, code_hash, code, issued_at, expires_at, wrong_tries_max)
    values (${tx.platformId}, ${customerId}, ${channel}, ${issued.id}, ${issued.code_hash}, ${issued.code},
            ${tx.now}, ${issued.expires_at}, ${issued.wrong_tries_max})
    on conflict (platform_id, customer_id, channel) do update
       set id = excluded.id, code_hash = excluded.code_hash, code = excluded.code, issued_at = excluded.issued_at,
           expires_at = excluded.expires_at, wrong_tries = 0, wrong_tries_max = excluded.wrong_tries_max`;
}

export async function countWrongTry(tx: Tx, customerId: string, channel: Channel): Promise<void> {
  await tx.sql`
    update contact_codes set wrong_tries = wrong_tries + 1
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and channel = ${channel}`;
}

/** Once the message is sent, only the hash of the code is needed. */
export async function clearCode(tx: Tx, customerId: string, channel: Channel, codeId: string): Promise<void> {
  await tx.sql`
    update contact_codes set code = null
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and channel = ${channel}
       and id = ${codeId}`;
}

/** Keeps the row, because the pause between messages counts from its `issued_at` (customers.md §3.2). */
export async function voidCode(tx: Tx, customerId: string, channel: Channel): Promise<void> {
  await tx.sql`
    update contact_codes set code = null, expires_at = issued_at
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and channel = ${channel}`;
}

/** Called when the customer is deleted. */
export async function deleteCodes(tx: Tx, customerId: string): Promise<void> {
  await tx.sql`
    delete from contact_codes where platform_id = ${tx.platformId} and customer_id = ${customerId}`;
}
