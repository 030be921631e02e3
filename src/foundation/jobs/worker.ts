import type { Metric, WorkSource } from '#foundation/jobs/work-source.ts';

export interface Worker {
  /** Starts to poll for due work; a process that only serves requests never calls this. */
  start(): void;
  /** Tells the worker that there may be work, for these sources or for any source. */
  wake(names?: readonly string[]): void;
  /** Takes no new work and waits for running work, at most for this long. */
  stop(withinMs?: number): Promise<void>;
  /** Does all due work, of one platform or of all, until nothing is due. */
  settle(platformId?: PlatformId, budget?: WaitBudget): Promise<void>;
  /** When the platform's next work becomes due; ignores outbound calls once the budget for them is used up. */
  nextDueAt(platformId: PlatformId, after: Date, budget?: WaitBudget): Promise<Date | undefined>;
  counters(): Metric[];
}

/** The total time, in real milliseconds, to wait for others; waiting uses it up. */
export interface WaitBudget {
  /** For outbound calls that fail, or that another process is making. */
  outboundMs: number;
  /** For other work that another process is doing. */
  processesMs: number;
}

export interface WorkerOptions {
  onError?(error: unknown, source: string): void;
  /** The pause between polls if nothing wakes the worker: short after work was found, then longer. */
  pollMinMs?: number;
  pollMaxMs?: number;
}

/** Runs each source of work in a loop of its own, so that none waits for another. */
export function createWorker(sources: readonly WorkSource[], options: WorkerOptions = {}): Worker {
  const loops: Promise<void>[] = [];
  const stopping = { isStopped: false };
  return {
    start() {
      if (loops.length > 0) return;
      for (const source of sources) source.start?.();
      loops.push(...sources.map((source) => loop(source, stopping, options)));
    },
    wake(names) {
      for (const { name, signal } of sources) if (names?.includes(name) ?? true) signal.raise();
    },
    async stop(withinMs = 10_000) {
      stopping.isStopped = true;
      for (const { signal } of sources) signal.raise();
      await Promise.all([...loops, ...sources.map((source) => source.drain(withinMs))]);
    },
    async settle(platformId, budget = { outboundMs: BUDGET_MS, processesMs: BUDGET_MS }) {
      if (platformId !== undefined) return settlePlatform(sources, platformId, budget);
      for (let round = 0; round < ROUNDS_MAX; round++) {
        const due = await Promise.all(sources.map((source) => source.duePlatforms()));
        const ids = new Set(due.flat());
        if (ids.size === 0) return;
        for (const id of ids) await settlePlatform(sources, id, { ...budget });
      }
    },
    async nextDueAt(platformId, after, budget) {
      const asked = sources.filter((source) => isWithinBudget(source, budget));
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
      // Most likely the database is down: try again at the slower pace.
      onError?.(error, source.name);
      delayMs = pollMaxMs;
    }
    // However often it is woken, polling takes a third of the time at most.
    await pause(Math.min(2 * (performance.now() - began), GAP_MAX_MS));
    await source.signal.wait(delayMs);
    delayMs = source.finished() > before ? pollMinMs : Math.min(delayMs * 2, pollMaxMs);
  }
}

const BUDGET_MS = 35_000;
const GAP_MAX_MS = 25;
/** Without this limit, jobs that keep scheduling more due jobs would never be settled. */
const ROUNDS_MAX = 100;
/** The pause between polls while another process does the rest. */
const PAUSE_MS = 5;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Goes through the sources in order, starting over whenever work was done, until nothing is due. */
async function settlePlatform(
  sources: readonly WorkSource[],
  platformId: PlatformId,
  budget: WaitBudget,
): Promise<void> {
  let stepsLeft = 1_000_000;
  while (stepsLeft-- > 0) {
    const { done, held } = await stepAny(sources, platformId, budget);
    if (done > 0) continue;
    const awaited = held.filter((source) => budget[budgetOf(source)] > 0);
    if (awaited.length === 0) return;
    const began = performance.now();
    await pause(PAUSE_MS);
    for (const part of new Set(awaited.map(budgetOf))) budget[part] -= performance.now() - began;
  }
}

function budgetOf(source: WorkSource): keyof WaitBudget {
  return source.callsOutside ? 'outboundMs' : 'processesMs';
}

function isWithinBudget(source: WorkSource, budget: WaitBudget | undefined): boolean {
  return !source.callsOutside || budget === undefined || budget.outboundMs > 0;
}

/** Runs a step of the first source with work, or returns the sources whose due work another process is doing. */
async function stepAny(
  sources: readonly WorkSource[],
  platformId: PlatformId,
  budget: WaitBudget,
): Promise<{ done: number; held: WorkSource[] }> {
  const held: WorkSource[] = [];
  for (const source of sources) {
    if (!isWithinBudget(source, budget)) continue;
    const began = performance.now();
    const { done, isDue, hadFailure } = await source.step(platformId, budget.outboundMs);
    const isHeld = done === 0 && isDue;
    if (hadFailure || isHeld) budget[budgetOf(source)] -= performance.now() - began;
    if (done > 0) return { done, held: [] };
    if (isHeld) held.push(source);
  }
  return { done: 0, held };
}
