import { randomUUID } from 'node:crypto';
import { claimCapacity, DEFAULT_CAPACITY } from '#edge/webhooks/capacity.ts';
import { DeliveryQueue } from '#edge/webhooks/delivery-queue.ts';
import { Dispatcher } from '#edge/webhooks/dispatcher.ts';
import { LEASE_MS } from '#edge/webhooks/leases.ts';
import { createRender } from '#edge/webhooks/render.ts';
import type { Sender } from '#edge/webhooks/send-event.ts';
import {
  type Capacity,
  type ClaimedEvent,
  claimWebhooks,
  duePlatforms,
  isDue,
  nextRetryAt,
} from '#edge/webhooks/store.ts';
import { SigningKeys } from '#foundation/crypto/webhook-key.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import type { Decisions, Renderers } from '#foundation/events/handlers.ts';
import { type Metric, type StepResult, WakeSignal, type WorkSource } from '#foundation/jobs/work-source.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import { createResolve, type Resolve, type SandboxReach } from '#foundation/outbound/addresses.ts';
import { createOutbound, type Outbound } from '#foundation/outbound/outbound.ts';

export interface DelivererOptions {
  readonly names: WireNames;
  readonly renderers?: Renderers;
  readonly decisions?: Decisions;
  readonly resolve?: Resolve;
  readonly random?: () => number;
  readonly timeoutMs?: number;
  readonly questionTimeoutMs?: number;
  /** A receiver that takes longer is slow; the next event of the resource no longer waits for its response. */
  readonly slowAfterMs?: number;
  readonly sandboxReach?: SandboxReach | undefined;
  /** Certificates to trust beside the usual ones. */
  readonly ca?: string;
  onError?(error: unknown, event: { id: string; platformId: string }): void;
  onFailedAttempt?: Sender['onFailedAttempt'];
}

/** Events leased at a time for all platforms, and by one claim. */
const TOTAL_MAX = 4_096;
const CLAIM_MAX = 1_024;
/** How long recording may take for attempts that are aborted when the process ends. */
const RECORDING_MS = 5_000;

/** Sends the events in the outbox. Any number of processes can do so at the same time. */
export class Deliverer implements WorkSource {
  readonly name = 'webhooks';
  readonly callsOutside = true;
  readonly signal = new WakeSignal();
  readonly #runtime: Runtime;
  readonly #outbound: Outbound;
  readonly #sender: Sender;
  readonly owner = randomUUID();
  readonly #queues = new Map<string, DeliveryQueue>();
  readonly #dispatch: Dispatcher;
  #claiming: Promise<unknown> = Promise.resolve();
  #walkPosition: string | undefined;
  #skipped = 0;
  #isDraining = false;

