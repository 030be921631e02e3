/** The page that every list returns. Short lists are returned whole, without `hasMore`. */
interface Page {
  readonly data?: readonly unknown[];
  readonly hasMore?: boolean;
  readonly nextCursor?: string;
}

type ItemOf<Some extends Page> = NonNullable<Some['data']>[number];

/** `await` returns the first page; `for await` iterates over the items of all pages. */
export interface List<Some extends Page> extends Promise<Some>, AsyncIterable<ItemOf<Some>> {}

/** Calls `load` at once for the first page, and for each further page when the items before it are used up. */
export function startList<Some extends Page>(load: (cursor?: string) => Promise<Some>): List<Some> {
  const first = load();
  async function* items(): AsyncGenerator<ItemOf<Some>> {
    for (let page = await first; ; page = await load(page.nextCursor)) {
      yield* (page.data ?? []) as Iterable<ItemOf<Some>>;
      if (!page.hasMore || page.nextCursor === undefined) return;
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items });
}
