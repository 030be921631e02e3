import { parseTransaction, TRANSACTIONS, type TransactionColumns } from '#capabilities/payments/columns.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
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

/** Payments that are past a deadline, the longest overdue first. */
export async function findOverdue(
  tx: ReadTx,
  deadline: keyof typeof OVERDUE,
  limit: number,
  condition: Sql = sql`true`,
): Promise<TransactionId[]> {
  const at = rawSql(deadline);
  const rows = await tx.sql<{ id: TransactionId }>`
    select id from transactions
     where platform_id = ${tx.platformId} and ${OVERDUE[deadline]} and ${at} <= ${tx.now} and ${condition}
     order by ${at}
     limit ${limit}`;
  return rows.map((row) => row.id);
}

/** The payments that have each deadline. */
const OVERDUE = {
  authorize_by: sql`status = 'PENDING_AUTHORIZATION'`,
  // A quote that waits for approval expires at the same time.
  approve_by: sql`kind = 'TRANSFER'`,
  expires_at: sql`kind = 'QUOTE' and status = 'PENDING' and executed_at is null`,
};
