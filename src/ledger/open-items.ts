import { type Sql, sql } from '#database/sql.ts';
import type { Tx } from '#database/tx.ts';
import type { GuardedAccount } from '#ledger/accounts.ts';

/** Money in SUSPENSE that nobody has taken up yet. */
export interface Suspended {
  readonly id: string;
  readonly seq: bigint;
  readonly kind: string;
  readonly transaction_id: string | null;
  readonly currency: string;
  readonly amount: bigint;
  readonly created_at: Date;
}

/** The oldest first; an entry is taken up by the one that reverses it. */
export function listSuspended(tx: Tx): Promise<Suspended[]> {
  return tx.query<Suspended>(suspended(tx, sql`true`));
}

/** By the entry that put it there; undefined where there is none, or it was taken up. */
export async function findSuspended(tx: Tx, entryId: string): Promise<Suspended | undefined> {
  const [found] = await tx.query<Suspended>(suspended(tx, sql`e.id = ${entryId}`));
  return found;
}

/** Refunds that failed and receipts that fit nothing are the kinds that suspend money; they have an index. */
function suspended(tx: Tx, condition: Sql): Sql {
  return sql`
    select e.id, e.seq, e.kind, e.transaction_id, l.currency, -l.amount as amount, e.created_at
      from ledger_entries e
     cross join lateral unnest(e.accounts, e.currencies, e.amounts) as l (account, currency, amount)
     where e.platform_id = ${tx.platformId} and e.kind in ('L12', 'L20') and ${condition}
       and l.amount < 0 and starts_with(l.account, 'SUSPENSE:')
       and not exists (
         select from ledger_entries r where r.platform_id = ${tx.platformId} and r.reverses_seq = e.seq)
     order by e.seq`;
}

/** What somebody owes us. */
export interface Receivable {
  readonly account: GuardedAccount;
  readonly currency: string;
  readonly balance: bigint;
  readonly updated_at: Date;
}

export function listReceivables(tx: Tx): Promise<Receivable[]> {
  return owedUnder(tx, 'RECEIVABLE');
}

/** What one of them owes; the bare UUID of a customer, or of the platform itself. */
export function receivablesOf(tx: Tx, ownerId: string): Promise<Receivable[]> {
  return owedUnder(tx, `RECEIVABLE:${ownerId}`);
}

/** Accounts whose names go on with a colon, along their index: a semicolon is what comes next. */
function owedUnder(tx: Tx, name: string): Promise<Receivable[]> {
  return tx.sql<Receivable>`
    select account, currency, balance, updated_at from ledger_balances
     where platform_id = ${tx.platformId} and account >= ${`${name}:`} and account < ${`${name};`} and balance > 0
     order by account, currency`;
}
