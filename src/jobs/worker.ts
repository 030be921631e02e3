import type { Counter, WorkSource } from '#jobs/work-source.ts';

export interface Worker {
  /** Begins to look for due work; a process that only serves requests never calls it. */
  start(): void;
  /** There may be something to do. */
  wake(): void;
  /** Finishes what is under way, at most for this long, and takes nothing new. */
  stop(withinMs?: number): Promise<void>;
  /** Does everything that is due now, on one platform or on all, until nothing is. */
  settle(platformId?: string, patience?: Patience): Promise<void>;
  /** When the platform's next work falls due; without outside parties once patience with them has run out. */
  nextDueAt(platformId: string, after: Date, patience?: Patience): Promise<Date | undefined>;
  counters(): Counter[];
}

/** How long, in real milliseconds, others may be waited for in all; it runs out. */
export interface Patience {
  /** Somebody outside who does not answer well, or whom another process asks. */
  outsideMs: number;
  /** Another process that has other work in hand. */
  othersMs: number;
}

export interface WorkerOptions {
  onError?(error: unknown, source: string): void;
  /** Between looks when nothing wakes the worker: short after work was found, then longer. */
  pollMinMs?: number;
  pollMaxMs?: number;
}

/** Drives the sources of work, each in a loop of its own, so that none waits for another. */
export function createWorker(sources: readonly WorkSource[], options: WorkerOptions = {}): Worker {
  const loops: Promise<void>[] = [];
  const stopping = { isStopped: false };
  return {
    start() {
      if (loops.length === 0) loops.push(...sources.map((source) => loop(source, stopping, options)));
    },
    wake() {
      for (const { signal } of sources) signal.raise();
    },
    async stop(withinMs = 10_000) {
      stopping.isStopped = true;
      for (const { signal } of sources) signal.raise();
      await Promise.all([...loops, ...sources.map((source) => source.drain(withinMs))]);
    },
    async settle(platformId, patience = { outsideMs: PATIENCE_MS, othersMs: PATIENCE_MS }) {
      if (platformId !== undefined) return settlePlatform(sources, platformId, patience);
      for (let round = 0; round < ROUNDS_MAX; round++) {
        const due = await Promise.all(sources.map((source) => source.duePlatforms()));
        const ids = new Set(due.flat());
        if (ids.size === 0) return;
        for (const id of ids) await settlePlatform(sources, id, { ...patience });
      }
    },
    async nextDueAt(platformId, after, patience) {
      const asked = sources.filter((source) => mayAsk(source, patience));
      const times = await Promise.all(asked.map((source) => source.nextDueAt(platformId, after)));
      return times.filter((time) => time !== undefined).sort((a, b) => a.getTime() - b.getTime())[0];
    },
    counters: () => sources.flatMap((source) => source.counters()),
  };
}

async function loop(
  source: WorkSource,
  stopping: { readonly isStopped: boolean },
  { onError, pollMinMs = 50, pollMaxMs = 500 }: WorkerOptions,
): Promise<void> {
  let delayMs = pollMinMs;
  while (!stopping.isStopped) {
    const before = source.finished();
    const began = performance.now();
    try {
      await source.pump();
    } catch (error) {
      // The database is away, most likely: it is looked for again, at the slower pace.
      onError?.(error, source.name);
      delayMs = pollMaxMs;
    }
    // However often it is woken, looking takes a third of the time at most.
    await pause(Math.min(2 * (performance.now() - began), GAP_MAX_MS));
    await source.signal.wait(delayMs);
    delayMs = source.finished() > before ? pollMinMs : Math.min(delayMs * 2, pollMaxMs);
  }
}

const PATIENCE_MS = 35_000;
const GAP_MAX_MS = 25;
/** Work that keeps making more work that is due at once would otherwise never be settled. */
const ROUNDS_MAX = 100;
/** While another process has the rest in hand. */
const PAUSE_MS = 5;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Source by source, in order, again from the first whenever something was done, until nothing is due. */
async function settlePlatform(
  sources: readonly WorkSource[],
  platformId: string,
  patience: Patience,
): Promise<void> {
  let stepsLeft = 1_000_000;
  while (stepsLeft-- > 0) {
    const { did, held } = await stepAny(sources, platformId, patience);
    if (did > 0) continue;
    const awaited = held.filter((source) => patience[budgetOf(source)] > 0);
    if (awaited.length === 0) return;
    const began = performance.now();
    await pause(PAUSE_MS);
    for (const budget of new Set(awaited.map(budgetOf))) patience[budget] -= performance.now() - began;
  }
}

function budgetOf(source: WorkSource): keyof Patience {
  return source.asksOutside ? 'outsideMs' : 'othersMs';
}

function mayAsk(source: WorkSource, patience: Patience | undefined): boolean {
  return !source.asksOutside || patience === undefined || patience.outsideMs > 0;
}

/** What the first source with something to do did; or which ones have due work that is in another process's hands. */
async function stepAny(
  sources: readonly WorkSource[],
  platformId: string,
  patience: Patience,
): Promise<{ did: number; held: WorkSource[] }> {
  const held: WorkSource[] = [];
  for (const source of sources) {
    if (!mayAsk(source, patience)) continue;
    const began = performance.now();
    const { did, isDue, troubled } = await source.step(platformId, patience.outsideMs);
    const isHeld = did === 0 && isDue;
    if (troubled || isHeld) patience[budgetOf(source)] -= performance.now() - began;
    if (did > 0) return { did, held: [] };
    if (isHeld) held.push(source);
  }
  return { did: 0, held };
}
