import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '#tests/drills/areas/area.ts';

/** A course may wait long for the end of a fault. The client must not rest as long after it. */
const REST_MAX_MS = 2_000;

/** Makes a client rest after each course for a multiple of its time, so that the service is busy for a part of the time. */
export function resting(client: Client, times: number): Client {
  return {
    async course() {
      const began = performance.now();
      await client.course();
      await delay(Math.min(REST_MAX_MS, (performance.now() - began) * times));
    },
  };
}
