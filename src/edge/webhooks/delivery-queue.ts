import type { ClaimedEvent, QueueLease } from '#edge/webhooks/store.ts';

/** Attempts in flight to one platform: those that may be answered soon, and those that hang. */
const CONNECTIONS_MAX = 64;
const HANGING_MAX = 64;
/** Of these, attempts for one resource: first attempts that hang, and retries. */
const RESOURCE_MAX = 4;
/** More events are claimed when no more than this many are active. */
const CLAIM_MORE_BELOW = 64;
/** To a slow receiver: attempts in flight, and how many are made beside those that hang. */
export const SLOW_IN_FLIGHT = 4;
export const SLOW_PROBES = 2;

/**
 * The events that this process has leased for one platform, and the order in which they are sent: first attempts of one
 * resource one after the other (platform.md §4.2.4), everything else concurrently, at most a few at a time for one
 * resource, and questions before all others.
 */
export class DeliveryQueue {
  /** The receiver takes too long to answer; little is sent to it until that changes. */
  isSlow = false;
  failures = 0;
  /** The last claim used its whole capacity, so more events may be due. */
  mayHaveMore = false;
  #questions: ClaimedEvent[] = [];
  #ready: ClaimedEvent[] = [];
  /** By resource: events that wait until the previous one was answered, or takes too long to be waited for. */
  readonly #blocked = new Map<string, ClaimedEvent[]>();
  #blockedCount = 0;
  readonly #inFlight = new Set<ClaimedEvent>();
  readonly #hanging = new Set<ClaimedEvent>();
  /** Attempts in flight by resource; questions are counted together. */
  readonly #shares = new Map<string, number>();
  #idleWaiters: (() => void)[] = [];

  /** Events that are leased and not recorded yet. */
  get leasedCount(): number {
    return this.#questions.length + this.#ready.length + this.#blockedCount + this.#inFlight.size;
  }

  /** Events that can be sent now or are in flight, without questions. */
  get open(): number {
    return this.#ready.length + this.#inFlight.size - this.#questionsInFlight;
  }

  /** Events that can be sent now, or are in flight and do not hang. */
  get active(): number {
    return this.open - this.#hanging.size;
  }

  get blockedCount(): number {
    return this.#blockedCount;
  }

  get questions(): number {
    return this.#questions.length + this.#questionsInFlight;
  }

  add(event: ClaimedEvent): void {
    const blocked = event.is_first ? this.#blocked.get(event.resource_id) : undefined;
    if (blocked) {
      blocked.push(event);
      this.#blockedCount++;
      return;
    }
    if (event.is_first) this.#blocked.set(event.resource_id, []);
    this.#makeReady(event);
  }

  /** Takes the next event that can be sent now, and counts it as in flight. */
  take(): ClaimedEvent | undefined {
    const event = this.#questions.shift() ?? this.#takeOrdinary();
    if (!event) return undefined;
    this.#inFlight.add(event);
    this.#count(event, 1);
    return event;
  }

  /** The attempt takes so long that other events no longer wait for it. */
  markHanging(event: ClaimedEvent): void {
    if (event.decision === null && this.#inFlight.has(event)) this.#hanging.add(event);
  }

  /** The event was answered, or takes too long to be waited for: the next event of its resource can be sent. */
  releaseNext(event: ClaimedEvent): void {
    if (!event.is_first) return;
    const next = this.#blocked.get(event.resource_id)?.shift();
    if (next) {
      this.#blockedCount--;
      this.#makeReady(next);
    } else {
      this.#blocked.delete(event.resource_id);
    }
  }

  /** Removes an event that will not be sent, and its followers, which would overtake it. */
  removeWithFollowers(event: ClaimedEvent): ClaimedEvent[] {
    this.#end(event);
    this.#ready = this.#ready.filter((other) => other !== event);
    this.#questions = this.#questions.filter((other) => other !== event);
    return [event, ...this.removeFollowers(event)];
  }

  /** Removes the events of the same resource that come after it, whether it was sent or still waits itself. */
  removeFollowers(event: ClaimedEvent): ClaimedEvent[] {
    const blocked = event.is_first ? this.#blocked.get(event.resource_id) : undefined;
    if (!blocked) return [];
    const place = blocked.indexOf(event);
    const removed = blocked.splice(Math.max(place, 0));
    this.#blockedCount -= removed.length;
    if (place < 0) this.#blocked.delete(event.resource_id);
    return removed.filter((other) => other !== event);
  }

  /** Whether more events should be claimed, now that one is finished. */
  shouldClaimMore(): boolean {
    if (!this.mayHaveMore || this.active > CLAIM_MORE_BELOW) return false;
    this.mayHaveMore = false;
    return true;
  }

  /** Removes and returns all events that were not sent. */
  removeUnsent(): ClaimedEvent[] {
    const events = [...this.#questions, ...this.#ready, ...[...this.#blocked.values()].flat()];
    this.#questions = [];
    this.#ready = [];
    this.#blocked.clear();
    this.#blockedCount = 0;
    return events;
  }

  /** Called when an event's attempt was recorded, or the event was released. */
  finish(event: ClaimedEvent): void {
    this.#end(event);
    if (this.leasedCount > 0) return;
    for (const resume of this.#idleWaiters.splice(0)) resume();
  }

  /** Whether all leases end within this time. */
  async isIdleWithin(ms: number): Promise<boolean> {
    if (this.leasedCount === 0) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), ms);
    this.#idleWaiters.push(() => resolve(true));
    const isIdle = await promise;
    clearTimeout(timer);
    return isIdle;
  }

  get #questionsInFlight(): number {
    return this.#shares.get(QUESTIONS) ?? 0;
  }

  #makeReady(event: ClaimedEvent): void {
    if (event.decision === null) this.#ready.push(event);
    else this.#questions.push(event);
  }

  #end(event: ClaimedEvent): void {
    if (this.#inFlight.delete(event)) this.#count(event, -1);
    this.#hanging.delete(event);
  }

  #count({ decision, resource_id }: ClaimedEvent, by: number): void {
    const share = decision === null ? resource_id : QUESTIONS;
    const count = by + (this.#shares.get(share) ?? 0);
    if (count > 0) this.#shares.set(share, count);
    else this.#shares.delete(share);
  }

  #takeOrdinary(): ClaimedEvent | undefined {
    if (this.#ready.length === 0 || !this.#mayStart()) return undefined;
    const hasFreeShare = ({ resource_id }: ClaimedEvent) =>
      (this.#shares.get(resource_id) ?? 0) < RESOURCE_MAX;
    const place = this.#ready.findIndex(hasFreeShare);
    return place < 0 ? undefined : this.#ready.splice(place, 1)[0];
  }

  #mayStart(): boolean {
    const inFlight = this.#inFlight.size - this.#questionsInFlight;
    const answering = inFlight - this.#hanging.size;
    if (!this.isSlow && this.#hanging.size < HANGING_MAX) return answering < CONNECTIONS_MAX;
    return inFlight < SLOW_IN_FLIGHT || answering < SLOW_PROBES;
  }
}

/** Whether more events can be taken under a lease: those in hand are sent, and no other has to wait for them. */
export function canTakeMore({ events, isBroken, isSettling }: QueueLease): boolean {
  const isSent = (event: ClaimedEvent) => event.mayBeOvertaken || !event.is_first;
  return (
    events.size > 0 && events.size < RESOURCE_MAX && !isBroken && !isSettling && [...events].every(isSent)
  );
}

/** No resource has this name. */
const QUESTIONS = '';
