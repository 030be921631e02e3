import type { Tx } from '#database/tx.ts';
import { notFound } from '#lib/refusals.ts';
import type { TransactionRow } from '#payments/row.ts';
import { lockTransactions } from '#payments/store.ts';

/** Missing and foreign transactions alike are not there (money.md §6.5). */
export async function lockTransaction(tx: Tx, id: string): Promise<TransactionRow> {
  const [row] = await lockTransactions(tx, [id]);
  if (!row) throw notFound('TRANSACTION_NOT_FOUND', 'Transaction');
  return row;
}
