import type { Static } from 'typebox';
import { type Sql, sql } from '#database/sql.ts';
import type { ReadTx } from '#database/tx.ts';
import type { PageSource } from '#http/mixed-page.ts';
import type { TransactionOneOf } from '#payments/schemas.ts';
import type { TransactionQuery } from '#payments/transactions/schemas.ts';

export type PresentedTransaction = Static<typeof TransactionOneOf>;

/**
 * One table whose rows stand in the list of transactions. It has `platform_id`, `created_at` and `id`, and an index
 * for each filter that ends in `created_at desc, id desc`. The list itself sees to the platform and to dates.
 */
export interface TransactionSource extends Pick<PageSource<never>, 'table' | 'columns'> {
  search(tx: ReadTx, filters: TransactionFilters): TransactionSearch;
  present(tx: ReadTx, row: never): PresentedTransaction;
}

/** What a source's rows must meet; no alternative: none of them can. */
export type TransactionSearch = Required<Pick<PageSource<never>, 'alternatives'>> &
  Pick<PageSource<never>, 'nullColumn'>;

/** What is asked for (money.md §6.2 and §6.3), read once for all sources. */
export interface TransactionFilters
  extends Readonly<Pick<TransactionQuery, 'status' | 'type' | 'reference'>> {
  /** Ids of customers; null: the platform itself. */
  readonly owners?: readonly (string | null)[];
  readonly account?: Party;
  readonly sender?: Party;
  readonly receiver?: Party;
  readonly cardId?: string;
}

/** An account, of either kind where its id does not say, or a UMA address. */
export type Party =
  | { readonly uma: string }
  | { readonly account: string; readonly kind?: 'INTERNAL' | 'EXTERNAL' };

/** One filter: conditions of which a row fulfils at most one. Each is served by an index in the list's own order. */
export type Alternatives = readonly Sql[];

/** A filter that no row of the source can meet. */
export const EXCLUDED: Alternatives = [];

export function given<T>(value: T | undefined, filter: (value: T) => Alternatives): Alternatives[] {
  return value === undefined ? [] : [filter(value)];
}

/** Every way to meet all filters: no row is in two. */
export function waysToMeet(filters: readonly Alternatives[]): Sql[][] {
  return filters.reduce<Sql[][]>(
    (ways, alternatives) => ways.flatMap((way) => alternatives.map((condition) => [...way, condition])),
    [[]],
  );
}

/** For a table whose `customer_id` is null where the platform itself is the owner. */
export function ofOwners(owners: readonly (string | null)[]): Alternatives {
  return owners.map((id) => (id === null ? sql`t.customer_id is null` : sql`t.customer_id = ${id}`));
}

/** The column to order by first where all matches belong to the platform itself (see `KeysetQuery`). */
export function nullOwner({ owners }: TransactionFilters): Pick<TransactionSearch, 'nullColumn'> {
  return owners?.length === 1 && owners[0] === null ? { nullColumn: sql`t.customer_id` } : {};
}
