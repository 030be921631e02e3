import type { Tx } from '#database/tx.ts';
import { checkBounds, keysetPage, type Page, pageRequest } from '#http/paging.ts';
import { parseId } from '#lib/ids.ts';
import { type FieldError, invalidFields } from '#lib/refusals.ts';
import { presentTransaction } from '#payments/present-transaction.ts';
import type { TransactionRow } from '#payments/row.ts';
import type { TransactionQuery } from '#payments/transactions/schemas.ts';
import { searchTransactions } from '#payments/transactions/search-transactions.ts';

type Presented = ReturnType<typeof presentTransaction>;

/** GET /transactions (money.md §6.1 to §6.4). */
export async function listTransactions(tx: Tx, query: TransactionQuery): Promise<Page<Presented>> {
  const errors = [...idProblems(query), ...combinationProblems(query)];
  if (errors.length > 0) throw invalidFields(errors);
  checkBounds(query, [['startDate', 'endDate']]);
  const request = pageRequest('listTransactions', query);
  const search = await searchTransactions(tx, query);
  return keysetPage<TransactionRow, Presented>(tx, request, search, (row) =>
    presentTransaction(tx.vault, row, tx.now),
  );
}

/** platform.md §1.2.2: what cannot be an id of the kind is told; one that nobody has finds nothing. */
function idProblems({ customerId, cardId }: TransactionQuery): FieldError[] {
  const isOwner = (text: string) => (parseId('Customer', text) ?? parseId('Platform', text)) !== undefined;
  const errors: FieldError[] = [];
  if (customerId !== undefined && !isOwner(customerId)) {
    errors.push({ field: 'customerId', message: 'must be the id of a customer, or the platform’s own' });
  }
  if (cardId !== undefined && parseId('Card', cardId) === undefined) {
    errors.push({ field: 'cardId', message: 'must be the id of a card' });
  }
  return errors;
}

/** §6.3: `status` speaks of payments only, and a card pays neither in nor out. */
function combinationProblems({ status, type, cardId }: TransactionQuery): FieldError[] {
  const errors: FieldError[] = [];
  if (status !== undefined && (type === 'CARD' || cardId !== undefined)) {
    errors.push({ field: 'status', message: 'cannot be combined with card transactions' });
  }
  if (cardId !== undefined && type !== undefined && type !== 'CARD') {
    errors.push({ field: 'cardId', message: `cannot be combined with type ${type}` });
  }
  return errors;
}
