/** Exact units of each currency per one US dollar, as decimal text, read at one moment. */
export interface RateSnapshot {
  /** What counts now; USD itself is 1. */
  readonly perUsd: Readonly<Record<string, string>>;
  /** Currencies whose rate has become too old: they are offered, but nothing can be priced in them until it is back. */
  readonly lapsed: readonly string[];
  readonly readAt: Date;
}

export interface RatesPort {
  /** The table in force at `now`; one snapshot serves about five minutes (platform.md §6.1). Undefined: nobody gave one. */
  snapshot(now: Date): Promise<RateSnapshot | undefined>;
}

/** Whoever tells an operator's service the rates. */
export interface RateSource {
  /** The document of docs/providers.md, as text. What it throws says why, and names no address or credential. */
  read(): Promise<string>;
}
