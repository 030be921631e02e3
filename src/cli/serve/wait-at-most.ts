import { setTimeout as delay } from 'node:timers/promises';

export async function waitAtMost(ms: number, step: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  await Promise.race([step, delay(ms, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
}
