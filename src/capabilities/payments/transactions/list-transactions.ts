import { readFilters } from '#capabilities/payments/transactions/read-filters.ts';
import type { TransactionQuery } from '#capabilities/payments/transactions/schemas.ts';
import type {
  AmountFilter,
  PresentedTransaction,
  TransactionSource,
} from '#capabilities/payments/transactions/sources.ts';
import { commonConditions } from '#capabilities/payments/transactions/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { mixedPage, type PageSource } from '#foundation/http/mixed-page.ts';
import { type Page, type PageRequest, pageRequest, requireOrderedBounds } from '#foundation/http/paging.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { type FieldError, invalidFields } from '#foundation/lib/refusals.ts';

/** A list that shows only part of the platform's transactions, or the operator's list. */
export interface NarrowerList {
  /** The list's own name: a cursor is valid only for the list that issued it. */
  readonly list?: string;
  /** For the operator's list over several platforms, which has its own cursor. */
  readonly request?: PageRequest;
  /** Bare UUIDs of internal accounts; the money must leave or reach one of them. Undefined: no such filter. */
  readonly accounts?: readonly string[] | undefined;
  readonly amount?: AmountFilter | undefined;
}

/** GET /transactions (money.md §6.1–6.4). */
export async function listTransactions(
  tx: ReadTx,
  query: TransactionQuery,
  sources: readonly TransactionSource[],
  narrower: NarrowerList = {},
): Promise<Page<PresentedTransaction>> {
  const errors = [...idProblems(query), ...combinationProblems(query)];
  if (errors.length > 0) throw invalidFields(errors);
  requireOrderedBounds(query, [['startDate', 'endDate']]);
  const found = await searchSources(tx, query, sources, narrower);
  const { list = 'listTransactions', request = pageRequest(list, query) } = narrower;
  const page = await mixedPage(tx, request, query.sortOrder ?? 'desc', found);
  const bySource = Map.groupBy(page.data, ({ source }) => source);
  for (const [source, rows] of bySource) {
    await source.load?.(
      tx,
      rows.map(({ row }) => row),
    );
  }
  return { ...page, data: page.data.map(({ source, row }) => source.present(tx, row)) };
}

/** A row of a page, and the source that presents it. */
interface SourceRow {
  readonly source: TransactionSource;
  readonly row: never;
}

/** Each source with the conditions that its rows must meet. */
export async function searchSources(
  tx: ReadTx,
  query: TransactionQuery,
  sources: readonly TransactionSource[],
  { accounts, amount }: Pick<NarrowerList, 'accounts' | 'amount'> = {},
): Promise<PageSource<SourceRow>[]> {
  const read = await readFilters(tx, query);
  if (!read) return [];
  const filters = { ...read, ...(accounts && { accounts }), ...(amount && { amount }) };
  const where = commonConditions(tx, query);
  return sources.map((source) => ({
    table: source.table,
    columns: source.columns,
    where,
    ...source.search(tx, filters),
    present: (row: never) => ({ source, row }),
  }));
}

/** platform.md §1.2.2: a malformed id is refused; a well-formed id that does not exist matches nothing. */
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

/** money.md §6.3: only payments have a `status`, and a card transaction is neither incoming nor outgoing. */
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
