import type { Clock } from '#foundation/lib/clock.ts';

/** Real time that stands still until a test moves it. */
export interface HandClock extends Clock {
  advance(ms: number): void;
}

export function handClock(start = '2026-03-02T10:00:00.000Z'): HandClock {
  let now = Date.parse(start);
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}
