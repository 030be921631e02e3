import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '#tests/drills/areas/area.ts';

/** A course that waits for the end of a fault is no reason to rest for a minute. */
const REST_MAX_MS = 2_000;

/** Rests after each course so many times as long as it took, so that the service is busy for a share of the time. */
export function resting(client: Client, times: number): Client {
  return {
    async course() {
      const began = performance.now();
      await client.course();
      await delay(Math.min(REST_MAX_MS, (performance.now() - began) * times));
    },
  };
}
