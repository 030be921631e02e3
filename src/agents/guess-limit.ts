import { KeyedQueue } from '#lib/promises.ts';
import { Refusal, rateLimited } from '#lib/refusals.ts';

const WINDOW_MS = 60_000;
const FAILURES_MAX = 10;
/** Beyond that many addresses at once, those that failed longest ago are forgotten. */
const ADDRESSES_MAX = 10_000;

/**
 * Keeps device codes from being guessed (AC-4): after so many failures of an address within a minute nothing more is
 * tried for it, in real time and in this process. Tries of one address run one after the other, so that calls at the same
 * moment get no more of them.
 */
export class GuessLimit {
  readonly #queue = new KeyedQueue();
  /** When the tries of an address failed, oldest first; the address that failed last stands last. */
  readonly #failures = new Map<string, number[]>();

  /** Runs one try; `now` is real time. A refusal is a failure. */
  run<T>(address: string, now: () => number, attempt: () => Promise<T | Refusal>): Promise<T | Refusal> {
    return this.#queue.run(address, async () => {
      const recent = this.#recent(address, now());
      const [oldest] = recent;
      if (oldest !== undefined && recent.length >= FAILURES_MAX) {
        return rateLimited(
          oldest + WINDOW_MS - now(),
          (seconds) => `Too many codes were wrong. Try again in ${seconds} s.`,
        );
      }
      const result = await attempt().catch(asRefusal);
      if (result instanceof Refusal) this.#note(address, [...recent, now()]);
      return result;
    });
  }

  #recent(address: string, now: number): number[] {
    return (this.#failures.get(address) ?? []).filter((at) => at > now - WINDOW_MS && at <= now);
  }

  #note(address: string, failures: number[]): void {
    this.#failures.delete(address);
    this.#failures.set(address, failures);
    const [first] = this.#failures.keys();
    if (this.#failures.size > ADDRESSES_MAX && first !== undefined) this.#failures.delete(first);
  }
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
