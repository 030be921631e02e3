import { setTimeout as delay } from 'node:timers/promises';
import { answerQuestion, DecisionFailed } from '#edge/webhooks/answer-question.ts';
import { type ContentResult, openContent } from '#edge/webhooks/content.ts';
import type { DeliveryQueue } from '#edge/webhooks/delivery-queue.ts';
import { recordAndSettle, settleQueues, WEBHOOK_QUEUES } from '#edge/webhooks/queue-store.ts';
import { type AddressedEvent, type Sender, type SendResult, sendEvent } from '#edge/webhooks/send-event.ts';
import type { AttemptResult, ClaimedEvent, QueueLease } from '#edge/webhooks/store.ts';
import { createFindTarget, createOpenTarget, type Target } from '#edge/webhooks/target.ts';
import type { SealedTarget } from '#edge/webhooks/target-store.ts';
import { traceAttempt } from '#edge/webhooks/trace-attempt.ts';
import type { Decisions } from '#foundation/events/handlers.ts';
import { Leases } from '#foundation/jobs/leases.ts';
import { MetricTotals } from '#foundation/jobs/work-source.ts';
import { batchCalls } from '#foundation/lib/batch-calls.ts';

export interface DispatcherOptions {
  readonly decisions: Decisions;
  /** A receiver that takes longer is slow; the next event of the resource no longer waits for its response. */
  readonly slowAfterMs: number;
  queueOf(platformId: PlatformId): DeliveryQueue;
  /** The platform's endpoint was removed. */
  onNoEndpoint(platformId: PlatformId): void;
  /** More events can be claimed. */
  onCapacity(): void;
}

/** How long after the claim its endpoint and key are used; a later attempt reads them again. */
const TARGET_MS = 100;
/** How long to wait before settling a queue again that a commit had locked. */
const SETTLE_AGAIN_MS = 20;
/** How long an event waits if its keys or rows cannot be read. */
const UNAVAILABLE_MS = 500;

/** Takes claimed events from their queues, sends them, and records the results. */
export class Dispatcher {
  readonly leases: Leases<QueueLease>;
  readonly attempts = new MetricTotals('corridor_webhook_attempts_total');
  /** How many claimed events are finished; those that commits handed over give no reason to look for more. */
  finished = 0;
  readonly #sender: Sender;
  readonly #options: DispatcherOptions;
  readonly #findTarget: (platformId: PlatformId) => Promise<SealedTarget>;
  readonly #openTarget: (platformId: PlatformId, sealed: SealedTarget) => Target;
  /** Records a result together with those that arrive while the last set is being recorded. */
  readonly #storeResult: (result: AttemptResult & { readonly event: ClaimedEvent }) => Promise<unknown>;
  /** Returns whether the queue was locked, and is still leased. */
  readonly #endLease: (lease: QueueLease) => Promise<boolean>;
  /** The latest lease of each resource. */
  readonly #leaseOf = new Map<string, QueueLease>();
  /** Aborts the attempts that are in flight. */
  readonly #abortControllers = new Map<ClaimedEvent, AbortController>();

