import { setTimeout as delay } from 'node:timers/promises';

/** The promise's value if it settles within this time, or else the other value; the promise itself is not cancelled. */
export async function withTimeout<Value, Other>(
  value: Promise<Value>,
  maxMs: number,
  otherwise: Other,
): Promise<Value | Other> {
  const early = new AbortController();
  const late = delay(maxMs, otherwise, { signal: early.signal, ref: false });
  late.catch(() => undefined);
  try {
    return await Promise.race([value, late]);
  } finally {
    early.abort();
  }
}

/** Runs steps of this process that share a name one after the other, in the order of their calls. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(name: string, step: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(name) ?? Promise.resolve()).then(step);
    const ended = mine.catch(() => undefined);
    this.#last.set(name, ended);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === ended) this.#last.delete(name);
    }
  }
}
