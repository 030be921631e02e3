/** Real time in milliseconds since the epoch. A platform's own time adds its offset to this. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The business time of a platform whose clock was moved by `offsetMs`. */
export function platformTime(clock: Clock, offsetMs: number): Date {
  return new Date(clock.now() + offsetMs);
}
