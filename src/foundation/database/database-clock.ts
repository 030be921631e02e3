import type { Database, Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Clock } from '#foundation/lib/clock.ts';

/** How often a process compares its clock with the database's. */
export const COMPARE_MS = 1_000;
/** The best of this many comparisons counts. */
const KEPT_MAX = 10;
/** How far two clocks may drift apart within the kept comparisons. */
const DRIFT_MS = 20;

interface Comparison {
  /** What to add to this process's monotonic clock. */
  readonly offset: number;
  /** The offset is right to within this many milliseconds: half of the round trip. */
  readonly error: number;
}

/**
 * Real time as the database has it, so that all processes agree when a lease expires, even if their machines' clocks are wrong
 * or jump. A process counts the time since its last comparisons by its monotonic clock, and never reads its own time of day.
 */
export class DatabaseClock implements Clock {
  readonly #query: Run;
  readonly #monotonic: () => number;
  #kept: Comparison[] = [];
  #offset = 0;
  #last = 0;

  private constructor({ query }: Pick<Database, 'query'>, monotonic: () => number) {
    this.#query = query;
    this.#monotonic = monotonic;
  }

  static async open(
    database: Pick<Database, 'query'>,
    monotonic: () => number = () => performance.now(),
  ): Promise<DatabaseClock> {
    const clock = new DatabaseClock(database, monotonic);
    await clock.compare();
    return clock;
  }

  /** It goes back only if the database's own clock does. */
  now(): number {
    this.#last = Math.max(this.#last, Math.floor(this.#monotonic() + this.#offset));
    return this.#last;
  }

  /** Asks the database for its time. It answered at some moment of the round trip; the middle is the best guess. */
  async compare(): Promise<void> {
    const asked = this.#monotonic();
    const [row] = await this.#query<{ now: number }>(
      sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
    );
    const answered = this.#monotonic();
    const error = (answered - asked) / 2;
    this.#keep({ offset: (row?.now ?? Number.NaN) - asked - error, error });
  }

  /** Compares regularly, until it is stopped. A failed comparison changes nothing: the time runs on. */
  start(onError: (error: unknown) => void): () => void {
    const timer = setInterval(() => void this.compare().catch(onError), COMPARE_MS).unref();
    return () => clearInterval(timer);
  }

  #keep(latest: Comparison): void {
    const known = bestOf(this.#kept) ?? latest;
    if (Math.abs(latest.offset - known.offset) > latest.error + known.error + DRIFT_MS) {
      // The database's clock was set, or another server is the primary now.
      this.#kept = [];
      this.#last = 0;
    }
    this.#kept = [...this.#kept, latest].slice(-KEPT_MAX);
    this.#offset = (bestOf(this.#kept) ?? latest).offset;
  }
}

function bestOf(comparisons: readonly Comparison[]): Comparison | undefined {
  const least = Math.min(...comparisons.map(({ error }) => error));
  return comparisons.find(({ error }) => error === least);
}
