import { doublingDelayMs } from '#foundation/jobs/handlers.ts';
import type { HttpResult } from '#foundation/outbound/guarded-agent.ts';

const FIRST_RETRY_MS = 5_000;
const RETRY_MAX_MS = 1_800_000;
const JITTER = 0.1;
/** Counted from the first attempt, or from the operator's resend (platform.md §4.2.3). */
export const GIVE_UP_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

/** Before the nth retry: doubling from 5 s up to 30 min, ±10 % (platform.md §4.2.3). */
export function retryDelayMs(n: number, random: () => number): number {
  return Math.round(doublingDelayMs(FIRST_RETRY_MS, RETRY_MAX_MS, n) * (1 + JITTER * (2 * random() - 1)));
}

/**
 * How a delivery moves (platform.md §4.2.2, §4.2.5): each outcome of an attempt, when it applies, and the state that
 * follows. A `RETRY` becomes `EXHAUSTED` when the next attempt would come too late.
 */
export const DELIVERY_MOVES = [
  { from: 'PENDING', outcome: 'DELIVERED', when: '2xx', to: 'DELIVERED' },
  { from: 'PENDING', outcome: 'ACKED_DUPLICATE', when: '409', to: 'ACKED_DUPLICATE' },
  { from: 'PENDING', outcome: 'RETRY', when: 'no answer, or a bad one: retried later', to: 'PENDING' },
  { from: 'PENDING', outcome: 'EXHAUSTED', when: 'out of time, or sent only once', to: 'EXHAUSTED' },
  { from: 'PENDING', outcome: 'SKIPPED', when: 'no endpoint, or its person was erased', to: 'SKIPPED' },
] as const;

type Move = (typeof DELIVERY_MOVES)[number];

export type Outcome = Move['outcome'];

export function stateAfter(outcome: Outcome): Move['to'] {
  return DELIVERY_MOVES.find((move) => move.outcome === outcome)?.to ?? 'PENDING';
}

/** Any 2xx or 409 ends the delivery (platform.md §4.2.2). Anything else is retried, unless the event is sent only once. */
export function attemptOutcome(
  httpResult: HttpResult | undefined,
  isSentOnce: boolean,
): Exclude<Outcome, 'SKIPPED'> {
  if (httpResult && 'status' in httpResult) {
    if (httpResult.status >= 200 && httpResult.status < 300) return 'DELIVERED';
    if (httpResult.status === 409) return 'ACKED_DUPLICATE';
  }
  return isSentOnce ? 'EXHAUSTED' : 'RETRY';
}
