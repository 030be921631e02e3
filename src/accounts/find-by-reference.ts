import type { ReadTx } from '#database/tx.ts';

/** The internal account whose funding instructions carry this reference, if one does. */
export async function findIdByReference(tx: ReadTx, reference: string): Promise<string | undefined> {
  const [row] = await tx.sql<{ id: string }>`
    select id from internal_accounts where platform_id = ${tx.platformId} and reference = ${reference}`;
  return row?.id;
}
