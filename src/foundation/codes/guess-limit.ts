import { type AttemptLimit, recentAttempts, waitMs } from '#foundation/lib/code-kinds.ts';
import { KeyedQueue } from '#foundation/lib/promises.ts';
import { Refusal, rateLimited } from '#foundation/lib/refusals.ts';

/** After `failures`, an address is not told why, and a code is not tried. After `tries`, an address may not try. */
export interface GuessLimits {
  readonly failures: AttemptLimit;
  readonly tries: AttemptLimit;
}

/** Above this number of addresses or codes, those whose last failure is oldest are dropped. */
const NAMES_MAX = 10_000;

/** An attempt: the address that it comes from, and the code. */
export interface Guess {
  readonly address: string;
  /** Identifies the code, even if it is not valid any more; absent if the text cannot be a code. */
  readonly code?: string | undefined;
}

/**
 * Prevents the guessing of codes (agents.md §2.14, operator.md §3.5), in real time and in this process. Many people can
 * share an address, such as that of an untrusted proxy. So an address with many failures is no longer told why a code
 * fails, while a valid code still works there, up to a number of attempts with which guessing is hopeless. A code with
 * many failures is no longer tried. Attempts from one address run one after the other, so that concurrent requests get
 * no additional attempts.
 */
export class GuessLimit {
  readonly #queue = new KeyedQueue();
  readonly #limits: GuessLimits;
  readonly #addresses: Failures;
  readonly #codes: Failures;

  constructor(limits: GuessLimits) {
    this.#limits = limits;
    this.#addresses = new Failures(limits.failures);
    this.#codes = new Failures(limits.failures);
  }

  /** Runs one attempt; `now` is real time. A refusal is a failure. */
  run<T>(
    { address, code }: Guess,
    now: () => number,
    attempt: () => Promise<T | Refusal>,
  ): Promise<T | Refusal> {
    const { failures, tries } = this.#limits;
    return this.#queue.run(address, async () => {
      const failed = this.#addresses.recent(address, now());
      const ofCode = code === undefined ? [] : this.#codes.recent(code, now());
      const untried = checkGuesses(failed, tries, now()) ?? checkGuesses(ofCode, failures, now());
      if (untried) return untried;
      const result = await attempt().catch(requireRefusal);
      if (!(result instanceof Refusal)) return result;
      this.#addresses.note(address, [...failed, now()]);
      if (code !== undefined) this.#codes.note(code, [...ofCode, now()]);
      return checkGuesses(failed, failures, now()) ?? result;
    });
  }
}

/** The times of failed attempts, oldest first. The name that failed last comes last. */
class Failures {
  readonly #limit: AttemptLimit;
  readonly #times = new Map<string, number[]>();

  constructor(limit: AttemptLimit) {
    this.#limit = limit;
  }

  recent(name: string, now: number): number[] {
    return recentAttempts(this.#times.get(name) ?? [], this.#limit, now);
  }

  note(name: string, failures: number[]): void {
    this.#times.delete(name);
    this.#times.set(name, failures);
    const [first] = this.#times.keys();
    if (this.#times.size > NAMES_MAX && first !== undefined) this.#times.delete(first);
  }
}

function checkGuesses(failures: readonly number[], limit: AttemptLimit, now: number): Refusal | undefined {
  const wait = waitMs(failures, limit, now);
  return wait > 0
    ? rateLimited(wait, (seconds) => `Too many wrong codes. Try again in ${seconds} s.`)
    : undefined;
}

function requireRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
