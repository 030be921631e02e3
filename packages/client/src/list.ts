/** A page as every list answers with; short lists come all at once, without `hasMore`. */
interface Page {
  readonly data?: readonly unknown[];
  readonly hasMore?: boolean;
  readonly nextCursor?: string;
}

type ItemOf<Some extends Page> = NonNullable<Some['data']>[number];

/** `await` it for one page; `for await` goes through all that follow too. */
export interface List<Some extends Page> extends Promise<Some>, AsyncIterable<ItemOf<Some>> {}

/** `load` is asked at once for the first page, and for each further one when the items before it are used up. */
export function listOf<Some extends Page>(load: (cursor?: string) => Promise<Some>): List<Some> {
  const first = load();
  async function* items(): AsyncGenerator<ItemOf<Some>> {
    for (let page = await first; ; page = await load(page.nextCursor)) {
      yield* (page.data ?? []) as Iterable<ItemOf<Some>>;
      if (!page.hasMore || page.nextCursor === undefined) return;
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items });
}
