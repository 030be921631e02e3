/** A kind of work that becomes due by platform: scheduled jobs, webhook deliveries. */
export interface WorkSource {
  readonly name: string;
  /** Whether it calls external servers, which may be slow or dead. */
  readonly callsOutside: boolean;
  /** Raised when there may be work: a commit created some, or capacity became free. */
  readonly signal: WakeSignal;
  /** Called when the process begins to poll for work. */
  start?(): void;
  /** Starts the due work of all platforms, as far as there is capacity, and does not wait for it. */
  pump(): Promise<void>;
  /** The number of items finished since the start, successfully or not. */
  finished(): number;
  /** Platforms with due work. */
  duePlatforms(): Promise<PlatformId[]>;
  /** Does the platform's earliest due work and waits for it, at most `withinMs` for outbound calls. */
  step(platformId: PlatformId, withinMs: number): Promise<StepResult>;
  /** When the platform's next work becomes due, ignoring work that is already due. */
  nextDueAt(platformId: PlatformId, after: Date): Promise<Date | undefined>;
  /** Takes no new work and waits for running work, at most for this long. */
  drain(withinMs: number): Promise<void>;
  counters(): Metric[];
}

export interface StepResult {
  /** The number of items done; 0 although work is due means that another process is doing it. */
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

/** Lets a loop wait until it is woken or a time has passed. A wake-up while no loop waits is remembered. */
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
