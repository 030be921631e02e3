import { randomUUID } from 'node:crypto';
import { SigningKeys } from '#crypto/webhook-key.ts';
import type { Runtime } from '#database/tx.ts';
import type { Decisions, Renderers } from '#events/handlers.ts';
import { type Metric, type StepResult, WakeSignal, type WorkSource } from '#jobs/work-source.ts';
import type { WireNames } from '#lib/wire-names.ts';
import { createResolve, type Resolve, type SandboxReach } from '#outbound/addresses.ts';
import { createOutbound, type Outbound } from '#outbound/outbound.ts';
import { claimCapacity, USUAL_CAPACITY } from '#webhooks/capacity.ts';
import { Dispatch } from '#webhooks/dispatch.ts';
import { LEASE_MS } from '#webhooks/leases.ts';
import { ReceiverLine } from '#webhooks/receiver-line.ts';
import { createRender } from '#webhooks/render.ts';
import type { Sender } from '#webhooks/send-event.ts';
import {
  type Capacity,
  type Claimed,
  claimWebhooks,
  duePlatforms,
  isDue,
  nextRetryAt,
} from '#webhooks/store.ts';

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

/** In hand for all platforms. */
const TOTAL_MAX = 4_096;
const CLAIM_MAX = 1_024;
/** To record what was cut off when the process ends. */
const RECORDING_MS = 5_000;

/** Sends what is in the outbox. Any number of processes may do so side by side. */
export class Deliverer implements WorkSource {
  readonly name = 'webhooks';
  readonly callsOutside = true;
  readonly signal = new WakeSignal();
  readonly #runtime: Runtime;
  readonly #outbound: Outbound;
  readonly #sender: Sender;
  readonly owner = randomUUID();
  readonly #lines = new Map<string, ReceiverLine>();
  readonly #dispatch: Dispatch;
  #claiming: Promise<unknown> = Promise.resolve();
  #walk: string | undefined;
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
    };
    this.#dispatch = new Dispatch(this.#sender, {
      decisions: options.decisions ?? {},
      holdMs: options.holdMs ?? 3_000,
      lineOf: (platformId) => this.#line(platformId),
      onRoom: () => this.signal.raise(),
    });
  }

  /** What makes an attempt; the test webhook uses it too. */
  get sender(): Sender {
    return this.#sender;
  }

  /** Says which events this process still has; it does so by itself all the time. */
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
    const failuresBefore = this.#line(platformId).failures;
    const { count: done } = await this.#claim(platformId);
    const line = this.#line(platformId);
    const isQuiet = await line.isQuietWithin(withinMs);
    const hadFailure = !isQuiet || line.failures > failuresBefore;
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
    this.#dispatch.leases.hurry();
    await this.#claiming;
    const lines = [...this.#lines.values()];
    await this.#dispatch.giveBack(lines.flatMap((line) => line.giveUpAll()));
    await Promise.all(lines.map((line) => line.isQuietWithin(withinMs)));
    await this.#outbound.close();
    // What was cut off by that is recorded as a failed attempt.
    await Promise.all(lines.map((line) => line.isQuietWithin(RECORDING_MS)));
    this.#dispatch.leases.close();
  }

  #now(): Date {
    return new Date(this.#runtime.clock.now());
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
    this.#claiming = claim.catch(() => undefined);
    return claim;
  }

  /** Every claim has a name of its own, so that what it leased cannot be taken for what another did. */
  async #claimOnce(only: string | undefined): Promise<{ count: number; isMore: boolean }> {
    const now = this.#now();
    const left = TOTAL_MAX - this.#inHand();
    const room = claimCapacity(this.#lines, left <= 0);
    const usualRoom = left <= 0 ? { ...USUAL_CAPACITY, events: 0 } : USUAL_CAPACITY;
    const { claimed, stoppedAt, skipped } = await claimWebhooks(this.#runtime.database.query, {
      now,
      until: new Date(now.getTime() + LEASE_MS),
      owner: randomUUID(),
      only,
      after: this.#walk,
      room,
      usualRoom,
      rowsMax: left <= 0 ? CLAIM_MAX : Math.min(CLAIM_MAX, left),
    });
    if (only === undefined) this.#walk = stoppedAt;
    this.#skipped += skipped;
    if (skipped > 0) this.#dispatch.attempts.add({ outcome: 'SKIPPED' }, skipped);
    this.#dispatch.leases.hold(claimed);
    for (const [platformId, events] of Map.groupBy(claimed, (event) => event.platform_id)) {
      this.#putInLine(this.#line(platformId), events, room.get(platformId) ?? usualRoom);
    }
    return { count: claimed.length + skipped, isMore: stoppedAt !== undefined || skipped > 0 };
  }

  #putInLine(line: ReceiverLine, events: readonly Claimed[], room: Capacity): void {
    for (const event of events) {
      // Begun for all of them now, so that they are rendered together although some go out one by one.
      if (!event.payload) event.rendering = this.#sender.render(event);
      line.add(event);
    }
    // A claim takes no more retries than half of the room.
    const retries = events.filter((event) => !event.is_first).length;
    line.mayHaveMore = events.length >= room.events || 2 * retries >= room.events;
    this.#dispatch.startNext(line);
  }
}
