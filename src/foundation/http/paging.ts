import { timingSafeEqual } from 'node:crypto';
import type { Vault } from '#foundation/crypto/vault.ts';
import { joinSql, rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';

/** Above this number of matches the count is left out: its cost would grow with the table (platform.md §1.4.1). */
export const COUNT_MAX = 10_000;

export interface PageRequest {
  /** Operation and filters: a cursor only fits the list it came from. */
  readonly list: string;
  readonly filters: Record<string, unknown>;
  readonly limit: number;
  readonly cursor: string | undefined;
  /** Set if the page is one platform's part of a list over several platforms; it then has no cursor of its own. */
  readonly part?: ListPart | undefined;
  /** Where counting stops; by default at `COUNT_MAX`. */
  readonly countMax?: number;
}

/** Position of a row in its list: `created_at` and `id`. */
export type ListKey = readonly [at: string, id: string];

/** One platform's part of a list over several platforms. Its matches are not counted. */
export interface ListPart {
  /** The part begins after this key. */
  readonly after: ListKey | undefined;
  /** Receives the keys of the rows that were read, in the order of the page. */
  readonly keys: ListKey[];
}

export interface Page<Item> {
  data: Item[];
  hasMore: boolean;
  nextCursor?: string;
  totalCount?: number;
}

export interface KeysetQuery {
  readonly columns: Sql;
  /** Table and joins; the main table's alias is `t` and has `created_at` and `id`. */
  readonly from: Sql;
  readonly where: readonly Sql[];
  /**
   * For a filter that any of several columns can satisfy: a row must also meet exactly one of these. Each is read by
   * itself along an index of its own. An empty list: no row can match.
   */
  readonly alternatives?: readonly (readonly Sql[])[];
  readonly order?: 'desc' | 'asc';
  /**
   * A column that is null in all matches. The planner sees that an index on it has the list's order only if the matches
   * are ordered by it first.
   */
  readonly nullColumn?: Sql;
}

/** The page request of a query with `limit`, `cursor` and filters. */
export function pageRequest(list: string, query: { limit?: number; cursor?: string }): PageRequest {
  const { limit = 20, cursor, ...filters } = query;
  return { list, filters, limit, cursor };
}

/** The sort key of a list's rows. */
export interface RowKey {
  created_at: Date;
  id: string;
}

/** One page by (created_at, id): rows inserted between two pages never repeat or hide an older one. */
export function keysetPage<Row extends RowKey, Item>(
  tx: ReadTx,
  request: PageRequest,
  query: KeysetQuery,
  present: (row: Row) => Item,
): Promise<Page<Item>> {
  const statement = (after: readonly Sql[], limit: number) => pageStatement(query, after, limit);
  return readPage(tx, request, { queries: [query], order: query.order ?? 'desc', statement, present });
}

/** How a page is read: its rows by `statement`, and the total by the conditions of `queries`. */
export interface PageReading<Row, Item> {
  readonly queries: readonly KeysetQuery[];
  readonly order: 'desc' | 'asc';
  statement(after: readonly Sql[], limit: number): Sql;
  present(row: Row): Item;
}

export async function readPage<Row extends RowKey, Item>(
  tx: ReadTx,
  request: PageRequest,
  { queries, order, statement, present }: PageReading<Row, Item>,
): Promise<Page<Item>> {
  const start = readStart(tx, request);
  const after = start ? [afterKey(start, order)] : [];
  const { countMax = COUNT_MAX } = request;
  if (queries.every(matchesNothing)) return { data: [], hasMore: false, totalCount: 0 };
  const [rows, totalCount] = await Promise.all([
    tx.query<Row>(statement(after, request.limit + 1)),
    request.part ? countMax + 1 : countUpTo(tx, queries, countMax),
  ]);
  const kept = rows.slice(0, request.limit);
  const keys = kept.map((row): ListKey => [row.created_at.toISOString(), row.id]);
  const last = keys.at(-1);
  const hasMore = rows.length > request.limit;
  request.part?.keys.push(...keys);
  return {
    data: kept.map(present),
    hasMore,
    ...(hasMore && last && !request.part && { nextCursor: writeCursor(tx, request, last) }),
    ...(totalCount <= countMax && { totalCount }),
  };
}

function readStart(tx: ReadTx, request: PageRequest): readonly string[] | undefined {
  if (request.part) return request.part.after;
  return request.cursor === undefined ? undefined : readCursor(tx, request);
}

export function matchesNothing({ alternatives }: Pick<KeysetQuery, 'alternatives'>): boolean {
  return alternatives?.length === 0;
}

/** The first rows of the list, or those after a key. */
export function pageStatement(query: KeysetQuery, after: readonly Sql[], limit: number): Sql {
  const [only, ...others] = branchesOf(query);
  if (only && others.length === 0) return branchStatement(query, query.columns, [...only, ...after], limit);
  return sql`select ${query.columns} from (${branchStatements(query, sql`t.*`, after, limit)}) t ${orderAndLimit(query, limit)}`;
}

/** At most a page for each alternative. */
export function branchStatements(
  query: KeysetQuery,
  columns: Sql,
  after: readonly Sql[],
  limit: number,
): Sql {
  return branchesOf(query)
    .map((where) => sql`(${branchStatement(query, columns, [...where, ...after], limit)})`)
    .reduce(unionAll);
}

function branchStatement(query: KeysetQuery, columns: Sql, where: readonly Sql[], limit: number): Sql {
  return sql`select ${columns} from ${query.from} where ${joinSql(where, ' and ')} ${orderAndLimit(query, limit)}`;
}

/** Indexes have the filter's columns ascending and the key descending, and can be read in both directions. */
export function orderAndLimit(
  { order = 'desc', nullColumn }: Pick<KeysetQuery, 'order' | 'nullColumn'>,
  limit: number,
): Sql {
  const direction = rawSql(order);
  const key = sql`t.created_at ${direction}, t.id ${direction} limit ${limit}`;
  if (!nullColumn) return sql`order by ${key}`;
  return sql`order by ${nullColumn} ${rawSql(order === 'desc' ? 'asc' : 'desc')}, ${key}`;
}

function branchesOf({ where, alternatives = [[]] }: KeysetQuery): Sql[][] {
  return alternatives.map((more) => [...where, ...more]);
}

export function unionAll(one: Sql, other: Sql): Sql {
  return sql`${one} union all ${other}`;
}

/** A page of a list in memory, sorted by a unique text. */
export function arrayPage<Item>(
  tx: ReadTx,
  request: PageRequest,
  items: readonly Item[],
  keyOf: (item: Item) => string,
  order: 'asc' | 'desc' = 'asc',
): Page<Item> {
  const sign = order === 'asc' ? 1 : -1;
  const sorted = items.toSorted((a, b) => sign * compareText(keyOf(a), keyOf(b)));
  const [start] = request.cursor === undefined ? [] : readCursor(tx, request);
  const rest =
    start === undefined ? sorted : sorted.filter((item) => sign * compareText(keyOf(item), start) > 0);
  const data = rest.slice(0, request.limit);
  const last = data.at(-1);
  const hasMore = rest.length > data.length;
  return {
    data,
    hasMore,
    ...(hasMore && last !== undefined && { nextCursor: writeCursor(tx, request, [keyOf(last)]) }),
    totalCount: sorted.length,
  };
}

/**
 * Counts in the list's own order, so that an index is used: a sequential plan would read all rows of other platforms, and
 * small and large platforms share one plan.
 */
async function countUpTo(tx: ReadTx, queries: readonly KeysetQuery[], most: number): Promise<number> {
  const matches = queries.flatMap((query) =>
    branchesOf(query).map((where) => sql`(${branchStatement(query, sql``, where, most + 1)})`),
  );
  const several = matches.length > 1 ? sql`limit ${most + 1}` : sql``;
  const [row] = await tx.sql<{ count: bigint }>`
    select count(*) from (${matches.reduce(unionAll)} ${several}) matches`;
  return Number(row?.count ?? 0);
}

function afterKey([at, id]: readonly string[], order: 'desc' | 'asc'): Sql {
  const operator = rawSql(order === 'desc' ? '<' : '>');
  return sql`(t.created_at, t.id) ${operator} (${at}::timestamptz, ${id}::uuid)`;
}

/** The owner of a cursor: a platform, or a list over several, which has a name instead of the platform's id. */
export interface CursorScope {
  readonly vault: Vault;
  readonly platformId: string;
}

type CursorRequest = Pick<PageRequest, 'list' | 'filters' | 'cursor'>;

export function writeCursor(scope: CursorScope, request: CursorRequest, key: readonly string[]): string {
  const body = Buffer.from(JSON.stringify(key)).toString('base64url');
  return `${body}.${mac(scope, request, body)}`;
}

export function readCursor(scope: CursorScope, request: CursorRequest): string[] {
  const [body = '', tag = '', ...rest] = request.cursor?.split('.') ?? [];
  const expected = Buffer.from(mac(scope, request, body));
  const given = Buffer.from(tag);
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw invalidFields([
      { field: 'cursor', message: 'is not a cursor of this list with the same filters and order' },
    ]);
  }
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as string[];
}

