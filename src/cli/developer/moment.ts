import type { Corridor } from '@corridor/client';
import { InvalidArgumentError } from 'commander';
import { durationArgument, timeArgument } from '#cli/arguments.ts';
import { systemClock } from '#lib/clock.ts';

/** A time, or so many seconds ago. */
export type Moment = Date | { readonly secondsAgo: number };

/** For commander: `2026-03-01T12:00:00Z`, `2026-03-01`, or `2h` for two hours ago. */
export function momentArgument(text: string): Moment {
  try {
    return /^\d{4}-/.test(text) ? timeArgument(text) : { secondsAgo: durationArgument(text) };
  } catch {
    throw new InvalidArgumentError(
      'It must be a time such as 2026-03-01T12:00:00Z, or how long ago, such as 2h.',
    );
  }
}

/** For what has real time: the request log. */
export function realTimeOf(moment: Moment): string {
  return timeBefore(new Date(systemClock.now()), moment);
}

/** For what has the platform's own time, which in the sandbox may be ahead: everything else. */
export async function platformTimeOf(corridor: Corridor, moment: Moment): Promise<string> {
  if (moment instanceof Date) return moment.toISOString();
  const { PermissionError } = await import('@corridor/client');
  try {
    return timeBefore(new Date((await corridor.getSandboxClock()).now), moment);
  } catch (error) {
    // Production has no other time than the real one.
    if (error instanceof PermissionError) return realTimeOf(moment);
    throw error;
  }
}

function timeBefore(now: Date, moment: Moment): string {
  const time = moment instanceof Date ? moment : new Date(now.getTime() - moment.secondsAgo * 1_000);
  return time.toISOString();
}
