import { type PollOutcome, type PollParts, pollRates } from '#capabilities/pricing/rate-source/poll-rates.ts';
import { RoundSource } from '#foundation/jobs/round-source.ts';
import { type Metric, MetricTotals } from '#foundation/jobs/work-source.ts';

export interface RatePollerOptions {
  /** Called after every poll of this worker. */
  onOutcome?(outcome: PollOutcome): void;
  onError?(error: unknown): void;
}

/** How often a worker checks whether a poll is due. */
const LOOK_EVERY_MS = 5_000;

/** Keeps production's rates fresh. It belongs to no platform: one worker polls for all processes. */
export class RatePoller extends RoundSource {
  readonly name = 'rates';
  readonly callsOutside = true;
  readonly #parts: PollParts;
  readonly #options: RatePollerOptions;
  readonly #polls = new MetricTotals('corridor_rate_polls_total');

  constructor(parts: PollParts, options: RatePollerOptions = {}) {
    super(LOOK_EVERY_MS, (error) => options.onError?.(error));
    this.#parts = parts;
    this.#options = options;
  }

  protected override now(): number {
    return this.#parts.clock.now();
  }

  protected override async look(): Promise<void> {
    const outcome = await pollRates(this.#parts);
    if (outcome.kind === 'elsewhere') return;
    this.count(1);
    this.#polls.add({ outcome: outcome.kind });
    this.#options.onOutcome?.(outcome);
  }

  override counters(): Metric[] {
    return this.#polls.counters();
  }
}
