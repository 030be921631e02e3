import type { Signal } from '#jobs/signal.ts';

/** A kind of work that falls due by platform: scheduled jobs, webhook deliveries. */
export interface WorkSource {
  readonly name: string;
  /** Whether it waits for somebody else's server, which may be slow or dead. */
  readonly asksOutside: boolean;
  /** Raised when there may be something to do: a commit left work, or room became free. */
  readonly signal: Signal;
  /** Starts what is due on all platforms, as far as there is room, and does not wait for it. */
  pump(): Promise<void>;
  /** Counts what was finished since the start, well or not. */
  finished(): number;
  /** Platforms with something due now. */
  duePlatforms(): Promise<string[]>;
  /** Does the platform's earliest due work and waits for it, at most `withinMs` for anyone outside. */
  step(platformId: string, withinMs: number): Promise<WorkDone>;
  /** When the platform's next work falls due, leaving out what is due already. */
  nextDueAt(platformId: string, after: Date): Promise<Date | undefined>;
  /** Takes nothing new and finishes what is under way, at most for this long. */
  drain(withinMs: number): Promise<void>;
  counters(): Counter[];
}

export interface WorkDone {
  /** How much was done; 0 while something is due means that another process has it in hand. */
  readonly did: number;
  readonly isDue: boolean;
  /** Somebody outside did not answer in time, or not well. */
  readonly troubled: boolean;
}

/** A running total for the metrics. */
export interface Counter {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
