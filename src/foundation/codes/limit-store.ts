import { purgeRows } from '#foundation/database/rows.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { type AttemptLimit, countedSince, type SentKind } from '#foundation/lib/code-kinds.ts';

export type AttemptKind = `${SentKind}_SEND` | 'WALLET_CHALLENGE' | 'WALLET_FAILURE';

/** Whose attempts: a customer's (CONTACT, SCA), a card's (CARD) or a credential's (WALLET). */
export interface Attempted {
  readonly kind: AttemptKind;
  readonly ownerId: Id;
}

/** The time of the oldest of the last `max` attempts that count; undefined: there are fewer. */
export async function findDecidingAttempt(
  tx: ReadTx,
  { kind, ownerId }: Attempted,
  limit: AttemptLimit,
): Promise<Date | undefined> {
  const [row] = await tx.sql<{ at: Date }>`
    select at from code_attempts
     where platform_id = ${tx.platformId} and kind = ${kind} and owner_id = ${ownerId}
       and at > ${new Date(countedSince(limit, tx.now.getTime()))}
       and not (${limit.clearedBySuccess === true} and is_cleared)
     order by at desc offset ${limit.max - 1} limit 1`;
  return row?.at;
}

export async function recordAttempt(tx: Tx, { kind, ownerId }: Attempted): Promise<void> {
  await tx.sql`
    insert into code_attempts (platform_id, kind, owner_id, at)
    values (${tx.platformId}, ${kind}, ${ownerId}, ${tx.now})`;
}

/** Called after a success. */
export async function clearAttempts(tx: Tx, { kind, ownerId }: Attempted): Promise<void> {
  await tx.sql`
    update code_attempts set is_cleared = true
     where platform_id = ${tx.platformId} and kind = ${kind} and owner_id = ${ownerId} and not is_cleared`;
}

/** The number of attempts of each owner within a day, cleared or not. */
export async function countAttempts(
  tx: ReadTx,
  kind: AttemptKind,
  ownerIds: readonly Id[],
): Promise<Map<string, number>> {
  const rows = await tx.sql<{ id: string; attempts: number }>`
    select owner_id as id, count(*)::integer as attempts from code_attempts
     where platform_id = ${tx.platformId} and kind = ${kind} and owner_id = any(${ownerIds}::uuid[])
       and at > ${tx.now}::timestamptz - interval '1 day'
     group by owner_id`;
  return new Map(rows.map(({ id, attempts }) => [id, attempts]));
}

export async function deleteAttempts(
  tx: Tx,
  kinds: readonly AttemptKind[],
  ownerIds: readonly Id[],
): Promise<void> {
  await tx.sql`
    delete from code_attempts
     where platform_id = ${tx.platformId} and kind = any(${kinds}::text[]) and owner_id = any(${ownerIds}::uuid[])`;
}

/** No limit looks back further than a day (wallets.md §1, customers.md §7.17). */
export function purgeAttempts(tx: Tx, rowsMax: number): Promise<number> {
  return purgeRows(tx, 'code_attempts', sql`at < ${tx.now}::timestamptz - interval '1 day'`, rowsMax);
}
