/** Real time in milliseconds since the epoch. A platform's own time adds its offset to this. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The business time of a platform whose clock was moved by `offsetMs`. */
export function platformTime(clock: Clock, offsetMs: number): Date {
  return new Date(clock.now() + offsetMs);
}

/** The end of the second in which a time is, for work that is done once for everything in the same second. */
export function endOfSecond(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / 1000) * 1000);
}
