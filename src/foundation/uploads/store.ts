import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/**
 * Inserts the row of an object that is about to be stored. The row gets the object's key later, when its owner
 * is known.
 */
export async function insertContent(tx: Tx, id: Id<'Content'>, begunAt: Date): Promise<void> {
  await tx.sql`
    insert into contents (platform_id, id, state, begun_at)
    values (${tx.platformId}, ${id}, 'INCOMING', ${begunAt})`;
}

/** Returns false if the content is no longer incoming. */
export async function markStored(
  tx: Tx,
  id: Id<'Content'>,
  bytes: number,
  sealedKey: Buffer,
): Promise<boolean> {
  const rows = await tx.sql`
    update contents set state = 'STORED', bytes = ${bytes}, key = ${sealedKey}
     where platform_id = ${tx.platformId} and id = ${id} and state = 'INCOMING'
    returning id`;
  return rows.length === 1;
}

/** Discards those of these contents that are not discarded yet, in any other state. */
export function markDiscarded(tx: Tx, ids: readonly Id<'Content'>[]): Promise<Id<'Content'>[]> {
  return discardWhere(tx, sql`id = any(${ids}::uuid[]) and state <> 'DISCARDED'`);
}

/** Discards the content if it was never kept. */
export function markIncomingDiscarded(tx: Tx, id: Id<'Content'>): Promise<Id<'Content'>[]> {
  return discardWhere(tx, sql`id = ${id} and state = 'INCOMING'`);
}

/** Discards all contents that began by then and were never kept. */
export function markAbandoned(tx: Tx, begunBy: Date): Promise<Id<'Content'>[]> {
  return discardWhere(tx, sql`state = 'INCOMING' and begun_at <= ${begunBy}`);
}

/** Discards contents and deletes their keys. Returns the ids of the discarded contents. */
async function discardWhere(tx: Tx, condition: Sql): Promise<Id<'Content'>[]> {
  const rows = await tx.sql<{ id: Id<'Content'> }>`
    update contents set state = 'DISCARDED', key = null
     where platform_id = ${tx.platformId} and ${condition}
    returning id`;
  return rows.map(({ id }) => id);
}

export async function hasIncoming(tx: ReadTx): Promise<boolean> {
  const rows = await tx.sql`
    select from contents where platform_id = ${tx.platformId} and state = 'INCOMING' limit 1`;
  return rows.length > 0;
}

/** Sealed; undefined if there is no such content, or it was discarded. */
export async function findContentKey(tx: ReadTx, id: Id<'Content'>): Promise<Buffer | undefined> {
  const [row] = await tx.sql<{ key: Buffer | null }>`
    select key from contents where platform_id = ${tx.platformId} and id = ${id}`;
  return row?.key ?? undefined;
}

/** Called when the object itself has been removed. */
export async function deleteDiscarded(tx: Tx, id: Id<'Content'>): Promise<void> {
  await tx.sql`
    delete from contents where platform_id = ${tx.platformId} and id = ${id} and state = 'DISCARDED'`;
}
