import type { Runtime, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { type Metric, type StepResult, WakeSignal, type WorkSource } from '#foundation/jobs/work-source.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';

const HOUR_MS = 60 * 60 * 1000;
/** After a failure: most likely the database was away. */
const AGAIN_MS = 60 * 1000;

/** Work on rows that belong to no platform. Every process does it, so doing it twice must be harmless. */
export type InstallationTask = (tx: Tx) => Promise<unknown>;

/** Does the same in several transactions, for work that calls other systems between them. */
export type InstallationRound = (work: Work) => Promise<unknown>;

/**
 * Runs the upkeep of the installation: jobs are queues of platforms, and an installation without any has people, keys and
 * sessions, too.
 */
export class InstallationWork implements WorkSource {
  readonly name: string;
  readonly callsOutside = false;
  readonly signal = new WakeSignal();
  readonly #runtime: Runtime;
  readonly #rounds: readonly InstallationRound[];
  readonly #everyMs: number;
  #dueMs = 0;
  #finished = 0;

  constructor(
    runtime: Runtime,
    rounds: readonly InstallationRound[],
    { name = 'installation', everyMs = HOUR_MS }: { readonly name?: string; readonly everyMs?: number } = {},
  ) {
    this.name = name;
    this.#everyMs = everyMs;
    this.#runtime = runtime;
    this.#rounds = rounds;
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
    return [];
  }

  #isDue(): boolean {
    return this.#runtime.clock.now() >= this.#dueMs;
  }

  /** Each round commits by itself, so that one that fails undoes no other. */
  async #run(): Promise<void> {
    this.#dueMs = this.#runtime.clock.now() + AGAIN_MS;
    const work = new Work(this.#runtime, INSTALLATION, { kind: 'worker', id: 'installation' });
    for (const round of this.#rounds) await round(work);
    this.#dueMs = this.#runtime.clock.now() + this.#everyMs;
    this.#finished += 1;
  }
}
