import { setTimeout as delay } from 'node:timers/promises';

/** What comes of a promise within this time, or else the other value; the promise itself goes on. */
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
