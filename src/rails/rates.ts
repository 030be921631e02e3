/** Exact units of each currency per one US dollar, as decimal text, read at one moment. */
export interface RateSnapshot {
  readonly perUsd: Readonly<Record<string, string>>;
  readonly readAt: Date;
}

export interface RatesPort {
  /** The table in force at `now`; one snapshot serves about five minutes (platform.md §6.1). */
  snapshot(now: Date): Promise<RateSnapshot>;
}
