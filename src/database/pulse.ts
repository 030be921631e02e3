import pg from 'pg';
import { DatabaseUnavailable } from '#database/unavailable.ts';

export interface PulseOptions {
  /** A server that says nothing to anybody for so long is silent. */
  readonly silenceMaxMs: number;
  /** Asks the server for a sign of life, on a connection of its own. */
  ask(withinMs: number): Promise<unknown>;
  /** Gives up every connection: whoever waits on one hears of it as of any other that is lost. */
  hangUp(): void;
}

/** For so long after a silence nobody is made to wait for it again. */
const REST_MS = 1_000;
const LOOKS = 16;

/**
 * Tells a server that fell silent from a statement that takes long. A statement may wait for a lock for a minute; a
 * server that has something to wait for still answers somebody else. So when nobody has heard anything for a while it
 * is asked for a sign of life, and only when that does not come either is everybody who waits told.
 */
export class Pulse {
  readonly #options: PulseOptions;
  readonly #everyMs: number;
  /** In the order in which they began to wait. */
  readonly #waiting = new Set<{ readonly since: number }>();
  #heardAt = 0;
  #lookedAt = 0;
  #silentUntil = 0;
  #isAsking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PulseOptions) {
    this.#options = options;
    this.#everyMs = options.silenceMaxMs / LOOKS;
  }

  /** Does what waits for the server's answer. */
  async listen<T>(step: () => Promise<T>): Promise<T> {
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
    // Whoever was busy with something else could not have heard anything.
    if (now - this.#lookedAt > 4 * this.#everyMs) this.#heardAt = now;
    this.#lookedAt = now;
    const quietMs = now - Math.max(oldest.since, this.#heardAt);
    if (quietMs >= this.#options.silenceMaxMs) this.#giveUp(now);
    else if (quietMs >= this.#options.silenceMaxMs / 4 && !this.#isAsking) void this.#ask();
  }

  #giveUp(now: number): void {
    this.#silentUntil = now + REST_MS;
    // What begins after the rest has its own time.
    this.#heardAt = now;
    this.#options.hangUp();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    try {
      await this.#options.ask(this.#options.silenceMaxMs);
      this.#heardAt = performance.now();
    } catch (error) {
      // One that has no room for another connection has answered, too.
      if (error instanceof pg.DatabaseError) this.#heardAt = performance.now();
    } finally {
      this.#isAsking = false;
    }
  }
}
