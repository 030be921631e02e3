import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import {
  branchStatements,
  type KeysetQuery,
  matchesNothing,
  orderAndLimit,
  type Page,
  type PageRequest,
  pageStatement,
  type RowKey,
  readPage,
  unionAll,
} from '#foundation/http/paging.ts';

/**
 * One table of a list over several tables. All of them share one order, by (created_at, id): ids are unique across
 * the tables, so every row has one position, and a cursor marks the end of a page whatever table its last row is from.
 */
export interface PageSource<Item> extends Pick<KeysetQuery, 'where' | 'alternatives' | 'nullColumn'> {
  /** Its alias in conditions is `t`. */
  readonly table: string;
  /** The columns that `present` reads. */
  readonly columns: readonly string[];
  present(row: never): Item;
}

type Order = 'asc' | 'desc';

/** Reads a page over all sources: at most a page from each, along an index of its own, and merges them. */
export function mixedPage<Item>(
  tx: ReadTx,
  request: PageRequest,
  order: Order,
  sources: readonly PageSource<Item>[],
): Promise<Page<Item>> {
  const asked = sources.filter((source) => !matchesNothing(source));
  return readPage<RowKey, Item>(tx, request, {
    queries: asked.map((source) => buildQuery(source, order)),
    order,
    statement: (after, limit) => mixedStatement(asked, order, after, limit),
    present: (row) => presentRow(asked, row),
  });
}

/** The first rows of the list, or those after a key. A single source needs no union. */
export function mixedStatement(
  sources: readonly PageSource<unknown>[],
  order: Order,
  after: readonly Sql[],
  limit: number,
): Sql {
  const [only, ...others] = sources;
  if (only && others.length === 0) return pageStatement(buildQuery(only, order), after, limit);
  const pages = sources.map((source, at) =>
    branchStatements(buildQuery(source, order), mixedColumns(sources, at), after, limit),
  );
  return sql`select * from (${pages.reduce(unionAll)}) t ${orderAndLimit({ order }, limit)}`;
}

function buildQuery({ table, columns, ...conditions }: PageSource<unknown>, order: Order): KeysetQuery {
  const named = rawSql(columns.map((name) => `t.${name}`).join(', '));
  return { ...conditions, columns: named, from: rawSql(`${table} t`), order };
}

/** With several sources, each has its columns under names of its own, which are null in the rows of the others. */
interface MixedRow extends RowKey {
  source: number;
  [column: `${number}.${string}`]: unknown;
}

function mixedColumns(sources: readonly PageSource<unknown>[], own: number): Sql {
  const columns = sources.flatMap(({ table, columns }, at) =>
    columns.map((name) => `${at === own ? 't' : `(null::${table})`}.${name} as "${at}.${name}"`),
  );
  return rawSql([`${own} as source`, 't.created_at', 't.id', ...columns].join(', '));
}

function presentRow<Item>(sources: readonly PageSource<Item>[], row: RowKey): Item {
  const [only, ...others] = sources;
  if (only && others.length === 0) return only.present(row as never);
  const mixed = row as MixedRow;
  const { columns, present } = sources[mixed.source] as PageSource<Item>;
  const own = columns.map((name) => [name, mixed[`${mixed.source}.${name}`]]);
  return present(Object.fromEntries(own) as never);
}
