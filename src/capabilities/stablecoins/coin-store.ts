import { COINS, type CoinRow } from '#capabilities/stablecoins/coin-row.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

const COLUMNS = COINS.columns('t');

export async function findCoin(tx: ReadTx, id: CoinId): Promise<CoinRow | undefined> {
  const [row] = await tx.query<CoinRow>(coinById(tx, id));
  return row;
}

/** Uses one statement. */
export function findCoins(tx: ReadTx, ids: readonly CoinId[]): Promise<CoinRow[]> {
  return tx.query<CoinRow>(sql`
    select ${COLUMNS} from stablecoins t where t.platform_id = ${tx.platformId} and t.id = any(${ids}::uuid[])`);
}

/**
 * Locks the coin until the transaction ends, so that changes that take coins from outside, and the enabling or
 * disabling of the coin, happen one after the other.
 */
export async function lockCoin(tx: Tx, id: CoinId): Promise<CoinRow | undefined> {
  const [row] = await tx.query<CoinRow>(sql`${coinById(tx, id)} for no key update of t`);
  return row;
}

function coinById({ platformId }: ReadTx, id: CoinId): Sql {
  return sql`select ${COLUMNS} from stablecoins t where t.platform_id = ${platformId} and t.id = ${id}`;
}
