import type { Tx } from '#database/tx.ts';
import { checkBounds, keysetPage, type Page, pageRequest } from '#http/paging.ts';
import { type FieldError, invalidFields } from '#lib/refusals.ts';
import { presentTransaction } from '#payments/present-transaction.ts';
import type { TransactionRow } from '#payments/row.ts';
import type { TransactionQuery } from '#payments/transactions/schemas.ts';
import { searchTransactions } from '#payments/transactions/search-transactions.ts';

type Presented = ReturnType<typeof presentTransaction>;

/** GET /transactions (money.md §6.1 to §6.4). */
export async function listTransactions(tx: Tx, query: TransactionQuery): Promise<Page<Presented>> {
  checkCombination(query);
  checkBounds(query, [['startDate', 'endDate']]);
  const request = pageRequest('listTransactions', query);
  const search = await searchTransactions(tx, query);
  return keysetPage<TransactionRow, Presented>(tx, request, search, (row) =>
    presentTransaction(tx.vault, row, tx.now),
  );
}

/** §6.3: `status` speaks of payments only, and a card pays neither in nor out. */
function checkCombination({ status, type, cardId }: TransactionQuery): void {
  const errors: FieldError[] = [];
  if (status !== undefined && (type === 'CARD' || cardId !== undefined)) {
    errors.push({ field: 'status', message: 'does not go with card transactions' });
  }
  if (cardId !== undefined && type !== undefined && type !== 'CARD') {
    errors.push({ field: 'cardId', message: `does not go with type ${type}` });
  }
  if (errors.length > 0) throw invalidFields(errors);
}
