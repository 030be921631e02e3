import type { Clock } from '#foundation/lib/clock.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/**
 * A token bucket per key, in real time and in this process (with n processes behind a balancer the
 * operator's number holds per process).
 */
export interface RateLimit {
  /** Takes one token out of the bucket, or refuses and says when to retry. */
  take(key: string, perSecond: number, burst: number): Refusal | undefined;
}

interface Bucket {
  tokens: number;
  at: number;
}

const BUCKETS_MAX = 10_000;

export function createRateLimit(clock: Clock): RateLimit {
  const buckets = new Map<string, Bucket>();
  return {
    take(key, perSecond, burst) {
      if (perSecond === 0) return undefined;
      const now = clock.now();
      const bucket = buckets.get(key) ?? { tokens: burst, at: now };
      // A clock that was set back must not remove tokens.
      const elapsedMs = Math.max(0, now - bucket.at);
      bucket.tokens = Math.min(burst, bucket.tokens + (elapsedMs / 1000) * perSecond);
      bucket.at = now;
      if (!buckets.has(key) && buckets.size >= BUCKETS_MAX) buckets.clear();
      buckets.set(key, bucket);
      if (bucket.tokens >= 1) {
        bucket.tokens -= 1;
        return undefined;
      }
      const waitSeconds = Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond));
      return rateLimited(waitSeconds, `at most ${perSecond} requests per second, ${burst} at once`);
    },
  };
}

export function rateLimited(waitSeconds: number, limit: string): Refusal {
  return new Refusal('RATE_LIMITED', `Too many requests (${limit}). Retry in ${waitSeconds} s.`, undefined, {
    'retry-after': String(waitSeconds),
  });
}
