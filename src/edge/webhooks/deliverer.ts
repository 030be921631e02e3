import { randomUUID } from 'node:crypto';
import { claimCapacity, DEFAULT_CAPACITY } from '#edge/webhooks/capacity.ts';
import { canTakeMore, DeliveryQueue } from '#edge/webhooks/delivery-queue.ts';
import { Dispatcher } from '#edge/webhooks/dispatcher.ts';
import { HandOver, hasRoomFor } from '#edge/webhooks/hand-over.ts';
import { type Capacity, claimWebhooks, WEBHOOK_QUEUES } from '#edge/webhooks/queue-store.ts';
import { createRender } from '#edge/webhooks/render.ts';
import type { Sender } from '#edge/webhooks/send-event.ts';
import type { ClaimedEvent } from '#edge/webhooks/store.ts';
import { SigningKeys } from '#foundation/crypto/webhook-key.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import type { Decisions, Renderers } from '#foundation/events/handlers.ts';
import { LEASE_MS } from '#foundation/jobs/leases.ts';
import {
  listDueLanes,
  listDuePlatforms,
  nextDueAt,
  WALK_START,
  walkLanes,
} from '#foundation/jobs/queues-store.ts';
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
  onError?(error: unknown, about: { id: string; platformId: PlatformId }): void;
  onFailedAttempt?: Sender['onFailedAttempt'];
}

