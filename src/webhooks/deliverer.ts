import { randomUUID } from 'node:crypto';
import type { Surroundings } from '#database/tx.ts';
import type { Decisions } from '#events/questions.ts';
import type { Renderers } from '#events/renderers.ts';
import { Signal } from '#jobs/signal.ts';
import { Tally } from '#jobs/tally.ts';
import type { Counter, StepOutcome, WorkSource } from '#jobs/work-source.ts';
import type { WireNames } from '#lib/wire-names.ts';
import type { SandboxReach } from '#outbound/addresses.ts';
import { createOutbound, type Outbound } from '#outbound/outbound.ts';
import { createResolve, type Resolve } from '#outbound/resolve.ts';
import { answerQuestion } from '#webhooks/answer-question.ts';
import { SigningKeys } from '#webhooks/envelope.ts';
import { createLeases, type Leases } from '#webhooks/leases.ts';
import { ReceiverLine } from '#webhooks/receiver-line.ts';
import { createRender } from '#webhooks/render.ts';
import { IN_HAND_MAX, roomOf, SLOW_MAX } from '#webhooks/room.ts';
import { type Sender, type Sent, sendEvent } from '#webhooks/send-event.ts';
import { type Claimed, claimWebhooks, duePlatforms, isDue, nextRetryAt } from '#webhooks/store.ts';
import { createFindTarget, type Target } from '#webhooks/target.ts';

export interface DelivererOptions {
  readonly names: WireNames;
  readonly renderers?: Renderers;
  readonly decisions?: Decisions;
  readonly resolve?: Resolve;
  readonly random?: () => number;
  readonly timeoutMs?: number;
  readonly questionTimeoutMs?: number;
  /** A receiver that takes longer is slow, and no longer holds back its resource's next event. */
  readonly holdMs?: number;
  readonly sandboxReach?: SandboxReach | undefined;
  /** Certificates to trust beside the usual ones. */
  readonly ca?: string;
  onError?(error: unknown, event: { id: string; platformId: string }): void;
}

/** Connections to one platform at once; fewer while it is slow. */
const CONNECTIONS_MAX = 64;
/** In hand for all platforms. */
const TOTAL_MAX = 4_096;
const CLAIM_MAX = 1_024;
/** What a lease has beyond the longest attempt: time to wait in line, and to record the result. */
const IN_LINE_MS = 10_000;
const RECORDING_MS = 5_000;
/** What the claim read of endpoint and key holds for so long; an attempt that begins later looks again. */
const TARGET_MS = 100;

/** Sends what is in the outbox. Any number of processes may do so side by side. */
export class Deliverer implements WorkSource {
  readonly name = 'webhooks';
  readonly asksOutside = true;
  readonly signal = new Signal();
  readonly #surroundings: Surroundings;
  readonly #decisions: Decisions;
  readonly #onError: NonNullable<DelivererOptions['onError']>;
  readonly #holdMs: number;
  readonly #outbound: Outbound;
  readonly #sender: Sender;
  #owner = randomUUID();
  readonly #lines = new Map<string, ReceiverLine>();
  readonly #leases: Leases;
  readonly #findTarget: (platformId: string) => Promise<Target>;
  readonly #attempts = new Tally('corridor_webhook_attempts_total');
  #claiming: Promise<unknown> = Promise.resolve();
  #walk: string | undefined;
  #finished = 0;
  #isDraining = false;

