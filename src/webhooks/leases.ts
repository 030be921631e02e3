import { setTimeout as delay } from 'node:timers/promises';
import type { Run } from '#database/database.ts';
import { batchCalls } from '#lib/batch-calls.ts';
import { type Attempted, type Claimed, recordAttempts, releaseEvents, renewLeases } from '#webhooks/store.ts';

/**
 * How long an event stays with a process that no longer says that it has it: one that was killed, or never heard that
 * its claim succeeded. Longer than the few seconds for which a database may be away, since a lease that cannot be
 * renewed ends an attempt.
 */
export const LEASE_MS = 7_000;
/** How often what is in hand is looked through, and how old a lease is when it is renewed. */
const LOOK_MS = 500;
const RENEW_MS = 1_000;
/** While the database takes its time. */
const RENEWING_MAX = 2;
/** Before the end of its lease an event is let go, so that it is out of this hand when another takes it. */
const MARGIN_MS = 1_000;
/** What was answered is recorded, and what was not sent given back, for as long as it takes the database to return. */
const PERSIST_MS = 60_000;
const AGAIN_MS = 200;

/** The events that this process has in hand, and how they leave it; what leaves at the same time shares a trip. */
export class Leases {
  readonly #query: Run;
  readonly #now: () => number;
  readonly #onLost: (event: Claimed) => void;
  readonly #held = new Set<Claimed>();
  readonly #record: (attempted: Attempted) => Promise<unknown>;
  readonly #release: (event: Claimed) => Promise<unknown>;
  #timer: NodeJS.Timeout | undefined;
  #renewing = 0;
  #isHurried = false;

  /** `onLost` hears of an event whose lease ends without a renewal: whatever is done with it must stop. */
  constructor(query: Run, now: () => number, onLost: (event: Claimed) => void) {
    this.#query = query;
    this.#now = now;
    this.#onLost = onLost;
    const at = () => new Date(now());
    this.#record = batchCalls(
      async (items: Attempted[]) => {
        await recordAttempts(query, at(), items);
        return items;
      },
      { lanes: 2 },
    );
    this.#release = batchCalls(async (events: Claimed[]) => {
      await releaseEvents(query, events);
      return events;
    });
  }

  hold(events: readonly Claimed[]): void {
    for (const event of events) this.#held.add(event);
    this.#timer ??= setInterval(() => void this.renew(), LOOK_MS).unref();
  }

  /** Whether enough of the lease is left for something to begin. */
  isSafe(event: Claimed): boolean {
    return this.#held.has(event) && this.#leftMs(event) > MARGIN_MS;
  }

  record(attempted: Attempted): Promise<void> {
    return this.persist(() => this.#record(attempted));
  }

  /** For anyone to take. */
  async release(events: readonly Claimed[]): Promise<void> {
    for (const event of events) this.drop(event);
    await this.persist(() => Promise.all(events.map((event) => this.#release(event))));
  }

  /** No longer renewed: it was recorded, or its lease shall end by itself. */
  drop(event: Claimed): void {
    this.#held.delete(event);
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** A step on the database, again and again while that is away. */
  async persist(
    step: () => Promise<unknown>,
    isFinal: (error: unknown) => boolean = () => false,
  ): Promise<void> {
    const giveUpAt = performance.now() + PERSIST_MS;
    for (;;) {
      try {
        await step();
        return;
      } catch (error) {
        if (isFinal(error) || this.#isHurried || performance.now() > giveUpAt) throw error;
      }
      await delay(AGAIN_MS);
    }
  }

  /** Nothing is tried again from now on: the process ends, and what it could not write runs out. */
  hurry(): void {
    this.#isHurried = true;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Lets go of what could not be renewed in time, and renews the rest. */
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

  #leftMs(event: Claimed): number {
    return event.leased_until.getTime() - this.#now();
  }
}
