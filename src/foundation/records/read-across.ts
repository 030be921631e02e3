import type { ReadTx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import {
  COUNT_MAX,
  type CursorScope,
  type ListKey,
  type Page,
  type PageRequest,
  readCursor,
  writeCursor,
} from '#foundation/http/paging.ts';
import { type MergedRow, mergePages, type ReadRows } from './merge-pages.ts';

/** One platform's data, for reading. */
export type Reader = Pick<Work, 'read' | 'platform'>;

export interface AcrossRequest {
  /** The name of the list and the filters that its cursors are bound to. */
  readonly list: string;
  readonly filters: Record<string, unknown>;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface AcrossPage<Item> {
  readonly rows: readonly MergedRow<Item>[];
  readonly nextCursor: string | undefined;
}

type ReadPage<Item> = (tx: ReadTx, request: PageRequest) => Promise<Page<Item>>;

/** One page of the newest rows over several platforms, and the cursor of the next one. */
export async function readAcross<Item>(
  readers: readonly Reader[],
  scope: CursorScope,
  request: AcrossRequest,
  page: ReadPage<Item>,
): Promise<AcrossPage<Item>> {
  const { list, limit, cursor } = request;
  const after = cursor === undefined ? undefined : readCursor(scope, request);
  const { rows, hasMore } = await mergePages(
    readers.map((reader) => createPartReader(reader, list, page)),
    { after: after as ListKey | undefined, limit },
  );
  const last = rows.at(-1);
  return { rows, nextCursor: hasMore && last ? writeCursor(scope, request, last.key) : undefined };
}

function createPartReader<Item>(reader: Reader, list: string, page: ReadPage<Item>): ReadRows<Item> {
  return async (after, limit) => {
    const keys: ListKey[] = [];
    const request = { list, filters: {}, limit, cursor: undefined, part: { after, keys } };
    const { data, hasMore } = await reader.read((tx) => page(tx, request));
    return { rows: data.map((item, at) => ({ item, key: keys[at] as ListKey })), hasMore };
  };
}

/** Counts the rows of all platforms; undefined: there are more than `countMax` (operator.md §6.2). */
export async function countAcross(
  readers: readonly Reader[],
  page: ReadPage<unknown>,
  countMax = COUNT_MAX,
): Promise<number | undefined> {
  let sum = 0;
  for (const reader of readers) {
    const request = { list: 'count', filters: {}, limit: 1, cursor: undefined, countMax };
    const { totalCount = countMax + 1 } = await reader.read((tx) => page(tx, request));
    sum += totalCount;
    if (sum > countMax) return undefined;
  }
  return sum;
}
