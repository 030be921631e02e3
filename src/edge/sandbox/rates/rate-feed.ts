import { DELAYS } from '#edge/sandbox/delays-table.ts';
import { SANDBOX_RATES } from '#edge/sandbox/rates/rates-table.ts';
import type { RatesPort } from '#foundation/ports/rates.ts';

const SNAPSHOT_MS = DELAYS.rates.ms;

/** Constant rates; only the time they were read advances, every 300 s on the platform's clock (platform.md §6.6). */
export const sandboxRateFeed = {
  async snapshot(now: Date) {
    const readAt = new Date(now.getTime() - (now.getTime() % SNAPSHOT_MS));
    return { perUsd: SANDBOX_RATES, lapsed: [], readAt };
  },
} satisfies RatesPort;
