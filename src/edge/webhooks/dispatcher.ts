import { setTimeout as delay } from 'node:timers/promises';
import { answerQuestion, DecisionFailed } from '#edge/webhooks/answer-question.ts';
import type { DeliveryQueue } from '#edge/webhooks/delivery-queue.ts';
import { settleQueues, WEBHOOK_QUEUES } from '#edge/webhooks/queue-store.ts';
import { type AddressedEvent, type Sender, type SendResult, sendEvent } from '#edge/webhooks/send-event.ts';
import {
  type AttemptResult,
  type ClaimedEvent,
  type QueueLease,
  recordAttempts,
} from '#edge/webhooks/store.ts';
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
  /** More events can be claimed. */
  onCapacity(): void;
}

/** How long after the claim its endpoint and key are used; a later attempt reads them again. */
const TARGET_MS = 100;
/** How long to wait before settling a queue again that a commit had locked. */
const SETTLE_AGAIN_MS = 20;

/** Takes claimed events from their queues, sends them, and records the results. */
export class Dispatcher {
  readonly leases: Leases<QueueLease>;
  readonly attempts = new MetricTotals('corridor_webhook_attempts_total');
  /** How many events this process has finished. */
  finished = 0;
  readonly #sender: Sender;
  readonly #options: DispatcherOptions;
  readonly #findTarget: (platformId: PlatformId) => Promise<SealedTarget>;
  readonly #openTarget: (platformId: PlatformId, sealed: SealedTarget) => Target;
  /** Concurrent calls share one statement. */
  readonly #storeResult: (result: AttemptResult) => Promise<unknown>;
  /** Returns whether the queue was locked, and is still leased. */
  readonly #endLease: (lease: QueueLease) => Promise<boolean>;
  /** Aborts the attempts that are in flight. */
  readonly #abortControllers = new Map<ClaimedEvent, AbortController>();

  constructor(sender: Sender, options: DispatcherOptions) {
    const { database, clock } = sender.runtime;
    this.#sender = sender;
    this.#options = options;
    this.#findTarget = createFindTarget(sender.runtime);
    this.#openTarget = createOpenTarget(sender.runtime.vault);
    const at = () => new Date(clock.now());
    this.leases = new Leases({
      ...{ runtime: sender.runtime, queues: WEBHOOK_QUEUES },
      onLost: (lease) => this.#onLeaseLost(lease),
    });
    this.#storeResult = batchCalls(
      async (items: AttemptResult[]) => {
        await recordAttempts(database.query, at(), items);
        return items;
      },
      { lanes: 2 },
    );
    this.#endLease = batchCalls(async (leases: QueueLease[]) => {
      const { isDue, locked } = await settleQueues(database.query, at(), leases);
      if (isDue) options.onCapacity();
      return leases.map((lease) => locked.has(lease));
    });
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
    if (lease.events.size > 0 || lease.isClaiming) return;
    try {
      while (this.leases.held.has(lease) && !lease.isBroken) {
        const isLocked = await this.leases.retryUntilStored(() => this.#endLease(lease));
        if (!isLocked) break;
        await delay(SETTLE_AGAIN_MS);
      }
    } catch (error) {
      this.#report(error, { id: lease.key, platform_id: lease.platform_id });
    }
    this.leases.drop(lease);
  }

  async #deliver(queue: DeliveryQueue, event: ClaimedEvent): Promise<void> {
    const target = await this.#targetOf(event).catch((error) => this.#report(error, event));
    // If there is no endpoint any more, it was removed after the claim, and the next claim skips the event.
    const isSendable = target && (target.endpoint !== null || event.decision !== null);
    const isSent = isSendable && this.leases.isSafe(event.lease);
    if (isSent) await this.#attempt(queue, event, target);
    await this.release(isSent ? [event] : queue.removeWithFollowers(event));
    this.#finish(queue, event);
  }

  /** Each attempt uses the endpoint and the key that are current when it starts (platform.md §4.2.5, §4.1.3). */
  async #targetOf(event: ClaimedEvent): Promise<Target> {
    const { clock } = this.#sender.runtime;
    const isFresh = clock.now() - event.claimed_at.getTime() < TARGET_MS;
    const sealed = isFresh ? event : await this.#findTarget(event.platform_id);
    return this.#openTarget(event.platform_id, sealed);
  }

  async #attempt(queue: DeliveryQueue, event: ClaimedEvent, target: Target): Promise<void> {
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
        sendEvent(this.#sender, addressed, controller.signal),
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
      await this.leases.retryUntilStored(() => this.#storeResult(sent.result));
      return;
    }
    const { runtime } = this.#sender;
    await this.leases.retryUntilStored(
      () => answerQuestion(runtime, this.#options.decisions, event, sent),
      (error) => error instanceof DecisionFailed,
    );
  }

  #finish(queue: DeliveryQueue, event: ClaimedEvent): void {
    this.finished++;
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
