import { type Sql, sql } from '#database/sql.ts';
import type { Tx } from '#database/tx.ts';
import type { AccountState, GuardedAccount } from '#ledger/accounts.ts';

/**
 * For the statement of another capability over rows `t` with `platform_id`, `id` and `currency` that own the
 * accounts of an internal account (kinds.ts) of their id: the balances come with the row, one look-up each, so that
 * both are of the same moment. A count over the same `from` does not pay for it: the planner drops a left join
 * that no column needs. Adds `money.available` (AVAIL), `money.total` (all together) and `money.posted_at`,
 * the business time of the last line on any of them.
 */
export function joinBalances(): Sql {
  return sql`left join lateral (
    select (sum(b.balance) filter (where b.account = 'AVAIL:' || t.id::text))::bigint as available,
           sum(b.balance)::bigint as total, max(b.updated_at) as posted_at
      from ledger_balances b
     where b.platform_id = t.platform_id and b.currency = t.currency
       and b.account = any(ledger_accounts_of(t.id))
  ) money on true`;
}

/** Nothing is posted to these accounts until the transaction ends. Locked in the order in which postings lock. */
export async function lockBalances(tx: Tx, accounts: readonly GuardedAccount[]): Promise<AccountState[]> {
  return tx.sql<AccountState>`
    select account, currency, last_no as no, balance
      from ledger_balances
     where platform_id = ${tx.platformId} and account = any(${accounts}::text[])
     order by account, currency
       for no key update`;
}
