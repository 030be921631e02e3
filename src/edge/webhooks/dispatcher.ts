import { answerQuestion, DecisionFailed } from '#edge/webhooks/answer-question.ts';
import type { DeliveryQueue } from '#edge/webhooks/delivery-queue.ts';
import { Leases } from '#edge/webhooks/leases.ts';
import { type AddressedEvent, type Sender, type SendResult, sendEvent } from '#edge/webhooks/send-event.ts';
import type { ClaimedEvent } from '#edge/webhooks/store.ts';
import { createFindTarget, createOpenTarget, type Target } from '#edge/webhooks/target.ts';
import type { SealedTarget } from '#edge/webhooks/target-store.ts';
import { traceAttempt } from '#edge/webhooks/trace-attempt.ts';
import type { Decisions } from '#foundation/events/handlers.ts';
import { MetricTotals } from '#foundation/jobs/work-source.ts';

export interface DispatcherOptions {
  readonly decisions: Decisions;
  /** A receiver that takes longer is slow; the next event of the resource no longer waits for its response. */
  readonly slowAfterMs: number;
  queueOf(platformId: string): DeliveryQueue;
  /** More events can be claimed. */
  onCapacity(): void;
}

/** How long after the claim its endpoint and key are used; a later attempt reads them again. */
const TARGET_MS = 100;

/** Takes claimed events from their queues, sends them, and records the results. */
export class Dispatcher {
  readonly leases: Leases;
  readonly attempts = new MetricTotals('corridor_webhook_attempts_total');
  /** How many events this process has finished. */
  finished = 0;
  readonly #sender: Sender;
  readonly #options: DispatcherOptions;
  readonly #findTarget: (platformId: string) => Promise<SealedTarget>;
  readonly #openTarget: (platformId: string, sealed: SealedTarget) => Target;
  /** Aborts the attempts that are in flight. */
  readonly #abortControllers = new Map<ClaimedEvent, AbortController>();

  constructor(sender: Sender, options: DispatcherOptions) {
    const { database, clock } = sender.runtime;
    this.#sender = sender;
    this.#options = options;
    this.#findTarget = createFindTarget(sender.runtime);
    this.#openTarget = createOpenTarget(sender.runtime.vault);
    this.leases = new Leases(
      database.query,
      () => clock.now(),
      (event) => this.#onLeaseLost(event),
    );
  }

  startNext(queue: DeliveryQueue): void {
    for (let event = queue.take(); event; event = queue.take()) void this.#deliver(queue, event);
  }

  async release(events: readonly ClaimedEvent[]): Promise<void> {
    try {
      await this.leases.release(events);
    } catch (error) {
      for (const event of events.slice(0, 1)) this.#report(error, event);
    }
  }

  async #deliver(queue: DeliveryQueue, event: ClaimedEvent): Promise<void> {
    const target = await this.#targetOf(event).catch((error) => this.#report(error, event));
    // If there is no endpoint any more, it was removed after the claim, and the next claim skips the event.
    const isSendable = target && (target.endpoint !== null || event.decision !== null);
    if (isSendable && this.leases.isSafe(event)) await this.#attempt(queue, event, target);
    else await this.release(queue.removeWithFollowers(event));
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
      this.#report(error, event);
    } finally {
      clearTimeout(slowTimer);
      this.#abortControllers.delete(event);
      this.leases.drop(event);
      releaseNext();
    }
  }

  /**
   * The lease is about to expire. An attempt that is in flight is aborted, though it may have arrived. Events that were
   * not sent are released, with their followers, which must not overtake them.
   */
  #onLeaseLost(event: ClaimedEvent): void {
    const queue = this.#options.queueOf(event.platform_id);
    const controller = this.#abortControllers.get(event);
    const unsent = controller
      ? event.mayBeOvertaken
        ? []
        : queue.removeFollowers(event)
      : queue.removeWithFollowers(event);
    controller?.abort();
    void this.release(unsent);
    if (!controller) queue.finish(event);
  }

  async #record(queue: DeliveryQueue, event: AddressedEvent, sent: SendResult): Promise<void> {
    const { outcome } = sent.result;
    this.attempts.add({ outcome, environment: event.environment.toLowerCase() });
    if (outcome === 'RETRY' || outcome === 'EXHAUSTED') queue.failures++;
    if (event.decision === null) return this.leases.record(sent.result);
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
    if (queue.shouldClaimMore(event)) this.#options.onCapacity();
  }

  #report(error: unknown, { id, platform_id }: ClaimedEvent): undefined {
    this.#sender.onError(error, { id, platformId: platform_id });
  }
}
