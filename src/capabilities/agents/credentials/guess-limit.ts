import { KeyedQueue } from '#foundation/lib/promises.ts';
import { Refusal, rateLimited } from '#foundation/lib/refusals.ts';

const WINDOW_MS = 60_000;
/** Failures of an address, or of a code, before its refusals change. */
const FAILURES_MAX = 10;
/** Failures of an address before none of its codes is tried any more. */
const TRIES_MAX = 300;
/** Beyond that many addresses or codes at once, those that failed longest ago are forgotten. */
const NAMES_MAX = 10_000;

/** A try: the address that it comes from, and the code. */
export interface Guess {
  readonly address: string;
  /** Names the code, whatever became of it; absent: it cannot be one. */
  readonly code?: string | undefined;
}

/**
 * Keeps device codes from being guessed (AC-4), in real time and in this process. Many people can share an address, such
 * as that of a proxy that is not trusted. So an address with many failures is no longer told why a code fails, while a
 * good code still works, up to a number of tries with which guessing is hopeless. A code with many failures is not tried
 * any more. Tries of one address run one after the other, so that simultaneous calls get no more of them.
 */
export class GuessLimit {
  readonly #queue = new KeyedQueue();
  readonly #addresses = new Failures();
  readonly #codes = new Failures();

  /** Runs one try; `now` is real time. A refusal is a failure. */
  run<T>(
    { address, code }: Guess,
    now: () => number,
    attempt: () => Promise<T | Refusal>,
  ): Promise<T | Refusal> {
    return this.#queue.run(address, async () => {
      const failed = this.#addresses.recent(address, now());
      const ofCode = code === undefined ? [] : this.#codes.recent(code, now());
      if (failed.length >= TRIES_MAX) return tooMany(failed, TRIES_MAX, now());
      if (ofCode.length >= FAILURES_MAX) return tooMany(ofCode, FAILURES_MAX, now());
      const result = await attempt().catch(asRefusal);
      if (!(result instanceof Refusal)) return result;
      this.#addresses.note(address, [...failed, now()]);
      if (code !== undefined) this.#codes.note(code, [...ofCode, now()]);
      return failed.length >= FAILURES_MAX ? tooMany(failed, FAILURES_MAX, now()) : result;
    });
  }
}

/** When tries failed, oldest first; the name that failed last stands last. */
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

/** Until fewer than `max` of these failures are recent. */
function tooMany(failures: readonly number[], max: number, now: number): Refusal {
  const leaving = failures[failures.length - max] ?? now;
  return rateLimited(
    leaving + WINDOW_MS - now,
    (seconds) => `Too many codes were wrong. Try again in ${seconds} s.`,
  );
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
