import type { Runtime, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import {
  type Metric,
  MetricTotals,
  type StepResult,
  WakeSignal,
  type WorkSource,
} from '#foundation/jobs/work-source.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';

const HOUR_MS = 60 * 60 * 1000;
/** After a failure: most likely the database was away. */
const AGAIN_MS = 60 * 1000;

/** Work on rows that belong to no platform. Every process does it, so doing it twice must be harmless. */
export interface InstallationTask {
  /** Its name in the log and the metrics, such as `old texts of banks`. No other task has it. */
  readonly name: string;
  /** Does the task. This may be several transactions, with calls to other systems between them. */
  run(work: Work): Promise<unknown>;
}

/** Returns a task that is one transaction. */
export function inOneTransaction(name: string, steps: (tx: Tx) => Promise<unknown>): InstallationTask {
  return { name, run: (work) => work.write(steps) };
}

export interface InstallationOptions {
  readonly name?: string;
  readonly everyMs?: number;
  onFailure(error: unknown, task: string): void;
}

/**
 * Runs the upkeep of the installation. Jobs cannot do it, because they are queues of platforms, and an installation without
 * platforms has people, keys and sessions, too. A task that fails stops no other one, and is retried by itself.
 */
export class InstallationWork implements WorkSource {
  readonly name: string;
  readonly callsOutside = false;
  readonly signal = new WakeSignal();
  readonly #runtime: Runtime;
  readonly #onFailure: InstallationOptions['onFailure'];
  readonly #everyMs: number;
  /** When each task is due. */
  readonly #due: Map<InstallationTask, number>;
  readonly #attempts = new MetricTotals('corridor_upkeep_total');
  #finished = 0;

  constructor(
    runtime: Runtime,
    tasks: readonly InstallationTask[],
    { name = 'installation', everyMs = HOUR_MS, onFailure }: InstallationOptions,
  ) {
    this.name = name;
    this.#runtime = runtime;
    this.#onFailure = onFailure;
    this.#everyMs = everyMs;
    this.#due = new Map(tasks.map((task) => [task, 0]));
  }

  async pump(): Promise<void> {
    if (this.#isDue()) await this.#run();
  }

  finished(): number {
    return this.#finished;
  }

  async duePlatforms(): Promise<PlatformId[]> {
    return this.#isDue() ? [INSTALLATION.id] : [];
  }

  async step(platformId: PlatformId): Promise<StepResult> {
    if (platformId !== INSTALLATION.id || !this.#isDue()) return { done: 0, isDue: false, hadFailure: false };
    await this.#run();
    return { done: 1, isDue: true, hadFailure: false };
  }

  async nextDueAt(): Promise<undefined> {
    return undefined;
  }

  async drain(): Promise<void> {}

  counters(): Metric[] {
    return this.#attempts.counters();
  }

  #isDue(): boolean {
    return this.#dueTasks().length > 0;
  }

  /** Returns the tasks that are due. No task waits for more than one interval, because a clock may have been set back. */
  #dueTasks(): InstallationTask[] {
    const now = this.#runtime.clock.now();
    return [...this.#due].flatMap(([task, dueMs]) =>
      now >= dueMs || dueMs > now + this.#everyMs ? [task] : [],
    );
  }

  /** Runs the due tasks. Each commits by itself, so that a failed task undoes no other. */
  async #run(): Promise<void> {
    const work = new Work(this.#runtime, INSTALLATION, { kind: 'worker', id: 'installation' });
    for (const task of this.#dueTasks()) {
      const isDone = await this.#attempt(task, work);
      this.#due.set(task, this.#runtime.clock.now() + (isDone ? this.#everyMs : AGAIN_MS));
    }
    this.#finished += 1;
  }

  async #attempt(task: InstallationTask, work: Work): Promise<boolean> {
    try {
      await task.run(work);
      this.#attempts.add({ kind: task.name, outcome: 'done' });
      return true;
    } catch (error) {
      this.#attempts.add({ kind: task.name, outcome: 'failed' });
      this.#onFailure(error, task.name);
      return false;
    }
  }
}
