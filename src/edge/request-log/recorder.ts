import { retainFields } from '#edge/request-log/retention.ts';
import { sealContents } from '#edge/request-log/seal-content.ts';
import { insertRequests, type NewRequestLog, trimRequests } from '#edge/request-log/store.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import type { Database } from '#foundation/database/database.ts';
import type { PersonKeySource } from '#foundation/database/person-key-source.ts';
import { viaOf } from '#foundation/http/caller.ts';
import type { RequestRecord } from '#foundation/http/serve/request-record.ts';
import type { Metric } from '#foundation/jobs/work-source.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import type { IdSource } from '#foundation/lib/ids.ts';
import { type KeptTimes, keptSince } from '#foundation/lib/kept-times.ts';
import { withTimeout } from '#foundation/lib/promises.ts';

export interface RecorderOptions {
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
  readonly vault: PersonVault;
  readonly personKeys: PersonKeySource;
  readonly newId: IdSource;
  readonly flushMs?: number;
  readonly kept?: KeptTimes | undefined;
  /** Called for rows that could not be written. */
  onLost(error: unknown, rows: number): void;
}

/** How long a row waits, so that rows are written in batches. */
const FLUSH_MS = 500;
/** Maximum of waiting rows, per platform and in total. Further requests are not logged, so that none is slowed down. */
const PLATFORM_ROWS_MAX = 100;
const ROWS_MAX = 2_000;
/** The platform's oldest rows are deleted after this many new ones. */
const TRIM_EVERY = 1_000;

/** Operations that would flood the log: those that read it, and listeners, which call continuously. */
const UNLOGGED: ReadonlySet<string> = new Set(['listRequestLogs', 'getRequestLogById', 'listenToEvents']);

/** Writes the request log after the requests, in batches; a killed process loses the waiting rows (platform.md §11.4). */
export class RequestRecorder {
  readonly #options: RecorderOptions;
  #waiting: NewRequestLog[] = [];
  #perPlatform = new Map<string, number>();
  readonly #sinceTrim = new Map<PlatformId, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #written = 0;
  #dropped = 0;
  #isClosed = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  record(record: RequestRecord): void {
    const { caller, operation } = record;
    // An operator's requests are none of the platform's.
    if (!caller || caller.kind === 'operator' || (operation && UNLOGGED.has(operation.id))) return;
    const platformId = caller.platform.id;
    const waiting = this.#perPlatform.get(platformId) ?? 0;
    if (waiting >= PLATFORM_ROWS_MAX || this.#waiting.length >= ROWS_MAX) {
      this.#dropped++;
      return;
    }
    const row = this.#tryRowOf(record, caller);
    if (!row) return;
    this.#waiting.push(row);
    this.#perPlatform.set(platformId, waiting + 1);
    this.#timer ??= setTimeout(() => void this.flush(), this.#options.flushMs ?? FLUSH_MS).unref();
  }

  /** Writes the waiting rows, one batch at a time; during a slow batch, the next one grows only up to its limits. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeWaiting());
    return this.#writing;
  }

  /** Writes the waiting rows within this time, and nothing afterwards. */
  async close(maxMs: number): Promise<void> {
    await withTimeout(this.flush(), maxMs, undefined);
    clearTimeout(this.#timer);
    this.#isClosed = true;
  }

  counters(): Metric[] {
    const name = 'corridor_request_log_rows_total';
    return [
      { name, value: this.#written, labels: { outcome: 'written' } },
      { name, value: this.#dropped, labels: { outcome: 'dropped' } },
    ];
  }

  async #writeWaiting(): Promise<void> {
    const rows = this.#waiting;
    this.#waiting = [];
    this.#perPlatform = new Map();
    if (rows.length > 0 && !this.#isClosed) await this.#write(rows);
  }

  async #write(rows: readonly NewRequestLog[]): Promise<void> {
    const { database, onLost } = this.#options;
    try {
      await database.query(insertRequests(await sealContents(this.#options, rows)));
      this.#written += rows.length;
      for (const platformId of this.#fullPlatforms(rows))
        await database.query(trimRequests(platformId, keptSince(this.#options, 'requestLogDays')));
    } catch (error) {
      this.#dropped += rows.length;
      if (!this.#isClosed) onLost(error, rows.length);
    }
  }

  #fullPlatforms(rows: readonly NewRequestLog[]): PlatformId[] {
    for (const { platformId } of rows)
      this.#sinceTrim.set(platformId, (this.#sinceTrim.get(platformId) ?? 0) + 1);
    const full = [...this.#sinceTrim].filter(([, count]) => count >= TRIM_EVERY).map(([id]) => id);
    for (const id of full) this.#sinceTrim.delete(id);
    return full;
  }

  /** The request has been answered, so a problem with its entry must affect only the log. */
  #tryRowOf(record: RequestRecord, caller: NonNullable<RequestRecord['caller']>): NewRequestLog | undefined {
    try {
      return this.#rowOf(record, caller);
    } catch (error) {
      this.#dropped++;
      this.#options.onLost(error, 1);
      return undefined;
    }
  }

  #rowOf(record: RequestRecord, caller: NonNullable<RequestRecord['caller']>): NewRequestLog {
    const { platform } = caller;
    return {
      platformId: platform.id,
      id: this.#options.newId(),
      createdAt: new Date(this.#options.clock.now()),
      requestId: record.requestId,
      caller: { kind: caller.kind, id: caller.id },
      via: viaOf(caller),
      method: record.method,
      route: record.route,
      path: record.path,
      status: record.status,
      code: record.refusal?.code ?? null,
      durationMs: record.ms,
      keyVerdict: record.keyVerdict,
      ...retainFields(record, platform.settings),
    };
  }
}
