import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { type GuardedAccount, LEDGER_KINDS, SUSPENDING_KINDS } from '#foundation/ledger/kinds.ts';

/** Money in SUSPENSE that has not been resolved yet. */
export interface Suspended {
  readonly id: Id<'JournalEntry'>;
  readonly seq: bigint;
  readonly kind: (typeof SUSPENDING_KINDS)[number];
  readonly transaction_id: TransactionId | null;
  readonly currency: string;
  readonly amount: bigint;
  readonly created_at: Date;
}

/** How a page reads the unresolved ones; an entry is resolved by the one that reverses it. */
export const SUSPENDED_ROWS = {
  columns: sql`t.id, t.seq, t.kind, t.transaction_id, t.currency, t.amount, t.created_at`,
  from: sql`(
    select o.platform_id, o.entry as id, o.seq, o.kind, o.transaction_id, o.currency, o.amount, o.created_at
      from open_suspense o) t`,
};

/** Finds it by the entry that booked it; undefined if there is none, or it was resolved. */
export async function findSuspended(tx: ReadTx, entryId: Id<'JournalEntry'>): Promise<Suspended | undefined> {
  const [found] = await readSuspended(tx, sql`o.entry = ${entryId}`);
  return found;
}

/** Finds the unresolved one of a transaction. */
export async function findSuspendedOf(
  tx: ReadTx,
  transactionId: TransactionId,
): Promise<Suspended | undefined> {
  const [found] = await readSuspended(tx, sql`o.transaction_id = ${transactionId}`);
  return found;
}

/** The same, resolved or not, with the entry that resolved it. */
export interface EverSuspended extends Suspended {
  readonly resolved_by: string | null;
  readonly resolved_at: Date | null;
}

export async function findEverSuspended(
  tx: ReadTx,
  entryId: Id<'JournalEntry'>,
): Promise<EverSuspended | undefined> {
  const [found] = await tx.query<EverSuspended>(sql`
    select e.id, e.seq, ledger_kind(e.kind) as kind, e.transaction_id, l.currency, -l.amount as amount, e.created_at,
           r.id as resolved_by, r.created_at as resolved_at
      from ledger_entries e
     cross join lateral unnest(e.accounts, e.currencies, e.amounts) as l (account, currency, amount)
      left join ledger_entries r on r.platform_id = e.platform_id and r.reverses_seq = e.seq
     where e.platform_id = ${tx.platformId} and e.kind in (${SUSPENDING}) and e.id = ${entryId}
       and l.amount < 0 and starts_with(l.account, 'SUSPENSE:')`);
  return found;
}

/**
 * The kinds that book money to SUSPENSE, by name and by number, as literal text, so that the partial index over them can be
 * used.
 */
export const SUSPENDING = rawSql(
  SUSPENDING_KINDS.map((kind) => `'${kind}', '${LEDGER_KINDS[kind]}'`).join(', '),
);

function readSuspended(tx: ReadTx, condition: Sql): Promise<Suspended[]> {
  return tx.sql<Suspended>`
    select o.entry as id, o.seq, o.kind, o.transaction_id, o.currency, o.amount, o.created_at
      from open_suspense o
     where o.platform_id = ${tx.platformId} and ${condition}
     order by o.seq, o.currency`;
}

/** A debt to us. */
export interface Receivable {
  readonly account: GuardedAccount;
  readonly currency: string;
  readonly balance: bigint;
  readonly updated_at: Date;
}

/** How a page reads the debts of a platform. */
export const RECEIVABLE_ROWS = {
  columns: sql`t.id, t.account, t.currency, t.balance, t.created_at as updated_at, t.created_at`,
  from: sql`(
    select d.platform_id, d.id, d.account, d.currency, d.amount as balance, d.since as created_at from open_debts d) t`,
};

/** The debts of one debtor: the bare UUID of a customer, or of the platform itself. */
export function findReceivables(tx: ReadTx, ownerId: Id<'Customer' | 'Platform'>): Promise<Receivable[]> {
  const name = `RECEIVABLE:${ownerId}`;
  // As an index range: a semicolon is the character after the colon.
  return tx.sql<Receivable>`
    select account, currency, amount as balance, since as updated_at from open_debts
     where platform_id = ${tx.platformId} and account >= ${`${name}:`} and account < ${`${name};`}
     order by account, currency`;
}
