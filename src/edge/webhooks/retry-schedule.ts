import type { AttemptResult } from '#edge/webhooks/store.ts';
import type { HttpResult } from '#foundation/outbound/guarded-agent.ts';

const FIRST_RETRY_S = 5;
const RETRY_MAX_S = 1_800;
const JITTER = 0.1;

/** Before the nth retry: doubling from 5 s up to 30 min, ±10 % (platform.md §4.2.3). */
export function retryDelayMs(n: number, random: () => number): number {
  const seconds = Math.min(FIRST_RETRY_S * 2 ** Math.min(n - 1, 20), RETRY_MAX_S);
  return Math.round(seconds * 1000 * (1 + JITTER * (2 * random() - 1)));
}

/** Any 2xx or 409 ends the delivery (platform.md §4.2.2). Anything else is retried, unless the event is sent only once. */
export function attemptOutcome(
  httpResult: HttpResult | undefined,
  isSentOnce: boolean,
): AttemptResult['outcome'] {
  if (httpResult && 'status' in httpResult) {
    if (httpResult.status >= 200 && httpResult.status < 300) return 'DELIVERED';
    if (httpResult.status === 409) return 'ACKED_DUPLICATE';
  }
  return isSentOnce ? 'EXHAUSTED' : 'RETRY';
}
