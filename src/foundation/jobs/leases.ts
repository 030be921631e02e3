import { setTimeout as delay } from 'node:timers/promises';
import type { Runtime } from '#foundation/database/tx.ts';
import { type Lease, type QueueTable, renewLeases } from '#foundation/jobs/queues-store.ts';

/**
 * How long work stays leased to a process that does not renew the lease because it was killed, or never learned that its
 * claim had succeeded. Longer than a database is usually unavailable, because work is aborted when its lease cannot be
 * renewed.
 */
export const LEASE_MS = 7_000;
/** How often leases are checked, and how old one is when it is renewed. */
const LOOK_MS = 500;
const RENEW_MS = 1_000;
/** The most renewals that run at a time, while the database is slow. */
const RENEWING_MAX = 2;
/** A lease is dropped this long before it expires, so that this process has stopped when another takes the work. */
const MARGIN_MS = 1_000;
/** How long a write is retried while the database is unavailable, and how often. */
const PERSIST_MS = 60_000;
const AGAIN_MS = 200;

export interface LeaseOptions<Held extends Lease> {
  readonly runtime: Pick<Runtime, 'database' | 'clock'>;
  readonly queues: QueueTable;
  /** Called for a lease that could not be renewed: its work must be aborted. */
  onLost?(lease: Held): void;
}

/** The leases of this process: renews them for as long as they are held. */
export class Leases<Held extends Lease> {
  readonly #options: LeaseOptions<Held>;
  readonly #held = new Set<Held>();
  #timer: NodeJS.Timeout | undefined;
  #renewing = 0;
  #hasStoppedRetrying = false;

  constructor(options: LeaseOptions<Held>) {
    this.#options = options;
  }

  get held(): ReadonlySet<Held> {
    return this.#held;
  }

  hold(...leases: readonly Held[]): void {
    for (const lease of leases) this.#held.add(lease);
    if (this.#held.size > 0) this.#timer ??= setInterval(() => void this.renew(), LOOK_MS).unref();
  }

  /** Whether the lease lasts long enough to start a call. */
  isSafe(lease: Held): boolean {
    return this.#held.has(lease) && this.#leftMs(lease) > MARGIN_MS;
  }

  /** Stops renewing the lease: its work is done, or it is left to expire. */
  drop(lease: Held): void {
    this.#held.delete(lease);
    if (this.#held.size === 0) this.close();
  }

  /** Retries a write while the database is unavailable. */
  async retryUntilStored<T>(
    step: () => Promise<T>,
    isFinal: (error: unknown) => boolean = () => false,
  ): Promise<T> {
    const giveUpAt = performance.now() + PERSIST_MS;
    for (;;) {
      try {
        return await step();
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
    this.#timer = undefined;
  }

  /** Drops the leases that could not be renewed in time, and renews the others; this also happens periodically. */
  async renew(): Promise<void> {
    const until = new Date(this.#options.runtime.clock.now() + LEASE_MS);
    for (const lease of [...this.#held]) {
      if (this.isSafe(lease)) continue;
      this.drop(lease);
      this.#options.onLost?.(lease);
    }
    const due = [...this.#held].filter((lease) => this.#leftMs(lease) <= LEASE_MS - RENEW_MS);
    if (due.length === 0 || this.#renewing >= RENEWING_MAX) return;
    this.#renewing++;
    try {
      const { runtime, queues } = this.#options;
      const renewed = await renewLeases(runtime.database.query, queues, due, until);
      for (const lease of renewed) if (lease.leased_until < until) lease.leased_until = until;
    } catch {
      // The leases stay as they are, and the next renewal follows soon.
    } finally {
      this.#renewing--;
    }
  }

  #leftMs(lease: Held): number {
    return lease.leased_until.getTime() - this.#options.runtime.clock.now();
  }
}