/** A cursor whose content is sealed, because it names rows that the API does not show. */
export function writeSealedCursor(
  scope: CursorScope,
  request: CursorRequest,
  key: readonly string[],
): string {
  const sealed = scope.vault.seal(JSON.stringify(key), SEALED);
  return writeCursor(scope, request, [sealed.toString('base64url')]);
}

export function readSealedCursor(scope: CursorScope, request: CursorRequest): string[] {
  const [sealed = ''] = readCursor(scope, request);
  return JSON.parse(scope.vault.openText(Buffer.from(sealed, 'base64url'), SEALED)) as string[];
}

const SEALED = 'cursor';

/** Only we can create a cursor, and it is valid for one platform, one list and its filters. */
function mac(scope: CursorScope, request: CursorRequest, body: string): string {
  const bound = canonicalJson({
    platform: scope.platformId,
    list: request.list,
    filters: request.filters,
    body,
  });
  return scope.vault.fingerprint(bound, 'cursor').subarray(0, 18).toString('base64url');
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `after` and `before` of one pair of bounds must not cross (platform.md §1.4.3). */
export function requireOrderedBounds(query: object, pairs: readonly [string, string][]): void {
  const read = query as Record<string, string | undefined>;
  const errors = pairs.flatMap(([after, before]) => {
    const [from, to] = [read[after], read[before]];
    const crossed = from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to);
    return crossed ? [{ field: after, message: `must not be later than ${before}` }] : [];
  });
  if (errors.length > 0) throw invalidFields(errors);
}
