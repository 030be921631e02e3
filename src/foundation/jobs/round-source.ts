import { type Metric, type StepResult, WakeSignal, type WorkSource } from '#foundation/jobs/work-source.ts';
import { withTimeout } from '#foundation/lib/promises.ts';

/**
 * Work of the whole installation that a process does in rounds, one at a time. No platform waits for it, and no platform's
 * clock moves it.
 */
export abstract class RoundSource implements WorkSource {
  abstract readonly name: string;
  abstract readonly callsOutside: boolean;
  readonly signal = new WakeSignal();
  readonly #everyMs: number;
  readonly #onFailure: (error: unknown) => void;
  #running: Promise<unknown> | undefined;
  #lookAt = 0;
  #finished = 0;
  #isDraining = false;

  /**
   * @param everyMs the time between the end of a round and the next one
   * @param onFailure gets the error of a failed round, because nobody waits for rounds; the next round tries again
   */
  protected constructor(everyMs: number, onFailure: (error: unknown) => void) {
    this.#everyMs = everyMs;
    this.#onFailure = onFailure;
  }

  /** Does one round: the work that is due. */
  protected abstract look(): Promise<unknown>;

  /** A long round looks at this, and ends soon. */
  protected get isDraining(): boolean {
    return this.#isDraining;
  }

  protected count(done: number): void {
    this.#finished += done;
  }

  protected now(): number {
    return performance.now();
  }

  async pump(): Promise<void> {
    if (this.#isDraining || this.#running || this.now() < this.#lookAt) return;
    this.#running = this.look()
      .catch(this.#onFailure)
      .finally(() => {
        this.#running = undefined;
        this.#lookAt = this.now() + this.#everyMs;
      });
  }

  /** Does what is due now, and waits for it. */
  async round(): Promise<void> {
    await this.pump();
    await this.#running;
  }

  finished(): number {
    return this.#finished;
  }

  counters(): Metric[] {
    return [];
  }

  async duePlatforms(): Promise<PlatformId[]> {
    return [];
  }

  async step(_platformId: PlatformId): Promise<StepResult> {
    return { done: 0, isDue: false, hadFailure: false };
  }

  async nextDueAt(): Promise<undefined> {
    return undefined;
  }

  async drain(withinMs: number): Promise<void> {
    this.#isDraining = true;
    await withTimeout(this.#running ?? Promise.resolve(), withinMs, undefined);
  }
}
