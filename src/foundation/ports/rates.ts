/** Exact units of each currency per one US dollar, as decimal text, read at one moment. */
export interface RateSnapshot {
  /** The rates in force; USD itself is 1. */
  readonly perUsd: Readonly<Record<string, string>>;
  /** Currencies whose rate is too old: they are listed, but cannot be priced until there is a new rate. */
  readonly lapsed: readonly string[];
  readonly readAt: Date;
}

export interface RatesPort {
  /** The table in force at `now`; one snapshot serves about five minutes (platform.md §6.1). Undefined: there is none. */
  snapshot(now: Date): Promise<RateSnapshot | undefined>;
}

/** The source from which an operator's service reads its rates. */
export interface RateSource {
  /** The document of docs/providers.md, as text. An error says why it failed, and contains no address or credential. */
  read(): Promise<string>;
}
