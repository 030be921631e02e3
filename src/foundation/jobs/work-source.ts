/** A kind of work that becomes due by platform: scheduled jobs, webhook deliveries. */
export interface WorkSource {
  readonly name: string;
  /** Whether it waits for other people's servers, which may be slow or dead. */
  readonly callsOutside: boolean;
  /** Raised when there may be something to do: a commit left work, or capacity became free. */
  readonly signal: WakeSignal;
  /** Starts what is due on all platforms, as far as there is capacity, and does not wait for it. */
  pump(): Promise<void>;
  /** How much was finished since the start, successfully or not. */
  finished(): number;
  /** Platforms with something due now. */
  duePlatforms(): Promise<string[]>;
  /** Does the platform's earliest due work and waits for it, at most `withinMs` for outbound calls. */
  step(platformId: string, withinMs: number): Promise<StepResult>;
  /** When the platform's next work becomes due, ignoring what is due already. */
  nextDueAt(platformId: string, after: Date): Promise<Date | undefined>;
  /** Takes nothing new and waits for what is running, at most for this long. */
  drain(withinMs: number): Promise<void>;
  counters(): Metric[];
}

export interface StepResult {
  /** How much was done; 0 while something is due means that another process is doing it. */
  readonly done: number;
  readonly isDue: boolean;
  /** An outbound call failed or was not answered in time. */
  readonly hadFailure: boolean;
}

/** A running total for the metrics. */
export interface Metric {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Lets a loop wait until it is woken or a time has passed. A wake-up while nobody waits is remembered. */
export class WakeSignal {
  #raised = false;
  #resume: (() => void) | undefined;

  raise(): void {
    this.#raised = true;
    this.#resume?.();
  }

  async wait(atMostMs: number): Promise<void> {
    if (!this.#raised) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, atMostMs);
        this.#resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#resume = undefined;
    }
    this.#raised = false;
  }
}

/** Running totals of one metric, by label values. */
export class MetricTotals {
  readonly #name: string;
  readonly #totals = new Map<string, { labels: Record<string, string>; value: number }>();

  constructor(name: string) {
    this.#name = name;
  }

  add(labels: Record<string, string>, by = 1): void {
    const id = JSON.stringify(labels);
    const total = this.#totals.get(id);
    if (total) total.value += by;
    else this.#totals.set(id, { labels, value: by });
  }

  counters(): Metric[] {
    return [...this.#totals.values()].map(({ labels, value }) => ({ name: this.#name, labels, value }));
  }
}
