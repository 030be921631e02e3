import pg from 'pg';
import { DatabaseUnavailable } from '#foundation/database/failures.ts';

export interface WatchdogOptions {
  /** A server that answers no caller for this long is treated as down. */
  readonly silenceMaxMs: number;
  /** Sends a trivial query, on a connection of its own. */
  probe(withinMs: number): Promise<unknown>;
  /** Closes every connection: callers that wait on one get the same error as for any lost connection. */
  dropConnections(): void;
}

/** For this long after the server was found down, calls fail at once instead of waiting for it again. */
const REST_MS = 1_000;
const LOOKS = 16;

/**
 * Distinguishes a dead server from a slow statement. A statement may wait a minute for a lock, while a working server
 * still answers other callers. So if no caller has had an answer for a while, the server is probed, and only if the probe
 * is not answered either do all waiting callers get an error.
 */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #everyMs: number;
  /** Callers that wait for an answer, oldest first. */
  readonly #waiting = new Set<{ readonly since: number }>();
  #heardAt = 0;
  #lookedAt = 0;
  #silentUntil = 0;
  #isAsking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#everyMs = options.silenceMaxMs / LOOKS;
  }

  /** Runs a step that waits for the server's answer. */
  async watch<T>(step: () => Promise<T>): Promise<T> {
    const since = performance.now();
    if (since < this.#silentUntil) throw new DatabaseUnavailable(new Error('the database is silent'));
    const waiter = { since };
    this.#waiting.add(waiter);
    this.#watch(since);
    try {
      const answer = await step();
      this.#heardAt = performance.now();
      return answer;
    } catch (error) {
      if (error instanceof pg.DatabaseError) this.#heardAt = performance.now();
      throw error;
    } finally {
      this.#waiting.delete(waiter);
    }
  }

  #watch(now: number): void {
    if (this.#timer) return;
    this.#lookedAt = now;
    this.#timer = setInterval(() => this.#look(performance.now()), this.#everyMs).unref();
  }

  #look(now: number): void {
    const [oldest] = this.#waiting;
    if (!oldest) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    // This process was too busy to read answers: the silence is not the server's.
    if (now - this.#lookedAt > 4 * this.#everyMs) this.#heardAt = now;
    this.#lookedAt = now;
    const quietMs = now - Math.max(oldest.since, this.#heardAt);
    if (quietMs >= this.#options.silenceMaxMs) this.#giveUp(now);
    else if (quietMs >= this.#options.silenceMaxMs / 4 && !this.#isAsking) void this.#ask();
  }

  #giveUp(now: number): void {
    this.#silentUntil = now + REST_MS;
    // Calls that begin after the rest period are measured from their own beginning.
    this.#heardAt = now;
    this.#options.dropConnections();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    try {
      await this.#options.probe(this.#options.silenceMaxMs);
      this.#heardAt = performance.now();
    } catch (error) {
      // A server that refuses a connection has answered, too.
      if (error instanceof pg.DatabaseError) this.#heardAt = performance.now();
    } finally {
      this.#isAsking = false;
    }
  }
}
