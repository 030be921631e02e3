import type { Claimed } from '#webhooks/store.ts';

/**
 * What this process has in hand for one platform, and in which order it may go out: events of one resource
 * one after the other (platform.md §4.2.4), everything else side by side.
 */
export class ReceiverLine {
  /** The receiver is not answering in good time; it gets few connections until it does. */
  isSlow = false;
  inFlight = 0;
  failures = 0;
  /** The last claim took all it might: there may be more. */
  mayHaveMore = false;
  #ready: Claimed[] = [];
  /** By resource: held back until the one before has been answered, or has been out for a while. */
  readonly #waiting = new Map<string, Claimed[]>();
  #waitingCount = 0;
  #quiet: (() => void)[] = [];

  /** Everything leased and not yet recorded. */
  get inHand(): number {
    return this.#ready.length + this.#waitingCount + this.inFlight;
  }

  add(event: Claimed): void {
    const behind = event.is_first ? this.#waiting.get(event.resource_id) : undefined;
    if (behind) {
      behind.push(event);
      this.#waitingCount++;
      return;
    }
    if (event.is_first) this.#waiting.set(event.resource_id, []);
    this.#ready.push(event);
  }

  /** The next event that may go out now. */
  take(): Claimed | undefined {
    return this.#ready.shift();
  }

  /** The event was answered, or is no longer waited for: the next of its resource may go. */
  letNext(event: Claimed): void {
    if (!event.is_first) return;
    const next = this.#waiting.get(event.resource_id)?.shift();
    if (next) {
      this.#waitingCount--;
      this.#ready.push(next);
    } else {
      this.#waiting.delete(event.resource_id);
    }
  }

  /** The event does not go out: nor do those behind it, which would overtake it. */
  giveUp(event: Claimed): Claimed[] {
    if (!event.is_first) return [event];
    const behind = this.#waiting.get(event.resource_id) ?? [];
    this.#waiting.delete(event.resource_id);
    this.#waitingCount -= behind.length;
    return [event, ...behind];
  }

  /** Everything that has not gone out. */
  giveUpAll(): Claimed[] {
    const events = [...this.#ready, ...[...this.#waiting.values()].flat()];
    this.#ready = [];
    this.#waiting.clear();
    this.#waitingCount = 0;
    return events;
  }

  /** To be called whenever something has been recorded. */
  settled(): void {
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
}
