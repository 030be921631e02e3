import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/query-core';

/** One page of a list of the API. */
export interface Page<Row> {
  readonly data?: readonly Row[];
  readonly hasMore?: boolean;
  readonly nextCursor?: string;
  readonly totalCount?: number;
}

export type ReadPage<Row> = (cursor: string | undefined) => PromiseLike<Page<Row>>;

type LoadedPages<Row> = InfiniteData<Page<Row>, unknown>;

/** The pages after the first are at most this much older than the news: a row there may be new, or have changed. */
const REST_MS = 15_000;

/** Keeps a loaded list up to date. */
export class ListRenewal {
  readonly #queries: QueryClient;
  readonly #restMs: number;
  #isReading = false;
  #isOld = false;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(queries: QueryClient, restMs = REST_MS) {
    this.#queries = queries;
    this.#restMs = restMs;
  }

  /** News shows on the first page at once. All pages are read again later, once for all the news of that time. */
  async renew<Row>(key: QueryKey, read: ReadPage<Row>): Promise<void> {
    this.#isOld = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#isOld) {
      this.#isOld = false;
      const isRenewed = await renewFirstPage(this.#queries, key, read).catch(() => false);
      if (isRenewed) this.#rest ??= setTimeout(() => this.#readAll(key), this.#restMs);
      else this.#readAll(key);
    }
    this.#isReading = false;
  }

  stop(): void {
    clearTimeout(this.#rest);
  }

  #readAll(key: QueryKey): void {
    clearTimeout(this.#rest);
    this.#rest = undefined;
    void this.#queries.invalidateQueries({ queryKey: key, exact: true });
  }
}

/**
 * Reads the first page of a list again and merges it with the pages that are loaded, so that news costs one call, however far
 * somebody has scrolled. Returns false if the list needs more than that: the caller then reads all of it again.
 */
async function renewFirstPage<Row>(
  queries: QueryClient,
  key: QueryKey,
  read: ReadPage<Row>,
): Promise<boolean> {
  const query = queries.getQueryCache().find<LoadedPages<Row>>({ queryKey: key, exact: true });
  const before = query?.state.data;
  if (query === undefined || before === undefined || before.pages.length < 2) return false;
  const fresh = await read(undefined);
  // A page that is being loaded is added to the pages that were there when its call began: it would undo the merge.
  while (query.state.fetchStatus === 'fetching') await query.promise?.catch(() => undefined);
  const loaded = query.state.data;
  // Somebody else has read the first page since, and more recently.
  if (loaded === undefined || loaded.pages[0] !== before.pages[0]) return true;
  const merged = mergeFirstPage(loaded, fresh);
  if (merged !== undefined) queries.setQueryData(key, merged);
  return merged !== undefined;
}

/**
 * Puts the new first page in the place of the old one. New rows push rows off its end: these stay, because the second page
 * begins after them. Undefined: all rows of the first page are new, so that there may be others between the pages.
 */
function mergeFirstPage<Row>(
  { pages: [old, ...rest], pageParams }: LoadedPages<Row>,
  fresh: Page<Row>,
): LoadedPages<Row> | undefined {
  const rows = fresh.data ?? [];
  if (!fresh.hasMore) return { pages: [fresh], pageParams: pageParams.slice(0, 1) };
  const oldRows = old?.data ?? [];
  const ids = new Set(rows.map(idOf));
  const lastCommon = oldRows.findLastIndex((row) => ids.has(idOf(row)));
  if (lastCommon === -1) return undefined;
  // What follows the first page stays the same: so does its cursor.
  const { hasMore: _hasMore, nextCursor: _nextCursor, ...told } = fresh;
  const first = { ...old, ...told, data: [...rows, ...oldRows.slice(lastCommon + 1)] };
  const later = rest.map((page) => ({
    ...page,
    data: (page.data ?? []).filter((row) => !ids.has(idOf(row))),
  }));
  return { pages: [first, ...later], pageParams };
}

function idOf(row: unknown): unknown {
  return (row as { readonly id?: unknown }).id ?? row;
}
