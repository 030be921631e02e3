import type { Clock } from '#foundation/lib/clock.ts';

export interface CachedAnswerOptions<T> {
  readonly clock: Clock;
  /** How long an answer is used while no newer one can be read. */
  readonly ageMaxMs: number;
  /** The shortest time between two attempts, however many callers ask. */
  readonly pauseMs: number;
  /** Asks the other server; throws if that fails. */
  fetch(): Promise<T>;
  onFailure?(reason: string): void;
}

/** The answer of another server. It is read when needed, and cached for as long as it may be used. */
export class CachedAnswer<T> {
  readonly #options: CachedAnswerOptions<T>;
  #answer: T | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(options: CachedAnswerOptions<T>) {
    this.#options = options;
  }

  /** Returns an answer of at most this age; if none can be read, the earlier one. */
  async read(freshMs: number): Promise<T | undefined> {
    if (this.#age() >= freshMs) await this.#refresh();
    if (this.#age() >= this.#options.ageMaxMs) this.#answer = undefined;
    return this.#answer;
  }

  /** Whether the last attempt to read it succeeded. */
  get isCurrent(): boolean {
    return this.#readAt >= this.#triedAt;
  }

  #age(): number {
    return this.#options.clock.now() - this.#readAt;
  }

  /** Concurrent callers share one attempt, and the next attempt waits for a pause. */
  async #refresh(): Promise<void> {
    const { clock, pauseMs } = this.#options;
    if (!this.#reading && clock.now() - this.#triedAt < pauseMs) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #read(): Promise<void> {
    const { clock, fetch, onFailure } = this.#options;
    this.#triedAt = clock.now();
    try {
      this.#answer = await fetch();
      this.#readAt = this.#triedAt;
    } catch (error) {
      onFailure?.((error as Error).message);
    }
  }
}
