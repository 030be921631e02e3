import { setTimeout as delay } from 'node:timers/promises';
import {
  ConnectionError,
  type Corridor,
  RateLimitError,
  type RequestLogSummary,
  ServerError,
} from '@corridor/client';
import { filtersOf, type LogOptions } from '#cli/developer/log-filters.ts';
import { resolveRealTime } from '#cli/developer/moment.ts';
import { printLine } from '#cli/print.ts';
import { stopSignals } from '#cli/stop-signals.ts';

const POLL_MS = 1_000;
/**
 * An entry of another process can turn up half a second late (platform.md §11.1), so each poll begins a while before the
 * newest entry and skips the entries that were printed.
 */
const OVERLAP_MS = 3_000;

/** Failures that pass when the server is back, or less busy. */
const PASSING = [ConnectionError, ServerError, RateLimitError];

type TailOptions = LogOptions & { readonly lines: number };

/** Prints each entry of the log once, until a signal stops the process. Waits for a server that does not answer. */
export async function tailLogs(corridor: Corridor, options: TailOptions): Promise<void> {
  const signals = stopSignals();
  const { signal } = signals;
  try {
    const tail = new Tail(corridor, options, signal);
    await tail.begin();
    if (process.stderr.isTTY) process.stderr.write('corridor: waiting for requests; Ctrl-C stops\n');
    while (!signal.aborted) {
      await delay(POLL_MS, undefined, { signal });
      await tail.goOn();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signals.dispose();
  }
}

class Tail {
  readonly #corridor: Corridor;
  readonly #options: TailOptions;
  readonly #call: { readonly signal: AbortSignal; readonly maxRetries: 0 };
  /** The entries that the next poll may find again, with their times. */
  readonly #seen = new Map<string, number>();
  #newestMs: number | undefined;
  #isAway = false;

  constructor(corridor: Corridor, options: TailOptions, signal: AbortSignal) {
    this.#corridor = corridor;
    this.#options = options;
    this.#call = { signal, maxRetries: 0 };
  }

  async begin(): Promise<void> {
    const { since, lines } = this.#options;
    if (since) {
      this.#newestMs = Date.parse(resolveRealTime(since)) + OVERLAP_MS;
      return this.#look();
    }
    const { data: last } = await this.#corridor.listRequestLogs(filtersOf(this.#options), this.#call);
    const [newest] = (await this.#corridor.listRequestLogs({ limit: 1 }, this.#call)).data;
    if (newest) this.#newestMs = Date.parse(newest.createdAt);
    for (const [i, request] of last.entries().toArray().reverse()) this.#take(request, i < lines);
  }

  async goOn(): Promise<void> {
    try {
      await this.#look();
      if (this.#isAway) process.stderr.write('corridor: the server answers again\n');
      this.#isAway = false;
    } catch (error) {
      if (!PASSING.some((kind) => error instanceof kind)) throw error;
      if (!this.#isAway) process.stderr.write('corridor: the server does not answer; waiting for it\n');
      this.#isAway = true;
    }
  }

  async #look(): Promise<void> {
    const fromMs = this.#newestMs === undefined ? undefined : this.#newestMs - OVERLAP_MS;
    const pages = this.#corridor.listRequestLogs(
      {
        ...filtersOf(this.#options),
        ...(fromMs !== undefined && { createdAfter: new Date(fromMs).toISOString() }),
        sortOrder: 'asc',
        limit: 100,
      },
      this.#call,
    );
    for await (const request of pages) this.#take(request, true);
    for (const [id, atMs] of this.#seen) if (fromMs !== undefined && atMs < fromMs) this.#seen.delete(id);
  }

  #take(request: RequestLogSummary, isPrinted: boolean): void {
    if (this.#seen.has(request.id)) return;
    const atMs = Date.parse(request.createdAt);
    this.#seen.set(request.id, atMs);
    this.#newestMs = Math.max(this.#newestMs ?? atMs, atMs);
    if (isPrinted) printLine(this.#options.json ? JSON.stringify(request) : renderLine(request));
  }
}

/** `12:30:01.250  POST /quotes 400 INVALID_INPUT 3 ms`, then the request's id and the unknown fields. */
function renderLine({
  createdAt,
  method,
  path,
  status,
  code,
  durationMs,
  idempotency,
  requestId,
  unknownFields,
}: RequestLogSummary): string {
  const outcome = code === undefined ? status : `${status} ${code}`;
  const key =
    idempotency === 'REPLAYED' || idempotency === 'CONFLICT' ? ` key ${idempotency.toLowerCase()}` : '';
  const unknown = unknownFields ? `  not known: ${unknownFields.join(', ')}` : '';
  return `${createdAt}  ${method} ${path} ${outcome} ${durationMs} ms${key}  ${requestId}${unknown}`;
}
