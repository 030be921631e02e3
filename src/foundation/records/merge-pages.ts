import type { ListKey } from '#foundation/http/paging.ts';

/** The next rows of one platform, in the order of the list, each with its key. */
export type ReadRows<Item> = (
  after: ListKey | undefined,
  limit: number,
) => Promise<{ rows: readonly KeyedRow<Item>[]; hasMore: boolean }>;

export interface KeyedRow<Item> {
  readonly key: ListKey;
  readonly item: Item;
}

/** A row, and the place of its platform among those given. */
export interface MergedRow<Item> extends KeyedRow<Item> {
  readonly source: number;
}

/** Rows of each platform that a page begins with: many platforms have few rows on it. */
const CHUNK_MIN = 10;
/** How many platforms are asked at a time. */
const ASKED_AT_ONCE = 8;

/**
 * One page of the newest rows over several platforms. Each is read along its own index, a few rows at a time, and no
 * further than the page reaches: the cost grows with the page and the number of platforms, not with their size.
 */
export async function mergePages<Item>(
  sources: readonly ReadRows<Item>[],
  { after, limit }: { readonly after: ListKey | undefined; readonly limit: number },
): Promise<{ rows: MergedRow<Item>[]; hasMore: boolean }> {
  const share = Math.ceil((2 * limit) / sources.length);
  const chunk = Math.min(limit + 1, Math.max(CHUNK_MIN, share));
  const streams = sources.map((read, source) => new Stream(read, source, after));
  const rows: MergedRow<Item>[] = [];
  // One more than the page shows whether there are more.
  while (rows.length <= limit) {
    await fill(streams, chunk);
    const next = newest(streams)?.take();
    if (!next) break;
    rows.push(next);
  }
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

async function fill<Item>(streams: readonly Stream<Item>[], chunk: number): Promise<void> {
  const dry = streams.filter(({ isDry }) => isDry);
  for (let at = 0; at < dry.length; at += ASKED_AT_ONCE) {
    await Promise.all(dry.slice(at, at + ASKED_AT_ONCE).map((stream) => stream.fill(chunk)));
  }
}

function newest<Item>(streams: readonly Stream<Item>[]): Stream<Item> | undefined {
  let first: Stream<Item> | undefined;
  for (const stream of streams) {
    if (stream.head && (!first?.head || isNewer(stream.head.key, first.head.key))) first = stream;
  }
  return first;
}

function isNewer([at, id]: ListKey, [otherAt, otherId]: ListKey): boolean {
  return at === otherAt ? id > otherId : at > otherAt;
}

class Stream<Item> {
  readonly #read: ReadRows<Item>;
  readonly #source: number;
  #after: ListKey | undefined;
  #rows: readonly KeyedRow<Item>[] = [];
  #taken = 0;
  #hasMore = true;

  constructor(read: ReadRows<Item>, source: number, after: ListKey | undefined) {
    this.#read = read;
    this.#source = source;
    this.#after = after;
  }

  get head(): KeyedRow<Item> | undefined {
    return this.#rows[this.#taken];
  }

  /** Whether the next row has to be read first. */
  get isDry(): boolean {
    return this.#hasMore && !this.head;
  }

  async fill(limit: number): Promise<void> {
    const { rows, hasMore } = await this.#read(this.#after, limit);
    this.#rows = rows;
    this.#taken = 0;
    this.#hasMore = hasMore;
    this.#after = rows.at(-1)?.key ?? this.#after;
  }

  take(): MergedRow<Item> | undefined {
    const row = this.#rows[this.#taken++];
    return row && { ...row, source: this.#source };
  }
}