  constructor(sender: Sender, options: DispatcherOptions) {
    const { database } = sender.runtime;
    this.#sender = sender;
    this.#options = options;
    this.#findTarget = createFindTarget(sender.runtime);
    this.#openTarget = createOpenTarget(sender.runtime.vault);
    this.leases = new Leases({
      ...{ runtime: sender.runtime, queues: WEBHOOK_QUEUES },
      onLost: (lease) => this.#onLeaseLost(lease),
    });
    this.#storeResult = batchCalls((items: (AttemptResult & { event: ClaimedEvent })[]) =>
      this.#storeAll(items),
    );
    this.#endLease = batchCalls(async (leases: QueueLease[]) => {
      const { isDue, locked } = await settleQueues(database.query, this.#now(), leases);
      if (isDue) options.onCapacity();
      return leases.map((lease) => locked.has(lease));
    });
  }

  hold(...leases: readonly QueueLease[]): void {
    for (const lease of leases) this.#leaseOf.set(`${lease.platform_id} ${lease.key}`, lease);
    this.leases.hold(...leases);
  }

  /** The lease of this resource's queue, if this process has it under this name. */
  findLease(platformId: PlatformId, resourceId: string, owner: string): QueueLease | undefined {
    const lease = this.#leaseOf.get(`${platformId} ${resourceId}`);
    return lease?.owner === owner && this.leases.isSafe(lease) ? lease : undefined;
  }

  startNext(queue: DeliveryQueue): void {
    for (let event = queue.take(); event; event = queue.take()) void this.#deliver(queue, event);
  }

  /** Releases events that are recorded, and events that this process will not send: any process can claim those. */
  async release(events: readonly ClaimedEvent[]): Promise<void> {
    for (const event of events) event.lease.events.delete(event);
    const leases = new Set(events.map(({ lease }) => lease));
    await Promise.all([...leases].map((lease) => this.settle(lease)));
  }

  /** Ends the lease if none of its events is in hand, unless it is left to expire. */
  async settle(lease: QueueLease): Promise<void> {
    const canEnd = () => lease.events.size === 0 && !lease.isClaiming && this.leases.held.has(lease);
    if ((lease.isSettling && !lease.isBroken) || !canEnd()) return;
    lease.isSettling = true;
    try {
      while (!lease.isBroken && (await this.leases.retryUntilStored(() => this.#endLease(lease)))) {
        // The commit that has locked the queue may hand its events over meanwhile.
        lease.isSettling = false;
        await delay(SETTLE_AGAIN_MS);
        if (lease.isSettling || !canEnd()) return;
        lease.isSettling = true;
      }
    } catch (error) {
      this.#report(error, { id: lease.key, platform_id: lease.platform_id });
    }
    this.#drop(lease);
  }

  async #deliver(queue: DeliveryQueue, event: ClaimedEvent): Promise<void> {
    const target = await this.#targetOf(event).catch((error) => this.#report(error, event));
    if (target?.endpoint === null) this.#options.onNoEndpoint(event.platform_id);
    // If there is no endpoint any more, it was removed after the claim, and the next claim skips the event.
    const isSendable = target && (target.endpoint !== null || event.decision !== null);
    const content = isSendable ? await this.#contentOf(event) : undefined;
    const isSent = isSendable && content && this.leases.isSafe(event.lease);
    if (isSent) await this.#attempt(queue, event, target, content);
    await this.release(isSent ? [event] : queue.removeWithFollowers(event));
    this.#finish(queue, event);
  }

  /**
   * Returns undefined if a database that the event needs is away, for example that of the keys of people. The
   * database's own log reports the outage. The event is released together with its followers: as a failed attempt, it
   * would be sent after them.
   */
  async #contentOf(event: ClaimedEvent): Promise<ContentResult | undefined> {
    try {
      return await openContent(this.#sender.runtime, event);
    } catch {
      // Without this delay the event would be claimed again and again as long as only the other database is away.
      await delay(UNAVAILABLE_MS);
      return undefined;
    }
  }

  /** Each attempt uses the endpoint and the key that are current when it starts (platform.md §4.2.5, §4.1.3). */
  async #targetOf(event: ClaimedEvent): Promise<Target> {
    const { platform_id, target } = event;
    const isFresh = target && this.#now().getTime() - target.at.getTime() < TARGET_MS;
    return this.#openTarget(platform_id, isFresh ? target : await this.#findTarget(platform_id));
  }

  async #attempt(
    queue: DeliveryQueue,
    event: ClaimedEvent,
    target: Target,
    content: ContentResult,
  ): Promise<void> {
    const releaseNext = () => {
      if (event.mayBeOvertaken) return;
      event.mayBeOvertaken = true;
      queue.releaseNext(event);
      this.startNext(queue);
    };
    const slowTimer = setTimeout(() => {
      queue.isSlow = true;
      queue.markHanging(event);
      releaseNext();
    }, this.#options.slowAfterMs);
    const controller = new AbortController();
    this.#abortControllers.set(event, controller);
    try {
      const began = performance.now();
      const addressed: AddressedEvent = { ...event, ...target };
      const { database } = this.#sender.runtime;
      const sent = await traceAttempt(database.lookUp, addressed, () =>
        sendEvent(this.#sender, addressed, content, controller.signal),
      );
      queue.isSlow = performance.now() - began >= this.#options.slowAfterMs;
      releaseNext();
      const wasAborted = controller.signal.aborted && !(sent.httpResult && 'status' in sent.httpResult);
      if (!wasAborted) await this.#record(queue, addressed, sent);
    } catch (error) {
      // The result is not recorded: the lease expires, and the event is claimed again.
      event.lease.isBroken = true;
      this.#report(error, event);
    } finally {
      clearTimeout(slowTimer);
      this.#abortControllers.delete(event);
      releaseNext();
    }
  }

  /**
   * The lease is about to expire. Attempts that are in flight are aborted, though they may have arrived, and the other
   * events are not sent.
   */
  #onLeaseLost(lease: QueueLease): void {
    this.#drop(lease);
    const queue = this.#options.queueOf(lease.platform_id);
    for (const event of [...lease.events]) {
      const controller = this.#abortControllers.get(event);
      if (controller) {
        controller.abort();
        continue;
      }
      queue.removeWithFollowers(event);
      lease.events.delete(event);
      queue.finish(event);
    }
  }

  async #record(queue: DeliveryQueue, event: AddressedEvent, sent: SendResult): Promise<void> {
    const { outcome } = sent.result;
    this.attempts.add({ outcome, environment: event.environment.toLowerCase() });
    if (outcome === 'RETRY' || outcome === 'EXHAUSTED') queue.failures++;
    if (event.decision === null) {
      await this.leases.retryUntilStored(() => this.#storeResult({ ...sent.result, event }));
      return;
    }
    const { runtime } = this.#sender;
    await this.leases.retryUntilStored(
      () => answerQuestion(runtime, this.#options.decisions, event, sent),
      (error) => error instanceof DecisionFailed,
    );
  }

  /** Records results, and ends the leases that have no other event in hand. */
  async #storeAll(items: (AttemptResult & { readonly event: ClaimedEvent })[]): Promise<undefined[]> {
    const byLease = Map.groupBy(items, ({ event }) => event.lease);
    const ended = [...byLease].flatMap(([lease, own]) => this.#endedBy(lease, own) ?? []);
    for (const lease of ended) lease.isSettling = true;
    const { database } = this.#sender.runtime;
    // After a failure it may still be running, so that the leases take no further events.
    const { isDue, locked } = await recordAndSettle(database, this.#now(), items, ended);
    for (const lease of ended) {
      lease.isSettling = false;
      if (!locked.has(lease)) this.#drop(lease);
    }
    if (isDue) this.#options.onCapacity();
    return items.map(() => undefined);
  }

  #endedBy(lease: QueueLease, own: readonly AttemptResult[]): QueueLease | undefined {
    const recorded = new Set(own.map(({ event }) => event.id));
    if (lease.isClaiming || lease.isBroken || !this.leases.held.has(lease)) return undefined;
    if ([...lease.events].some(({ id }) => !recorded.has(id))) return undefined;
    return lease;
  }

  #drop(lease: QueueLease): void {
    this.leases.drop(lease);
    const name = `${lease.platform_id} ${lease.key}`;
    if (this.#leaseOf.get(name) === lease) this.#leaseOf.delete(name);
  }

  #now(): Date {
    return new Date(this.#sender.runtime.clock.now());
  }

  #finish(queue: DeliveryQueue, event: ClaimedEvent): void {
    if (event.target) this.finished++;
    queue.finish(event);
    this.startNext(queue);
    if (queue.shouldClaimMore()) this.#options.onCapacity();
  }

  #report(
    error: unknown,
    { id, platform_id }: { readonly id: string; readonly platform_id: PlatformId },
  ): undefined {
    this.#sender.onError(error, { id, platformId: platform_id });
  }
}
