import type { ReadTx } from '#database/tx.ts';

/** Every customer that goes or went by this reference of the platform's own, deleted ones too. */
export async function findIdsByReference(tx: ReadTx, platformCustomerId: string): Promise<string[]> {
  const rows = await tx.sql<{ id: string }>`
    select id from customers
     where platform_id = ${tx.platformId} and platform_customer_id = ${platformCustomerId}
     order by created_at desc, id desc`;
  return rows.map(({ id }) => id);
}
