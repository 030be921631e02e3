import type { ReadTx } from '#foundation/database/tx.ts';

/** Finds the customer to whom a resource of a platform belongs, by its public id. */
export async function findCustomerOf(
  tx: ReadTx,
  resource: string,
  platformId: PlatformId = tx.platformId,
): Promise<CustomerId | undefined> {
  const [row] = await tx.sql<{ id: CustomerId | null }>`
    select customer_of_resource(${platformId}, ${resource}) as id`;
  return row?.id ?? undefined;
}
