/**
 * Lets concurrent callers share one round trip: while a batch is in flight the next one collects, and no caller waits for
 * a batch to fill. A call's item is always in a batch that starts after the call, so the batch never reads data from
 * before the call.
 */
export function batchCalls<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  options: BatchOptions = {},
): (item: Item) => Promise<Result> {
  const { batchMax = 500, lanes = 1, laneMin = 1 } = options;
  let waiting: Waiter<Item, Result>[] = [];
  let inFlight = 0;
  // The number of waiting calls at which one more batch begins.
  const enough = (others: number): number => (others === 0 ? 1 : laneMin);

  async function flush(): Promise<void> {
    inFlight++;
    try {
      while (waiting.length >= enough(inFlight - 1)) {
        const batch = waiting.slice(0, batchMax);
        waiting = waiting.slice(batchMax);
        await settle(batch, run);
      }
    } finally {
      inFlight--;
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // Deferred to the end of this turn of the event loop, so that calls of one turn share a batch.
      if (waiting.length === enough(inFlight) && inFlight < lanes) setImmediate(() => void flush());
    });
}

export interface BatchOptions {
  readonly batchMax?: number;
  /** How many batches may be in flight at once. */
  readonly lanes?: number;
  /** How many calls must wait before a batch begins beside another: a small batch costs more for each call. */
  readonly laneMin?: number;
}

/** One read at a time, however many callers want it; no caller gets the result of a read that began before its call. */
export function shareReads<Result>(read: () => Promise<Result>): () => Promise<Result> {
  const ask = batchCalls(async (askers: undefined[]) => {
    const result = await read();
    return askers.map(() => result);
  });
  return () => ask(undefined);
}

interface Waiter<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

async function settle<Item, Result>(
  batch: Waiter<Item, Result>[],
  run: (items: Item[]) => Promise<Result[]>,
): Promise<void> {
  try {
    const results = await run(batch.map((waiter) => waiter.item));
    batch.forEach((waiter, i) => {
      waiter.resolve(results[i] as Result);
    });
  } catch (error) {
    for (const waiter of batch) waiter.reject(error);
  }
}
