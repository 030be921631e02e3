import { sql } from '#database/sql.ts';
import type { ReadTx } from '#database/tx.ts';

const OPEN = sql`t.status in ('CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING')`;

/** Those of these internal accounts that an open mint or burn takes from or gives to. */
export async function findAccountsInUse(tx: ReadTx, accountIds: readonly string[]): Promise<string[]> {
  const rows = await tx.sql<{ id: string }>`
    select t.source_internal as id from stablecoin_operations t
     where t.platform_id = ${tx.platformId} and t.source_internal = any(${accountIds}::uuid[]) and ${OPEN}
    union
    select t.destination_internal from stablecoin_operations t
     where t.platform_id = ${tx.platformId} and t.destination_internal = any(${accountIds}::uuid[]) and ${OPEN}`;
  return rows.map((row) => row.id);
}

/** The bare UUID of the platform's live coin with this symbol. */
export async function findCoinIdOf(tx: ReadTx, symbol: string): Promise<string | undefined> {
  const [row] = await tx.sql<{ id: string }>`
    select t.id from stablecoins t
     where t.platform_id = ${tx.platformId} and t.symbol = ${symbol}
       and t.issuance_status not in ('REJECTED', 'FAILED')`;
  return row?.id;
}
