import { type Sql, sql } from '#database/sql.ts';
import type { ReadTx } from '#database/tx.ts';
import { mixedPage, type PageSource } from '#http/mixed-page.ts';
import { checkBounds, type Page, pageRequest } from '#http/paging.ts';
import { parseDateTime } from '#lib/dates.ts';
import { parseId } from '#lib/ids.ts';
import { type FieldError, invalidFields } from '#lib/refusals.ts';
import { readFilters } from '#payments/transactions/read-filters.ts';
import type { TransactionQuery } from '#payments/transactions/schemas.ts';
import type { PresentedTransaction, TransactionSource } from '#payments/transactions/sources.ts';

/** GET /transactions (money.md §6.1–6.4). */
export async function listTransactions(
  tx: ReadTx,
  query: TransactionQuery,
  sources: readonly TransactionSource[],
): Promise<Page<PresentedTransaction>> {
  const errors = [...idProblems(query), ...combinationProblems(query)];
  if (errors.length > 0) throw invalidFields(errors);
  checkBounds(query, [['startDate', 'endDate']]);
  const request = pageRequest('listTransactions', query);
  const asked = await searchSources(tx, query, sources);
  return mixedPage(tx, request, query.sortOrder ?? 'desc', asked);
}

/** Each source with what its rows must meet. */
export async function searchSources(
  tx: ReadTx,
  query: TransactionQuery,
  sources: readonly TransactionSource[],
): Promise<PageSource<PresentedTransaction>[]> {
  const filters = await readFilters(tx, query);
  if (!filters) return [];
  const where = [sql`t.platform_id = ${tx.platformId}`, ...createdWithin(query)];
  return sources.map((source) => ({
    table: source.table,
    columns: source.columns,
    where,
    ...source.search(tx, filters),
    present: (row: never) => source.present(tx, row),
  }));
}

/** money.md §6.2: both ends count. */
function createdWithin({ startDate, endDate }: TransactionQuery): Sql[] {
  return [
    ...(startDate === undefined ? [] : [sql`t.created_at >= ${parseDateTime(startDate)}`]),
    ...(endDate === undefined ? [] : [sql`t.created_at <= ${parseDateTime(endDate)}`]),
  ];
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

/** money.md §6.3: `status` speaks of payments only, and a card pays neither in nor out. */
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
