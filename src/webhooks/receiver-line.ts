import type { Claimed } from '#webhooks/store.ts';

/** Concurrent attempts to one platform: those that may be answered soon, and those that hang. */
const CONNECTIONS_MAX = 64;
const HANGING_MAX = 64;
/** Of these, attempts for one resource: first ones that hang, and retries. */
const RESOURCE_MAX = 4;
/** More events are claimed when no more than this many are ready or recently sent. */
const ACTIVE_FEW = 64;
/** To a slow receiver: how many are under way at least, and how many more are tried at a time. */
export const SLOW_MAX = 4;
export const TRIED_MAX = 2;

/**
 * What this process has in hand for one platform, and in which order it may go out: events of one resource
 * one after the other (platform.md §4.2.4), everything else side by side, no resource with more than its share,
 * questions before all else.
 */
export class ReceiverLine {
  /** The receiver is not answering in good time; little is sent to it until it does. */
  isSlow = false;
  failures = 0;
  /** The last claim took all it might: there may be more. */
  mayHaveMore = false;
  #questions: Claimed[] = [];
  #ready: Claimed[] = [];
  /** By resource: held back until the one before has been answered, or has been out for a while. */
  readonly #behind = new Map<string, Claimed[]>();
  #waiting = 0;
  readonly #underWay = new Set<Claimed>();
  readonly #hanging = new Set<Claimed>();
  /** Attempts under way, by resource; of questions, all in one. */
  readonly #shares = new Map<string, number>();
  #quiet: (() => void)[] = [];

  /** Everything leased and not yet recorded. */
  get inHand(): number {
    return this.#questions.length + this.#ready.length + this.#waiting + this.#underWay.size;
  }

  /** What may go out now or is under way, but for questions. */
  get open(): number {
    return this.#ready.length + this.#underWay.size - this.#asking;
  }

  /** What may go out now or may be answered soon. */
  get active(): number {
    return this.open - this.#hanging.size;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get questions(): number {
    return this.#questions.length + this.#asking;
  }

  add(event: Claimed): void {
    const behind = event.is_first ? this.#behind.get(event.resource_id) : undefined;
    if (behind) {
      behind.push(event);
      this.#waiting++;
      return;
    }
    if (event.is_first) this.#behind.set(event.resource_id, []);
    this.#makeReady(event);
  }

  /** The next event that may go out now; it is under way from then on. */
  take(): Claimed | undefined {
    const event = this.#questions.shift() ?? this.#takeOrdinary();
    if (!event) return undefined;
    this.#underWay.add(event);
    this.#count(event, 1);
    return event;
  }

  /** The attempt has been out for so long that nothing waits for it any more. */
  hangs(event: Claimed): void {
    if (event.decision === null && this.#underWay.has(event)) this.#hanging.add(event);
  }

  /** The event was answered, or is no longer waited for: the next of its resource may go. */
  letNext(event: Claimed): void {
    if (!event.is_first) return;
    const next = this.#behind.get(event.resource_id)?.shift();
    if (next) {
      this.#waiting--;
      this.#makeReady(next);
    } else {
      this.#behind.delete(event.resource_id);
    }
  }

  /** The event does not go out: nor do those behind it, which would overtake it. */
  giveUp(event: Claimed): Claimed[] {
    this.#end(event);
    this.#ready = this.#ready.filter((other) => other !== event);
    this.#questions = this.#questions.filter((other) => other !== event);
    return [event, ...this.giveUpBehind(event)];
  }

  /** Those behind it do not go out, wherever in their line it stands itself. */
  giveUpBehind(event: Claimed): Claimed[] {
    const behind = event.is_first ? this.#behind.get(event.resource_id) : undefined;
    if (!behind) return [];
    const place = behind.indexOf(event);
    const given = behind.splice(Math.max(place, 0));
    this.#waiting -= given.length;
    if (place < 0) this.#behind.delete(event.resource_id);
    return given.filter((other) => other !== event);
  }

  /** Whether it is worth looking for more, now that this event is done with. */
  wantsMore(event: Claimed): boolean {
    if (event.is_first && event.has_more && !this.#behind.has(event.resource_id)) return true;
    if (!this.mayHaveMore || this.active > ACTIVE_FEW) return false;
    this.mayHaveMore = false;
    return true;
  }

  /** Everything that has not gone out. */
  giveUpAll(): Claimed[] {
    const events = [...this.#questions, ...this.#ready, ...[...this.#behind.values()].flat()];
    this.#questions = [];
    this.#ready = [];
    this.#behind.clear();
    this.#waiting = 0;
    return events;
  }

  /** To be called when an event's attempt has been recorded, or was given up. */
  settled(event: Claimed): void {
    this.#end(event);
    if (this.inHand > 0) return;
    for (const resume of this.#quiet.splice(0)) resume();
  }

  /** Whether nothing is in hand any more, within this time. */
  async isQuietWithin(ms: number): Promise<boolean> {
    if (this.inHand === 0) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), ms);
    this.#quiet.push(() => resolve(true));
    const isQuiet = await promise;
    clearTimeout(timer);
    return isQuiet;
  }

  get #asking(): number {
    return this.#shares.get(QUESTIONS) ?? 0;
  }

  #makeReady(event: Claimed): void {
    if (event.decision === null) this.#ready.push(event);
    else this.#questions.push(event);
  }

  #end(event: Claimed): void {
    if (this.#underWay.delete(event)) this.#count(event, -1);
    this.#hanging.delete(event);
  }

  #count({ decision, resource_id }: Claimed, by: number): void {
    const share = decision === null ? resource_id : QUESTIONS;
    const count = by + (this.#shares.get(share) ?? 0);
    if (count > 0) this.#shares.set(share, count);
    else this.#shares.delete(share);
  }

  #takeOrdinary(): Claimed | undefined {
    if (this.#ready.length === 0 || !this.#mayStart()) return undefined;
    const hasFreeShare = ({ resource_id }: Claimed) => (this.#shares.get(resource_id) ?? 0) < RESOURCE_MAX;
    const place = this.#ready.findIndex(hasFreeShare);
    return place < 0 ? undefined : this.#ready.splice(place, 1)[0];
  }

  #mayStart(): boolean {
    const underWay = this.#underWay.size - this.#asking;
    const answering = underWay - this.#hanging.size;
    if (!this.isSlow && this.#hanging.size < HANGING_MAX) return answering < CONNECTIONS_MAX;
    return underWay < SLOW_MAX || answering < TRIED_MAX;
  }
}

/** No resource has this name. */
const QUESTIONS = '';