/** Events leased at a time for all platforms, and resources by one claim. */
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
  readonly #handOver: HandOver;
  #claiming: Promise<unknown> = Promise.resolve();
  #walk = WALK_START;
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
      onNoEndpoint: (platformId) => this.#handOver.learn(platformId, undefined),
      onCapacity: () => this.signal.raise(),
    });
    this.#handOver = new HandOver({
      ...{ clock: runtime.clock, dispatch: this.#dispatch, onLeft: () => this.signal.raise() },
      hasRoom: (id, count) => this.#room() >= count && hasRoomFor(this.#queues.get(id), count),
      enqueue: (platformId, events) => {
        if (this.#isDraining) void this.#dispatch.release(events);
        else this.#enqueue(this.#queue(platformId), events);
      },
    });
  }

  /** From now on, this process sends the events of its own commits without claiming them. */
  start(): void {
    this.#runtime.outbox.taker = this.#handOver;
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
    await this.#claim(undefined);
    if (this.#walk !== WALK_START) this.signal.raise();
  }

  async step(platformId: PlatformId, withinMs: number): Promise<StepResult> {
    const failuresBefore = this.#queue(platformId).failures;
    const done = await this.#claim(platformId);
    const queue = this.#queue(platformId);
    const isIdle = await queue.isIdleWithin(withinMs);
    const hadFailure = !isIdle || queue.failures > failuresBefore;
    const isLeft = done > 0 || (await this.#isDue(platformId));
    return { done, isDue: isLeft, hadFailure };
  }

  duePlatforms(): Promise<PlatformId[]> {
    return listDuePlatforms(this.#query, WEBHOOK_QUEUES, this.#now());
  }

  nextDueAt(platformId: PlatformId, after: Date): Promise<Date | undefined> {
    return nextDueAt(this.#query, WEBHOOK_QUEUES, platformId, after);
  }

  async drain(withinMs: number): Promise<void> {
    this.#isDraining = true;
    if (this.#runtime.outbox.taker === this.#handOver) this.#runtime.outbox.taker = undefined;
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

  get #query() {
    return this.#runtime.database.query;
  }

  async #isDue(platformId: PlatformId): Promise<boolean> {
    return (await listDueLanes(this.#query, WEBHOOK_QUEUES, platformId, this.#now())).length > 0;
  }

  #now(): Date {
    return new Date(this.#runtime.clock.now());
  }

  #queue(platformId: PlatformId): DeliveryQueue {
    const queue = this.#queues.get(platformId) ?? new DeliveryQueue();
    this.#queues.set(platformId, queue);
    return queue;
  }

  /**
   * Claims run one after the other, and each is queued before the next: otherwise first attempts could change order.
   * Returns how many events were claimed.
   */
  #claim(only: PlatformId | undefined): Promise<number> {
    const claim = this.#claiming.then(async () => {
      const due = only === undefined ? await this.#walkPlatforms() : [only];
      return due.length === 0 ? 0 : this.#claimFor(due);
    });
    this.#claiming = claim.catch(() => undefined);
    return claim;
  }

  async #walkPlatforms(): Promise<PlatformId[]> {
    const { due, stoppedAt } = await walkLanes(this.#query, WEBHOOK_QUEUES, this.#now(), this.#walk);
    this.#walk = stoppedAt;
    return [...new Set(due.map(({ platform }) => platform.id))];
  }

  async #claimFor(platformIds: readonly PlatformId[]): Promise<number> {
    const left = this.#room();
    const busy = claimCapacity(this.#queues, left <= 0);
    const idle = left <= 0 ? { ...DEFAULT_CAPACITY, resources: 0 } : DEFAULT_CAPACITY;
    const capacity = new Map(platformIds.map((id) => [id, busy.get(id) ?? idle]));
    const rowsMax = left <= 0 ? CLAIM_MAX : Math.min(CLAIM_MAX, left);
    const claimed = await this.#claimEvents(capacity, rowsMax);
    const last = claimed
      .map(({ platform_id }) => platform_id)
      .sort()
      .at(-1);
    // More may be due on the platforms after the last one.
    if (last && platformIds.length > 1 && new Set(claimed.map(({ lease }) => lease)).size >= rowsMax)
      this.#walk = { platformId: last, lane: 'RETRY' };
    const ended = claimed.filter((event) => event.is_ended);
    const skipped = ended.filter((event) => event.decision === null).length;
    this.#skipped += skipped;
    if (skipped > 0) this.#dispatch.attempts.add({ outcome: 'SKIPPED' }, skipped);
    await this.#dispatch.release(ended);
    return claimed.length;
  }

  /**
   * Every claim is an owner of its own, so that its leases cannot be confused with those of another claim. It also takes
   * new events of the resources whose events in hand all hang, or are retries.
   */
  async #claimEvents(capacity: ReadonlyMap<string, Capacity>, rowsMax: number): Promise<ClaimedEvent[]> {
    const { leases } = this.#dispatch;
    const held = [...leases.held].filter((lease) => capacity.has(lease.platform_id) && canTakeMore(lease));
    for (const lease of held) lease.isClaiming = true;
    const now = this.#now();
    const until = new Date(now.getTime() + LEASE_MS);
    const owner = randomUUID();
    try {
      const { questionTimeoutMs: questionMs } = this.#sender;
      const request = { now, until, owner, capacity, rowsMax, questionMs, held };
      const claimed = await claimWebhooks(this.#query, request);
      this.#queueClaimed(claimed, capacity);
      return claimed;
    } finally {
      for (const lease of held) lease.isClaiming = false;
      await Promise.all(held.map((lease) => this.#dispatch.settle(lease)));
    }
  }

  /**
   * Holds the leases and queues their events without waiting in between: a commit hands its events over to a lease that
   * is held, and they would be sent before the claimed ones.
   */
  #queueClaimed(claimed: readonly ClaimedEvent[], capacity: ReadonlyMap<string, Capacity>): void {
    this.#dispatch.hold(...new Set(claimed.map(({ lease }) => lease)));
    for (const [platformId, events] of Map.groupBy(claimed, (event) => event.platform_id)) {
      const [{ environment, target }] = events as [ClaimedEvent];
      this.#handOver.learn(platformId, target?.endpoint ? environment : undefined);
      const queue = this.#queue(platformId);
      queue.mayHaveMore = mayHaveMore(events, capacity.get(platformId) ?? DEFAULT_CAPACITY);
      this.#enqueue(
        queue,
        events.filter((event) => !event.is_ended),
      );
    }
  }

  #enqueue(queue: DeliveryQueue, events: readonly ClaimedEvent[]): void {
    // The keys are fetched in one trip as well. If that fails, the attempt to send the event shows it.
    void this.#runtime.personKeys.loadFor(events.map(({ payload }) => payload)).catch(() => undefined);
    for (const event of events) {
      // Started for all of them now, so that they are rendered together although some are sent one by one.
      if (!event.payload) event.rendering = this.#sender.render(event);
      queue.add(event);
    }
    this.#dispatch.startNext(queue);
  }

  /** How many further events this process may lease. */
  #room(): number {
    return TOTAL_MAX - this.#queues.values().reduce((sum, queue) => sum + queue.leasedCount, 0);
  }
}

/** Whether a claim has used its capacity. It takes retries of no more resources than half of that. */
function mayHaveMore(claimed: readonly ClaimedEvent[], { resources }: Capacity): boolean {
  const sendable = claimed.filter((event) => !event.is_ended);
  const count = (events: readonly ClaimedEvent[]) => new Set(events.map(({ lease }) => lease)).size;
  return count(sendable) >= resources || 2 * count(sendable.filter(({ is_first }) => !is_first)) >= resources;
}