  constructor(runtime: Runtime, options: DelivererOptions) {
    const { resolve = createResolve(), random = Math.random, timeoutMs = 30_000, ca, sandboxReach } = options;
    this.#runtime = runtime;
    this.#outbound = createOutbound({ resolve, ca, sandboxReach });
    const onError = options.onError ?? (() => undefined);
    this.#sender = {
      runtime,
      names: options.names,
      outbound: this.#outbound,
      keys: new SigningKeys(runtime.vault),
      render: createRender(runtime, options.renderers ?? {}),
      random,
      timeoutMs,
      questionTimeoutMs: options.questionTimeoutMs ?? 5_000,
      onError,
      onFailedAttempt: options.onFailedAttempt ?? (() => undefined),
    };
    this.#dispatch = new Dispatcher(this.#sender, {
      decisions: options.decisions ?? {},
      slowAfterMs: options.slowAfterMs ?? 3_000,
      queueOf: (platformId) => this.#queue(platformId),
      onCapacity: () => this.signal.raise(),
    });
  }

  /** For the test webhook, which makes its attempt itself. */
  get sender(): Sender {
    return this.#sender;
  }

  /** Renews the leases now; this also happens periodically. */
  renew(): Promise<void> {
    return this.#dispatch.leases.renew();
  }

  finished(): number {
    return this.#skipped + this.#dispatch.finished;
  }

  counters(): Metric[] {
    return this.#dispatch.attempts.counters();
  }

  async pump(): Promise<void> {
    if (this.#isDraining) return;
    const { count, isMore } = await this.#claim(undefined);
    if (isMore || count >= CLAIM_MAX) this.signal.raise();
  }

  async step(platformId: string, withinMs: number): Promise<StepResult> {
    const failuresBefore = this.#queue(platformId).failures;
    const { count: done } = await this.#claim(platformId);
    const queue = this.#queue(platformId);
    const isIdle = await queue.isIdleWithin(withinMs);
    const hadFailure = !isIdle || queue.failures > failuresBefore;
    const isLeft = done > 0 || (await isDue(this.#runtime.database.query, platformId, this.#now()));
    return { done, isDue: isLeft, hadFailure };
  }

  duePlatforms(): Promise<string[]> {
    return duePlatforms(this.#runtime.database.query, this.#now());
  }

  nextDueAt(platformId: string, after: Date): Promise<Date | undefined> {
    return nextRetryAt(this.#runtime.database.query, platformId, after);
  }

  async drain(withinMs: number): Promise<void> {
    this.#isDraining = true;
    this.#dispatch.leases.stopRetrying();
    await this.#claiming;
    const queues = [...this.#queues.values()];
    await this.#dispatch.release(queues.flatMap((queue) => queue.removeUnsent()));
    await Promise.all(queues.map((queue) => queue.isIdleWithin(withinMs)));
    await this.#outbound.close();
    // Attempts that this aborted are recorded as failed.
    await Promise.all(queues.map((queue) => queue.isIdleWithin(RECORDING_MS)));
    this.#dispatch.leases.close();
  }

  #now(): Date {
    return new Date(this.#runtime.clock.now());
  }

  #leasedCount(): number {
    return this.#queues.values().reduce((sum, queue) => sum + queue.leasedCount, 0);
  }

  #queue(platformId: string): DeliveryQueue {
    const queue = this.#queues.get(platformId) ?? new DeliveryQueue();
    this.#queues.set(platformId, queue);
    return queue;
  }

  /** Claims run one after the other, and each is queued before the next: otherwise first attempts could change order. */
  #claim(only: string | undefined): Promise<{ count: number; isMore: boolean }> {
    const claim = this.#claiming.then(() => this.#claimOnce(only));
    this.#claiming = claim.catch(() => undefined);
    return claim;
  }

  /** Every claim is an owner of its own, so that its leases cannot be confused with those of another claim. */
  async #claimOnce(only: string | undefined): Promise<{ count: number; isMore: boolean }> {
    const now = this.#now();
    const left = TOTAL_MAX - this.#leasedCount();
    const capacity = claimCapacity(this.#queues, left <= 0);
    const defaultCapacity = left <= 0 ? { ...DEFAULT_CAPACITY, events: 0 } : DEFAULT_CAPACITY;
    const { claimed, stoppedAt, skipped } = await claimWebhooks(this.#runtime.database.query, {
      now,
      until: new Date(now.getTime() + LEASE_MS),
      owner: randomUUID(),
      only,
      after: this.#walkPosition,
      capacity,
      defaultCapacity,
      rowsMax: left <= 0 ? CLAIM_MAX : Math.min(CLAIM_MAX, left),
      questionMs: this.#sender.questionTimeoutMs,
    });
    if (only === undefined) this.#walkPosition = stoppedAt;
    this.#skipped += skipped;
    if (skipped > 0) this.#dispatch.attempts.add({ outcome: 'SKIPPED' }, skipped);
    this.#dispatch.leases.hold(claimed);
    for (const [platformId, events] of Map.groupBy(claimed, (event) => event.platform_id)) {
      this.#enqueue(this.#queue(platformId), events, capacity.get(platformId) ?? defaultCapacity);
    }
    return { count: claimed.length + skipped, isMore: stoppedAt !== undefined || skipped > 0 };
  }

  #enqueue(queue: DeliveryQueue, events: readonly ClaimedEvent[], capacity: Capacity): void {
    for (const event of events) {
      // Started for all of them now, so that they are rendered together although some are sent one by one.
      if (!event.payload) event.rendering = this.#sender.render(event);
      queue.add(event);
    }
    // A claim takes no more retries than half of the capacity.
    const retries = events.filter((event) => !event.is_first).length;
    queue.mayHaveMore = events.length >= capacity.events || 2 * retries >= capacity.events;
    this.#dispatch.startNext(queue);
  }
}
