import type { Reason } from '#database/reasons.ts';

const SUCCESSES_TO_CLEAR = 16;
const SUSPECTS_MAX = 10_000;

/** What was contended for in vain lately: an account without enough money, a counter without room. */
export class Suspects {
  /** How often each still has to succeed; the one that was refused last comes last. */
  readonly #left = new Map<string, number>();

  has(contested: readonly string[]): boolean {
    return this.#left.size > 0 && contested.some((name) => this.#left.has(name));
  }

  /** A change that contended for these was committed, or refused for this reason. */
  learn(contested: readonly string[], reason: Reason | undefined): void {
    if (!reason && this.#left.size > 0) for (const name of contested) this.#clear(name);
    const subject = reason?.subject;
    if (subject === undefined) return;
    this.#left.delete(subject);
    this.#left.set(subject, SUCCESSES_TO_CLEAR);
    const [oldest] = this.#left.keys();
    if (this.#left.size > SUSPECTS_MAX && oldest !== undefined) this.#left.delete(oldest);
  }

  #clear(name: string): void {
    const left = this.#left.get(name);
    if (left === undefined) return;
    if (left > 1) this.#left.set(name, left - 1);
    else this.#left.delete(name);
  }
}
