import { type Sql, sql } from '#database/sql.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import type { AccountState, GuardedAccount, SummedAccount } from '#ledger/kinds.ts';

/** Opens guarded accounts with a balance of zero; one that is open already stays as it is. */
export async function openLedgerAccounts(
  tx: Tx,
  accounts: readonly { account: GuardedAccount; currency: string }[],
): Promise<void> {
  const names = accounts.map(({ account }) => account);
  const currencies = accounts.map(({ currency }) => currency);
  await tx.sql`
    insert into ledger_balances (platform_id, account, currency, updated_at)
    select ${tx.platformId}, wanted.account, wanted.currency, ${tx.now}
      from unnest(${names}::text[], ${currencies}::text[]) as wanted (account, currency)
     order by wanted.account collate "C", wanted.currency collate "C"
        on conflict do nothing`;
}

/** The transactions among these that have taken a step. */
export async function findStepsTaken(
  tx: ReadTx,
  transactionIds: readonly string[],
  step: string,
): Promise<string[]> {
  const rows = await tx.sql<{ transaction_id: string }>`
    select transaction_id from ledger_entries
     where platform_id = ${tx.platformId} and transaction_id = any(${transactionIds}::uuid[]) and step = ${step}`;
  return rows.map((row) => row.transaction_id);
}

/** The guarded accounts among these that are open, in no particular order. */
export function findBalances(tx: ReadTx, accounts: readonly GuardedAccount[]): Promise<AccountState[]> {
  return tx.sql<AccountState>`
    select account, currency, last_no as no, balance
      from ledger_balances
     where platform_id = ${tx.platformId} and account = any(${accounts}::text[])`;
}

export interface Sum {
  readonly debit: bigint;
  readonly credit: bigint;
}

/** Everything that was ever posted to a shared account: the last roll-up and the lines since. */
export async function loadSum(tx: ReadTx, account: SummedAccount): Promise<Sum> {
  const [row] = await tx.sql<{ debit: string; credit: string }>`
    select coalesce(sum(part.debit), 0) as debit, coalesce(sum(part.credit), 0) as credit
      from (
        select r.debit, r.credit
          from ledger_rollups r
         where r.platform_id = ${tx.platformId} and r.account = ${account}
        union all
        select case when l.side = 'DEBIT' then l.amount end, case when l.side = 'CREDIT' then l.amount end
          from ledger_lines l
         where l.platform_id = ${tx.platformId} and l.account = ${account}
           and l.seq > coalesce((select m.seq from ledger_rollup_marks m where m.platform_id = ${tx.platformId}), 0)
      ) part`;
  return { debit: BigInt(row?.debit ?? 0), credit: BigInt(row?.credit ?? 0) };
}

/**
 * For a statement over internal accounts `t` (with `platform_id`, `id` and `currency`): joins the balances of their
 * ledger accounts (kinds.ts), one look-up each, so that row and balances are of the same moment. A count over the same
 * `from` does not pay for it, because the planner drops a left join that no column needs. Adds `money.available`
 * (AVAIL), `money.total` (all together) and `money.posted_at`, the business time of the last line on any of them.
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

/** Nothing is posted to these accounts until the transaction ends. They are locked in the same order as by postings. */
export async function lockBalances(tx: Tx, accounts: readonly GuardedAccount[]): Promise<AccountState[]> {
  return tx.sql<AccountState>`
    select account, currency, last_no as no, balance
      from ledger_balances
     where platform_id = ${tx.platformId} and account = any(${accounts}::text[])
     order by account, currency
       for no key update`;
}
