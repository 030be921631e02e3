import { KeyedQueue } from '#foundation/lib/promises.ts';
import { Refusal, rateLimited } from '#foundation/lib/refusals.ts';

const WINDOW_MS = 60_000;
/** The number of failures of an address, or of a code, after which its refusals change. */
const FAILURES_MAX = 10;
/** The number of failures of an address after which its codes are no longer tried. */
const TRIES_MAX = 300;
/** Above this number of addresses or codes, those whose last failure is oldest are dropped. */
const NAMES_MAX = 10_000;

/** An attempt: the address that it comes from, and the code. */
export interface Guess {
  readonly address: string;
  /** Identifies the code, even if it is not valid any more; absent if the text cannot be a code. */
  readonly code?: string | undefined;
}

/**
 * Prevents the guessing of device codes (agents.md §2.14), in real time and in this process. Many people can share an
 * address, such as that of an untrusted proxy. So an address with many failures is no longer told why a code fails,
 * while a valid code still works there, up to a number of attempts with which guessing is hopeless. A code with many
 * failures is no longer tried. Attempts from one address run one after the other, so that concurrent requests get no
 * additional attempts.
 */
export class GuessLimit {
  readonly #queue = new KeyedQueue();
  readonly #addresses = new Failures();
  readonly #codes = new Failures();

  /** Runs one attempt; `now` is real time. A refusal is a failure. */
  run<T>(
    { address, code }: Guess,
    now: () => number,
    attempt: () => Promise<T | Refusal>,
  ): Promise<T | Refusal> {
    return this.#queue.run(address, async () => {
      const failed = this.#addresses.recent(address, now());
      const ofCode = code === undefined ? [] : this.#codes.recent(code, now());
      if (failed.length >= TRIES_MAX) return tooManyGuesses(failed, TRIES_MAX, now());
      if (ofCode.length >= FAILURES_MAX) return tooManyGuesses(ofCode, FAILURES_MAX, now());
      const result = await attempt().catch(requireRefusal);
      if (!(result instanceof Refusal)) return result;
      this.#addresses.note(address, [...failed, now()]);
      if (code !== undefined) this.#codes.note(code, [...ofCode, now()]);
      return failed.length >= FAILURES_MAX ? tooManyGuesses(failed, FAILURES_MAX, now()) : result;
    });
  }
}

/** The times of failed attempts, oldest first. The name that failed last comes last. */
class Failures {
  readonly #times = new Map<string, number[]>();

  recent(name: string, now: number): number[] {
    return (this.#times.get(name) ?? []).filter((at) => at > now - WINDOW_MS && at <= now);
  }

  note(name: string, failures: number[]): void {
    this.#times.delete(name);
    this.#times.set(name, failures);
    const [first] = this.#times.keys();
    if (this.#times.size > NAMES_MAX && first !== undefined) this.#times.delete(first);
  }
}

/** Refuses until fewer than `max` of these failures are recent. */
function tooManyGuesses(failures: readonly number[], max: number, now: number): Refusal {
  const leaving = failures[failures.length - max] ?? now;
  return rateLimited(
    leaving + WINDOW_MS - now,
    (seconds) => `Too many wrong codes. Try again in ${seconds} s.`,
  );
}

function requireRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
