import { type PollOutcome, type PollParts, pollRates } from '#capabilities/pricing/rate-source/poll-rates.ts';
import {
  type Metric,
  MetricTotals,
  type StepResult,
  WakeSignal,
  type WorkSource,
} from '#foundation/jobs/work-source.ts';
import { withTimeout } from '#foundation/lib/promises.ts';

export interface RatePollerOptions {
  /** Called after every poll of this worker. */
  onOutcome?(outcome: PollOutcome): void;
  onError?(error: unknown): void;
}

/** How often a worker checks whether a poll is due. */
const LOOK_EVERY_MS = 5_000;

/** Keeps production's rates fresh. It belongs to no platform: one worker polls for all processes. */
export class RatePoller implements WorkSource {
  readonly name = 'rates';
  readonly callsOutside = true;
  readonly signal = new WakeSignal();
  readonly #parts: PollParts;
  readonly #options: RatePollerOptions;
  readonly #polls = new MetricTotals('corridor_rate_polls_total');
  #running: Promise<void> | undefined;
  #lookAt = 0;
  #finished = 0;
  #isDraining = false;

  constructor(parts: PollParts, options: RatePollerOptions = {}) {
    this.#parts = parts;
    this.#options = options;
  }

  async pump(): Promise<void> {
    const now = this.#parts.clock.now();
    if (this.#isDraining || this.#running || now < this.#lookAt) return;
    this.#lookAt = now + LOOK_EVERY_MS;
    this.#running = this.#poll().finally(() => {
      this.#running = undefined;
    });
  }

  async #poll(): Promise<void> {
    try {
      const outcome = await pollRates(this.#parts);
      if (outcome.kind === 'elsewhere') return;
      this.#finished++;
      this.#polls.add({ outcome: outcome.kind });
      this.#options.onOutcome?.(outcome);
    } catch (error) {
      this.#options.onError?.(error);
    }
  }

  finished(): number {
    return this.#finished;
  }

  counters(): Metric[] {
    return this.#polls.counters();
  }

  async duePlatforms(): Promise<PlatformId[]> {
    return [];
  }

  async step(): Promise<StepResult> {
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
