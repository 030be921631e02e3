import { sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

/** For an operation `t`: it has not ended. Fits the indexes of open operations. */
export const OPEN = sql`t.status in ('CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING')`;

/** The ids of a coin's mints and burns that have not ended, bare UUIDs. */
export async function findOpenOperations(tx: ReadTx, coinId: CoinId): Promise<Id<'StablecoinOperation'>[]> {
  const rows = await tx.sql<{ id: Id<'StablecoinOperation'> }>`
    select t.id from stablecoin_operations t
     where t.platform_id = ${tx.platformId} and t.stablecoin_id = ${coinId} and ${OPEN}`;
  return rows.map((row) => row.id);
}
