import type { Decisions } from '#events/handlers.ts';
import { MetricTotals } from '#jobs/work-source.ts';
import { answerQuestion, DecisionFailed } from '#webhooks/answer-question.ts';
import { Leases } from '#webhooks/leases.ts';
import type { ReceiverLine } from '#webhooks/receiver-line.ts';
import { type Aimed, type Sender, type Sent, sendEvent } from '#webhooks/send-event.ts';
import type { Claimed } from '#webhooks/store.ts';
import { createFindTarget, createOpenTarget, type Target } from '#webhooks/target.ts';
import type { SealedTarget } from '#webhooks/target-store.ts';

export interface DispatchOptions {
  readonly decisions: Decisions;
  /** A receiver that takes longer is slow, and no longer holds back its resource's next event. */
  readonly holdMs: number;
  lineOf(platformId: string): ReceiverLine;
  /** There is room for more than was claimed. */
  onRoom(): void;
}

/** What the claim read of endpoint and key holds for so long; an attempt that begins later looks again. */
const TARGET_MS = 100;

/** The way of claimed events from their line to the receiver and into the record. */
export class Dispatch {
  readonly leases: Leases;
  readonly attempts = new MetricTotals('corridor_webhook_attempts_total');
  /** How many left this process's hand. */
  finished = 0;
  readonly #sender: Sender;
  readonly #options: DispatchOptions;
  readonly #findTarget: (platformId: string) => Promise<SealedTarget>;
  readonly #openTarget: (platformId: string, sealed: SealedTarget) => Target;
  /** What is under way, and how it is broken off. */
  readonly #cuts = new Map<Claimed, AbortController>();

  constructor(sender: Sender, options: DispatchOptions) {
    const { database, clock } = sender.runtime;
    this.#sender = sender;
    this.#options = options;
    this.#findTarget = createFindTarget(sender.runtime);
    this.#openTarget = createOpenTarget(sender.runtime.vault);
    this.leases = new Leases(
      database.query,
      () => clock.now(),
      (event) => this.#lose(event),
    );
  }

  startNext(line: ReceiverLine): void {
    for (let event = line.take(); event; event = line.take()) void this.#deliver(line, event);
  }

  async giveBack(events: readonly Claimed[]): Promise<void> {
    try {
      await this.leases.release(events);
    } catch (error) {
      for (const event of events.slice(0, 1)) this.#report(error, event);
    }
  }

  async #deliver(line: ReceiverLine, event: Claimed): Promise<void> {
    const target = await this.#targetOf(event).catch((error) => this.#report(error, event));
    // Without an endpoint it was cleared since, and the next claim skips it.
    const isSendable = target && (target.endpoint !== null || event.decision !== null);
    if (isSendable && this.leases.isSafe(event)) await this.#attempt(line, event, target);
    else await this.giveBack(line.giveUp(event));
    this.#afterOne(line, event);
  }

  /** Each attempt goes to the endpoint, and is signed with the key, of its own time (platform.md §4.2.5, §4.1.3). */
  async #targetOf(event: Claimed): Promise<Target> {
    const { clock } = this.#sender.runtime;
    const isFresh = clock.now() - event.claimed_at.getTime() < TARGET_MS;
    const sealed = isFresh ? event : await this.#findTarget(event.platform_id);
    return this.#openTarget(event.platform_id, sealed);
  }

  async #attempt(line: ReceiverLine, event: Claimed, target: Target): Promise<void> {
    const letNext = () => {
      if (event.isOut) return;
      event.isOut = true;
      line.letNext(event);
      this.startNext(line);
    };
    const hold = setTimeout(() => {
      line.isSlow = true;
      line.hangs(event);
      letNext();
    }, this.#options.holdMs);
    const cut = new AbortController();
    this.#cuts.set(event, cut);
    try {
      const began = performance.now();
      const aimed: Aimed = { ...event, ...target };
      const sent = await sendEvent(this.#sender, aimed, cut.signal);
      line.isSlow = performance.now() - began >= this.#options.holdMs;
      letNext();
      const isCutOff = cut.signal.aborted && !(sent.posted && 'status' in sent.posted);
      if (!isCutOff) await this.#conclude(line, aimed, sent);
    } catch (error) {
      // Not recorded: the lease ends by itself, and the event is taken again.
      this.#report(error, event);
    } finally {
      clearTimeout(hold);
      this.#cuts.delete(event);
      this.leases.drop(event);
      letNext();
    }
  }

  /**
   * The lease has all but ended. An attempt is broken off; it may have arrived. What has not gone out is given back,
   * with all behind it, which would overtake it.
   */
  #lose(event: Claimed): void {
    const line = this.#options.lineOf(event.platform_id);
    const cut = this.#cuts.get(event);
    const unsent = cut ? (event.isOut ? [] : line.giveUpBehind(event)) : line.giveUp(event);
    cut?.abort();
    void this.giveBack(unsent);
    if (!cut) line.settled(event);
  }

  async #conclude(line: ReceiverLine, event: Aimed, sent: Sent): Promise<void> {
    const { outcome } = sent.attempted;
    this.attempts.add({ outcome });
    if (outcome === 'RETRY' || outcome === 'EXHAUSTED') line.failures++;
    if (event.decision === null) return this.leases.record(sent.attempted);
    const { runtime } = this.#sender;
    await this.leases.persist(
      () => answerQuestion(runtime, this.#options.decisions, event, sent),
      (error) => error instanceof DecisionFailed,
    );
  }

  #afterOne(line: ReceiverLine, event: Claimed): void {
    this.finished++;
    line.settled(event);
    this.startNext(line);
    if (line.wantsMore(event)) this.#options.onRoom();
  }

  #report(error: unknown, { id, platform_id }: Claimed): undefined {
    this.#sender.onError(error, { id, platformId: platform_id });
  }
}