  constructor(surroundings: Surroundings, options: DelivererOptions) {
    const { resolve = createResolve(), random = Math.random, timeoutMs = 30_000, ca, sandboxReach } = options;
    this.#surroundings = surroundings;
    this.#decisions = options.decisions ?? {};
    this.#onError = options.onError ?? (() => undefined);
    this.#holdMs = options.holdMs ?? 3_000;
    this.#outbound = createOutbound({ resolve, ca, sandboxReach, connectionsMax: CONNECTIONS_MAX });
    this.#sender = {
      surroundings,
      names: options.names,
      outbound: this.#outbound,
      keys: new SigningKeys(surroundings.vault),
      render: createRender(surroundings, options.renderers ?? {}),
      random,
      timeoutMs,
      questionTimeoutMs: options.questionTimeoutMs ?? 5_000,
      onError: this.#onError,
    };
    this.#leases = createLeases(surroundings.database.query, () => this.#now());
    this.#findTarget = createFindTarget(surroundings);
  }

  /** What makes an attempt; the test webhook uses it too. */
  get sender(): Sender {
    return this.#sender;
  }

  get owner(): string {
    return this.#owner;
  }

  finished(): number {
    return this.#finished;
  }

  counters(): Counter[] {
    return this.#attempts.counters();
  }

  async pump(): Promise<void> {
    if (this.#isDraining || this.#inHand() >= TOTAL_MAX) return;
    const { count, isMore } = await this.#claim(undefined);
    if (isMore || count >= CLAIM_MAX) this.signal.raise();
  }

  async step(platformId: string, withinMs: number): Promise<StepOutcome> {
    const failuresBefore = this.#line(platformId).failures;
    const { count: did } = await this.#claim(platformId);
    const line = this.#line(platformId);
    const isQuiet = await line.isQuietWithin(withinMs);
    const troubled = !isQuiet || line.failures > failuresBefore;
    const isLeft = did > 0 || (await isDue(this.#surroundings.database.query, platformId, this.#now()));
    return { did, isDue: isLeft, troubled };
  }

  duePlatforms(): Promise<string[]> {
    return duePlatforms(this.#surroundings.database.query, this.#now());
  }

  nextDueAt(platformId: string, after: Date): Promise<Date | undefined> {
    return nextRetryAt(this.#surroundings.database.query, platformId, after);
  }

  async drain(withinMs: number): Promise<void> {
    this.#isDraining = true;
    await this.#claiming;
    const lines = [...this.#lines.values()];
    await this.#giveBack(lines.flatMap((line) => line.giveUpAll()));
    await Promise.all(lines.map((line) => line.isQuietWithin(withinMs)));
    await this.#outbound.close();
    // What was cut off by that is recorded as a failed attempt.
    await Promise.all(lines.map((line) => line.isQuietWithin(RECORDING_MS)));
  }

  #now(): Date {
    return new Date(this.#surroundings.clock.now());
  }

  #inHand(): number {
    return this.#lines.values().reduce((sum, line) => sum + line.inHand, 0);
  }

  #line(platformId: string): ReceiverLine {
    const line = this.#lines.get(platformId) ?? new ReceiverLine();
    this.#lines.set(platformId, line);
    return line;
  }

  /** One claim after the other, each put in line before the next, or the order of first attempts is lost. */
  #claim(only: string | undefined): Promise<{ count: number; isMore: boolean }> {
    const claim = this.#claiming.then(() => this.#claimOnce(only));
    this.#claiming = claim.catch(() => this.#takeNewName());
    return claim;
  }

  /**
   * After a statement of which nobody knows whether it was carried out: events may be leased to this process that it
   * does not have in hand. Under a new name it keeps away from them, and from what comes behind them, like from those
   * of another process, until their leases end.
   */
  #takeNewName(): void {
    this.#owner = randomUUID();
  }

  async #claimOnce(only: string | undefined): Promise<{ count: number; isMore: boolean }> {
    const now = this.#now();
    const room = roomOf(this.#lines);
    const { claimed, stoppedAt, skipped } = await claimWebhooks(this.#surroundings.database.query, {
      now,
      until: new Date(now.getTime() + IN_LINE_MS + this.#attemptMs),
      owner: this.#owner,
      only,
      after: this.#walk,
      room,
      usualRoom: IN_HAND_MAX,
      rowsMax: Math.min(CLAIM_MAX, Math.max(1, TOTAL_MAX - this.#inHand())),
    });
    if (only === undefined) this.#walk = stoppedAt;
    this.#finished += skipped;
    if (skipped > 0) this.#attempts.add({ outcome: 'SKIPPED' }, skipped);
    for (const [platformId, events] of Map.groupBy(claimed, (event) => event.platform_id)) {
      const line = this.#line(platformId);
      line.mayHaveMore = events.length >= (room.get(platformId) ?? IN_HAND_MAX);
      for (const event of events) {
        // Begun for all of them now, so that they are rendered together although some go out one by one.
        if (!event.payload) event.rendering = this.#sender.render(event);
        line.add(event);
      }
      this.#startNext(line);
    }
    return { count: claimed.length + skipped, isMore: stoppedAt !== undefined || skipped > 0 };
  }

  /** What is left of a lease when an attempt begins must cover the whole attempt and its recording. */
  get #attemptMs(): number {
    return this.#sender.timeoutMs + RECORDING_MS;
  }

  #startNext(line: ReceiverLine): void {
    const most = line.isSlow ? SLOW_MAX : CONNECTIONS_MAX;
    while (line.inFlight < most) {
      const event = line.take();
      if (!event) return;
      if (event.leased_until.getTime() - this.#surroundings.clock.now() < this.#attemptMs) {
        void this.#giveBack(line.giveUp(event)).then(() => line.settled());
      } else {
        void this.#deliver(line, event);
      }
    }
  }

  async #deliver(line: ReceiverLine, event: Claimed): Promise<void> {
    line.inFlight++;
    const current = await this.#current(event).catch((error) => this.#report(error, event));
    // Without an endpoint it was cleared since, and the next claim skips it.
    const isSendable = current && (current.endpoint !== null || current.decision !== null);
    if (isSendable) await this.#attempt(line, current);
    else await this.#giveBack(line.giveUp(event));
    line.inFlight--;
    this.#afterOne(line);
  }

  async #attempt(line: ReceiverLine, event: Claimed): Promise<void> {
    let isHolding = true;
    const letNext = () => {
      if (!isHolding) return;
      isHolding = false;
      line.letNext(event);
      this.#startNext(line);
    };
    const hold = setTimeout(() => {
      line.isSlow = true;
      letNext();
    }, this.#holdMs);
    try {
      const began = performance.now();
      const sent = await sendEvent(this.#sender, event);
      line.isSlow = performance.now() - began >= this.#holdMs;
      letNext();
      await this.#conclude(line, event, sent);
    } catch (error) {
      // Not recorded: the lease ends by itself, and the event is taken again.
      this.#report(error, event);
    } finally {
      clearTimeout(hold);
      letNext();
    }
  }

  #report(error: unknown, { id, platform_id }: Claimed): undefined {
    this.#onError(error, { id, platformId: platform_id });
  }

  /** Each attempt goes to the endpoint, and is signed with the key, of its own time (§4.2.5, §4.1.3). */
  async #current(event: Claimed): Promise<Claimed> {
    const claimedAt = event.leased_until.getTime() - IN_LINE_MS - this.#attemptMs;
    if (this.#surroundings.clock.now() - claimedAt < TARGET_MS) return event;
    return { ...event, ...(await this.#findTarget(event.platform_id)) };
  }

  async #conclude(line: ReceiverLine, event: Claimed, sent: Sent): Promise<void> {
    const { outcome } = sent.attempted;
    this.#attempts.add({ outcome });
    if (outcome === 'RETRY' || outcome === 'EXHAUSTED') line.failures++;
    if (event.decision !== null) await answerQuestion(this.#surroundings, this.#decisions, event, sent);
    else await this.#leases.record(event, sent.attempted);
  }

  #afterOne(line: ReceiverLine): void {
    this.#finished++;
    this.#startNext(line);
    if (line.mayHaveMore && line.inHand <= IN_HAND_MAX / 2) {
      line.mayHaveMore = false;
      this.signal.raise();
    }
    line.settled();
  }

  async #giveBack(events: Claimed[]): Promise<void> {
    try {
      await Promise.all(events.map((event) => this.#leases.release(event)));
    } catch (error) {
      this.#takeNewName();
      this.#report(error, events[0] as Claimed);
    }
  }
}
