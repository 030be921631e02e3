import { writeAudit } from '#foundation/audit/audit.ts';
import type { AuditRow } from '#foundation/audit/store.ts';
import type { Database } from '#foundation/database/database.ts';
import { DatabaseUnavailable } from '#foundation/database/failures.ts';
import { batchCalls } from '#foundation/lib/batch-calls.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import type { IdSource } from '#foundation/lib/ids.ts';
import { withTimeout } from '#foundation/lib/promises.ts';

export interface RefusedCallersOptions {
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
  readonly newId: IdSource;
  /** Called for rows that could not be written. */
  onLost(error: unknown, rows: number): void;
}

export interface RefusedCall {
  readonly id: string;
  readonly remoteAddress: string;
  readonly path: string;
}

const WINDOW_MS = 60_000;
/** The most rows of one address in a window, and of all addresses; further failures are only counted. */
const OWN_ROWS_MAX = 10;
const ROWS_MAX = 100;
/** The most addresses that are counted separately in a window; the others are counted together. */
const ADDRESSES_MAX = 100;
const OTHERS = 'others';
/** A database that does not answer must not delay the refusal. */
const WAIT_MAX_MS = 2_000;

/**
 * Writes the audit rows of failed authentications. Any client can fail as often as it likes, and the rows are kept for a
 * year. So in a flood only the first failures of each minute get a row of their own; the rest share one row with their
 * number.
 */
export class RefusedCallers {
  readonly #options: RefusedCallersOptions;
  readonly #write: (row: AuditRow) => Promise<AuditRow>;
  #window: Window;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RefusedCallersOptions) {
    this.#options = options;
    this.#write = batchCalls(async (rows: AuditRow[]) => {
      await writeAudit(options.database, rows).catch((error) => {
        if (error instanceof DatabaseUnavailable) this.#countAgain(rows);
        else options.onLost(error, rows.length);
      });
      return rows;
    });
    this.#window = new Window(options.clock.now());
  }

  async record({ id, remoteAddress, path }: RefusedCall): Promise<void> {
    const now = this.#options.clock.now();
    if (!this.#window.holds(now)) void Promise.all(this.#startWindow(now));
    if (!this.#window.take(remoteAddress)) {
      this.#scheduleFlush();
      return;
    }
    const row = this.#row(now, remoteAddress, { resource: path.slice(0, 500), requestId: id });
    await withTimeout(this.#write(row), WAIT_MAX_MS, undefined);
  }

  /** Writes rows for the failures that were only counted so far. */
  async flush(): Promise<void> {
    await Promise.all(this.#startWindow(this.#options.clock.now()));
  }

  #startWindow(now: number): Promise<unknown>[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ended = this.#window;
    this.#window = new Window(now);
    const since = new Date(ended.since).toISOString();
    return ended
      .counted()
      .map(([address, times]) => this.#write(this.#row(now, address, { details: { times, since } })));
  }

  /** While the database is down failures are counted, and their number is written once it is back. */
  #countAgain(rows: readonly AuditRow[]): void {
    for (const { remoteAddress = OTHERS, details } of rows) {
      this.#window.count(remoteAddress, Number(details?.times ?? 1));
    }
    this.#scheduleFlush();
  }

  /** Flushes at the end of the window, even if there are no further failures. */
  #scheduleFlush(): void {
    this.#timer ??= setTimeout(() => void this.flush(), WINDOW_MS).unref();
  }

  #row(now: number, remoteAddress: string, more: Partial<AuditRow>): AuditRow {
    return {
      id: this.#options.newId(),
      platformId: null,
      at: new Date(now),
      actor: { kind: 'token', id: 'unknown' },
      action: 'authentication failed',
      remoteAddress,
      ...more,
    };
  }
}

/** The failures of one address, or of the others together. */
interface AddressCount {
  rows: number;
  counted: number;
  readonly isOthers: boolean;
}

/** The failures of one minute, by address. */
class Window {
  readonly since: number;
  readonly #addresses = new Map<string, AddressCount>();
  #rows = 0;

  constructor(since: number) {
    this.since = since;
  }

  /** A clock that was set back ends the window, too. */
  holds(now: number): boolean {
    return now >= this.since && now < this.since + WINDOW_MS;
  }

  /** Returns whether this failure gets a row; otherwise it is counted. */
  take(remoteAddress: string): boolean {
    const seen = this.#seenOf(remoteAddress);
    if (seen.isOthers || seen.rows === OWN_ROWS_MAX || this.#rows === ROWS_MAX) {
      seen.counted++;
      return false;
    }
    seen.rows++;
    this.#rows++;
    return true;
  }

  count(remoteAddress: string, times: number): void {
    this.#seenOf(remoteAddress).counted += times;
  }

  #seenOf(remoteAddress: string): AddressCount {
    const isTracked = this.#addresses.has(remoteAddress) || this.#addresses.size < ADDRESSES_MAX;
    const name = isTracked ? remoteAddress : OTHERS;
    const seen = this.#addresses.get(name) ?? { rows: 0, counted: 0, isOthers: !isTracked };
    this.#addresses.set(name, seen);
    return seen;
  }

  counted(): [address: string, times: number][] {
    return [...this.#addresses].flatMap(([address, { counted }]) =>
      counted > 0 ? [[address, counted] as [string, number]] : [],
    );
  }
}
