import { setTimeout as delay } from 'node:timers/promises';
import {
  type AttemptResult,
  type ClaimedEvent,
  recordAttempts,
  releaseEvents,
  renewLeases,
} from '#edge/webhooks/store.ts';
import type { Run } from '#foundation/database/database.ts';
import { batchCalls } from '#foundation/lib/batch-calls.ts';

/**
 * How long an event stays leased to a process that does not renew the lease because it was killed, or never learned that
 * its claim had succeeded. Longer than a database is usually unavailable, because an attempt is aborted when its lease
 * cannot be renewed.
 */
export const LEASE_MS = 7_000;
/** How often leases are checked, and how old one is when it is renewed. */
const LOOK_MS = 500;
const RENEW_MS = 1_000;
/** Renewals at the same time, while the database is slow. */
const RENEWING_MAX = 2;
/** An event is dropped this long before its lease expires, so that this process has stopped when another claims it. */
const MARGIN_MS = 1_000;
/** How long recording and releasing are retried while the database is unavailable, and how often. */
const PERSIST_MS = 60_000;
const AGAIN_MS = 200;

/** The leases of this process: renews, records and releases them. Calls at the same time share one statement. */
export class Leases {
  readonly #query: Run;
  readonly #now: () => number;
  readonly #onLost: (event: ClaimedEvent) => void;
  readonly #held = new Set<ClaimedEvent>();
  readonly #record: (result: AttemptResult) => Promise<unknown>;
  readonly #release: (event: ClaimedEvent) => Promise<unknown>;
  #timer: NodeJS.Timeout | undefined;
  #renewing = 0;
  #hasStoppedRetrying = false;

  /** `onLost` is called for an event whose lease could not be renewed: its attempt must be aborted. */
  constructor(query: Run, now: () => number, onLost: (event: ClaimedEvent) => void) {
    this.#query = query;
    this.#now = now;
    this.#onLost = onLost;
    const at = () => new Date(now());
    this.#record = batchCalls(
      async (items: AttemptResult[]) => {
        await recordAttempts(query, at(), items);
        return items;
      },
      { lanes: 2 },
    );
    this.#release = batchCalls(async (events: ClaimedEvent[]) => {
      await releaseEvents(query, events);
      return events;
    });
  }

  hold(events: readonly ClaimedEvent[]): void {
    for (const event of events) this.#held.add(event);
    this.#timer ??= setInterval(() => void this.renew(), LOOK_MS).unref();
  }

  /** Whether the lease lasts long enough to start an attempt. */
  isSafe(event: ClaimedEvent): boolean {
    return this.#held.has(event) && this.#leftMs(event) > MARGIN_MS;
  }

  record(result: AttemptResult): Promise<void> {
    return this.retryUntilStored(() => this.#record(result));
  }

  /** Ends the leases, so that any process can claim the events. */
  async release(events: readonly ClaimedEvent[]): Promise<void> {
    for (const event of events) this.drop(event);
    await this.retryUntilStored(() => Promise.all(events.map((event) => this.#release(event))));
  }

  /** Stops renewing the lease: the event was recorded, or its lease is left to expire. */
  drop(event: ClaimedEvent): void {
    this.#held.delete(event);
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Retries a write while the database is unavailable. */
  async retryUntilStored(
    step: () => Promise<unknown>,
    isFinal: (error: unknown) => boolean = () => false,
  ): Promise<void> {
    const giveUpAt = performance.now() + PERSIST_MS;
    for (;;) {
      try {
        await step();
        return;
      } catch (error) {
        if (isFinal(error) || this.#hasStoppedRetrying || performance.now() > giveUpAt) throw error;
      }
      await delay(AGAIN_MS);
    }
  }

  /** Called when the process is about to end: results that cannot be written are left to the expiry of their leases. */
  stopRetrying(): void {
    this.#hasStoppedRetrying = true;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Drops the events whose leases could not be renewed in time, and renews the others. */
  async renew(): Promise<void> {
    const [now, until] = [new Date(this.#now()), new Date(this.#now() + LEASE_MS)];
    for (const event of [...this.#held]) {
      if (this.isSafe(event)) continue;
      this.drop(event);
      this.#onLost(event);
    }
    const due = [...this.#held].filter((event) => this.#leftMs(event) <= LEASE_MS - RENEW_MS);
    if (due.length === 0 || this.#renewing >= RENEWING_MAX) return;
    this.#renewing++;
    try {
      const renewed = new Set((await renewLeases(this.#query, { now, until }, due)).map(({ id }) => id));
      for (const event of due) if (renewed.has(event.id)) event.leased_until = until;
    } catch {
      // The leases stay as they are; the next renewal is soon.
    } finally {
      this.#renewing--;
    }
  }

  #leftMs(event: ClaimedEvent): number {
    return event.leased_until.getTime() - this.#now();
  }
}
