import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** A row that its account is still liable for: open, or with a debt (cards.md §7.2). Matches a partial index. */
const LIABLE = sql`(t.status in ('AUTHORIZED', 'PARTIALLY_SETTLED') or t.status = 'EXCEPTION' and t.receivable > 0)`;

/** Which of these accounts must stay open: a card is not closed, or a row is open or has a debt (cards.md §7.2). */
export async function findAccountsInUse(tx: ReadTx, accountIds: readonly AccountId[]): Promise<AccountId[]> {
  const rows = await tx.sql<{ id: AccountId }>`
    select distinct c.funding_source as id from cards c
     where c.platform_id = ${tx.platformId} and c.funding_source = any(${accountIds}::uuid[]) and c.status <> 'CLOSED'
    union
    select distinct t.account_id from card_transactions t
     where t.platform_id = ${tx.platformId} and t.account_id = any(${accountIds}::uuid[]) and ${LIABLE}`;
  return rows.map((row) => row.id);
}

export function hasLiveCard(tx: ReadTx, customerId: CustomerId): Promise<boolean> {
  return exists(
    tx,
    sql`cards c
     where c.platform_id = ${tx.platformId} and c.customer_id = ${customerId} and c.status <> 'CLOSED'`,
  );
}

/** Includes rows on an account that was closed before the row was created. */
export function hasLiableRow(tx: ReadTx, customerId: CustomerId): Promise<boolean> {
  return exists(
    tx,
    sql`internal_accounts a
      join card_transactions t on t.platform_id = a.platform_id and t.account_id = a.id and ${LIABLE}
     where a.platform_id = ${tx.platformId} and a.customer_id = ${customerId}`,
  );
}

async function exists(tx: ReadTx, from: Sql): Promise<boolean> {
  const [row] = await tx.sql<{ found: boolean }>`select exists (select from ${from}) as found`;
  return row?.found ?? false;
}

/**
 * Removes the values that name an erased customer: the platform's references, the last digits of card numbers, and
 * merchants. Amounts and times stay. No index finds the merchants in the network's notices: these are lost with the
 * customer's key.
 */
export async function eraseFromCards(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    update cards set platform_card_id = null, last4 = null, details = null, reference_hash = null
     where platform_id = ${tx.platformId} and customer_id = ${customerId}`;
  await tx.sql`
    update card_transactions set platform_customer_id = null, merchant = null, details = null
     where platform_id = ${tx.platformId} and customer_id = ${customerId}`;
}
