import type { Static } from 'typebox';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import type { TransactionOneOf } from '#capabilities/payments/schemas.ts';
import { lockTransactions } from '#capabilities/payments/store.ts';
import type { TransactionQuery } from '#capabilities/payments/transactions/schemas.ts';
import type { Sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { PageSource } from '#foundation/http/mixed-page.ts';
import { type Code, notFound, refuse } from '#foundation/lib/refusals.ts';

export type PresentedTransaction = Static<typeof TransactionOneOf>;

/**
 * A table whose rows appear in the list of transactions. It has `platform_id`, `created_at` and `id`, and for each
 * filter an index that ends in `created_at desc, id desc`. The list itself filters by platform and dates.
 */
export interface TransactionSource extends Pick<PageSource<never>, 'table' | 'columns'> {
  search(tx: ReadTx, filters: TransactionFilters): TransactionSearch;
  /** Fetches the keys of all rows of a page in one trip, before the rows are presented one by one. */
  load?(tx: ReadTx, rows: readonly never[]): Promise<void>;
  present(tx: ReadTx, row: never): PresentedTransaction;
  /** The transaction with this id; bare UUID. */
  find(tx: ReadTx, id: TransactionId): Promise<PresentedTransaction | undefined>;
}

export async function findAmong(
  tx: ReadTx,
  sources: readonly TransactionSource[],
  id: TransactionId,
): Promise<PresentedTransaction | undefined> {
  for (const source of sources) {
    const found = await source.find(tx, id);
    if (found) return found;
  }
  return undefined;
}

/** The refusal for a transaction that is not a payment (cards.md §9.3). */
export interface PaymentsOnly {
  readonly sources: readonly TransactionSource[];
  readonly code: Code;
  readonly reason: string;
}

export async function lockPayment(tx: Tx, id: TransactionId, only: PaymentsOnly): Promise<TransactionRow> {
  const [row] = await lockTransactions(tx, [id]);
  return row ?? refuseMissingPayment(tx, id, only);
}

/** No payment has this id; another source may have it. Missing and foreign ids get the same answer (money.md §6.5). */
export async function refuseMissingPayment(
  tx: ReadTx,
  id: TransactionId,
  { sources, code, reason }: PaymentsOnly,
): Promise<never> {
  const other = await findAmong(tx, sources, id);
  if (!other) throw notFound('TRANSACTION_NOT_FOUND', 'Transaction');
  refuse(code, reason, { type: other.type, status: other.status });
}

/** The conditions on a source's rows; without alternatives, no row can match. */
export type TransactionSearch = Required<Pick<PageSource<never>, 'alternatives'>> &
  Pick<PageSource<never>, 'nullColumn'>;

/** The filters of a request (money.md §6.2, §6.3), parsed once for all sources. */
export interface TransactionFilters
  extends Readonly<Pick<TransactionQuery, 'status' | 'type' | 'reference'>> {
  /** Ids of customers; null for the platform itself. */
  readonly owners?: readonly (string | null)[];
  /** Internal accounts; the money leaves or reaches one of them. */
  readonly accounts?: readonly string[];
  readonly account?: Party;
  readonly sender?: Party;
  readonly receiver?: Party;
  readonly cardId?: CardId;
  /** Only for the operator, together with a period or another filter, because it has no index. */
  readonly amount?: AmountFilter;
}

/** The amount sent or received, in the smallest unit, or its currency. */
export interface AmountFilter {
  readonly units?: bigint;
  readonly currency?: string;
}

/** An account, of either kind if its id does not tell, or a UMA address. */
export type Party =
  | { readonly uma: string }
  | { readonly account: string; readonly kind?: 'INTERNAL' | 'EXTERNAL' };

/**
 * One filter: alternative conditions, of which a row meets at most one, each served by an index in the list's order.
 */
export type Alternatives = readonly Sql[];

/** The filter that no row of a source can meet. */
export const EXCLUDED: Alternatives = [];

/** No filter if the value is undefined. */
export function optionalFilter<T>(value: T | undefined, filter: (value: T) => Alternatives): Alternatives[] {
  return value === undefined ? [] : [filter(value)];
}

/** Every combination of alternatives that meets all filters; no row is in two of them. */
export function combineFilters(filters: readonly Alternatives[]): Sql[][] {
  return filters.reduce<Sql[][]>(
    (ways, alternatives) => ways.flatMap((way) => alternatives.map((condition) => [...way, condition])),
    [[]],
  );
}
