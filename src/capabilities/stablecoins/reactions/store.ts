import { OPEN } from '#capabilities/stablecoins/open-operations-store.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** The internal accounts among these that an open mint or burn takes from or credits. */
export async function findAccountsInUse(tx: ReadTx, accountIds: readonly AccountId[]): Promise<AccountId[]> {
  const rows = await tx.sql<{ id: AccountId }>`
    select t.source_internal as id from stablecoin_operations t
     where t.platform_id = ${tx.platformId} and t.source_internal = any(${accountIds}::uuid[]) and ${OPEN}
    union
    select t.destination_internal from stablecoin_operations t
     where t.platform_id = ${tx.platformId} and t.destination_internal = any(${accountIds}::uuid[]) and ${OPEN}`;
  return rows.map((row) => row.id);
}

/** The bare UUID of the platform's live coin with this symbol. */
export async function findCoinIdBySymbol(tx: ReadTx, symbol: string): Promise<CoinId | undefined> {
  const [row] = await tx.sql<{ id: CoinId }>`
    select t.id from stablecoins t
     where t.platform_id = ${tx.platformId} and t.symbol = ${symbol}
       and t.issuance_status not in ('REJECTED', 'FAILED')`;
  return row?.id;
}

/** Whether an open mint or burn debits or pays an external account of the customer. */
export async function hasOpenOutside(tx: ReadTx, customerId: CustomerId): Promise<boolean> {
  const rows = await tx.sql`
    select 1 from stablecoin_operations t
     where t.platform_id = ${tx.platformId} and ${OPEN} and ${withAccountOutside(customerId)} limit 1`;
  return rows.length > 0;
}

/** Erases what operations and the provider's references hold about a customer, except amounts and times. */
export async function eraseFromOperations(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    update stablecoin_operations t set description = null, note = null
     where t.platform_id = ${tx.platformId} and num_nonnulls(t.description, t.note) > 0
       and (${withAccountOutside(customerId)} or exists (
         select from internal_accounts a
          where a.platform_id = t.platform_id and a.customer_id = ${customerId}
            and a.id in (t.source_internal, t.destination_internal)))`;
  await tx.sql`
    delete from stablecoin_account_links l using external_accounts a
     where l.platform_id = ${tx.platformId} and a.platform_id = l.platform_id and a.id = l.external_account
       and a.customer_id = ${customerId}`;
}

function withAccountOutside(customerId: CustomerId): Sql {
  return sql`exists (
    select from external_accounts a
     where a.platform_id = t.platform_id and a.customer_id = ${customerId}
       and a.id in (t.source_external, t.destination_external))`;
}
