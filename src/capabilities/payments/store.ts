import { parseTransaction, TRANSACTIONS, type TransactionColumns } from '#capabilities/payments/columns.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { notFound } from '#foundation/lib/refusals.ts';

const COLUMNS = TRANSACTIONS.columns('t');

/** Uses one statement for any number of ids; unknown ids are left out. */
export async function findTransactions(tx: ReadTx, ids: readonly string[]): Promise<TransactionRow[]> {
  return readTransactions(tx, sql`t.platform_id = ${tx.platformId} and t.id = any(${ids}::uuid[])`);
}

/** The transactions `t` that meet the condition. */
export async function readTransactions(tx: ReadTx, condition: Sql): Promise<TransactionRow[]> {
  const rows = await tx.query<TransactionColumns>(
    sql`select ${COLUMNS} from transactions t where ${condition}`,
  );
  return rows.map(parseTransaction);
}

export async function findTransaction(tx: ReadTx, id: string): Promise<TransactionRow | undefined> {
  const [row] = await readTransactions(tx, sql`t.platform_id = ${tx.platformId} and t.id = ${id}`);
  return row;
}

export async function findQuote(tx: ReadTx, quoteId: QuoteId): Promise<TransactionRow | undefined> {
  const [row] = await readTransactions(tx, sql`t.platform_id = ${tx.platformId} and t.quote_id = ${quoteId}`);
  return row;
}

/** Locks the rows until the transaction ends. Transactions are always locked in this order, by id. */
export function lockTransactions(tx: Tx, ids: readonly string[]): Promise<TransactionRow[]> {
  const ours = sql`t.platform_id = ${tx.platformId} and t.id = any(${ids}::uuid[])`;
  return readTransactions(tx, sql`${ours} order by t.id for no key update`);
}

/** A missing transaction and another platform's get the same answer (money.md §6.5). */
export async function lockTransaction(tx: Tx, id: TransactionId): Promise<TransactionRow> {
  const [row] = await lockTransactions(tx, [id]);
  if (!row) throw notFound('TRANSACTION_NOT_FOUND', 'Transaction');
  return row;
}

export async function replacePrivate(tx: Tx, id: TransactionId, sealed: Buffer | null): Promise<void> {
  await tx.sql`
    update transactions set private = ${sealed} where platform_id = ${tx.platformId} and id = ${id}`;
}

/** Payments whose customer missed the deadline to authorize them, oldest first. */
export async function findLapsed(
  tx: ReadTx,
  limit: number,
  condition: Sql = sql`true`,
): Promise<TransactionId[]> {
  const rows = await tx.sql<{ id: TransactionId }>`
    select id from transactions
     where platform_id = ${tx.platformId} and status = 'PENDING_AUTHORIZATION' and authorize_by <= ${tx.now}
       and ${condition}
     order by authorize_by
     limit ${limit}`;
  return rows.map((row) => row.id);
}

/** Transfers that the platform did not approve in time, oldest first. Quotes are left out: they expire at that time. */
export async function findUnapproved(
  tx: ReadTx,
  limit: number,
  condition: Sql = sql`true`,
): Promise<TransactionId[]> {
  const rows = await tx.sql<{ id: TransactionId }>`
    select id from transactions
     where platform_id = ${tx.platformId} and approve_by <= ${tx.now} and kind = 'TRANSFER' and ${condition}
     order by approve_by
     limit ${limit}`;
  return rows.map((row) => row.id);
}

/** Quotes that were neither executed nor funded in time, oldest first. */
export async function findExpired(
  tx: ReadTx,
  limit: number,
  condition: Sql = sql`true`,
): Promise<TransactionId[]> {
  const rows = await tx.sql<{ id: TransactionId }>`
    select id from transactions
     where platform_id = ${tx.platformId} and kind = 'QUOTE' and status = 'PENDING' and executed_at is null
       and expires_at <= ${tx.now} and ${condition}
     order by expires_at
     limit ${limit}`;
  return rows.map((row) => row.id);
}
