import type { Corridor, SandboxClock } from '@corridor/client';
import { InvalidArgumentError } from 'commander';
import { durationArgument, timeArgument } from '#cli/arguments.ts';
import { reportProgress } from '#cli/print.ts';
import { systemClock } from '#foundation/lib/clock.ts';

/** A time, or a number of seconds ago. */
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

/** For the request log, which has real times. */
export function resolveRealTime(moment: Moment): string {
  return timeBefore(new Date(systemClock.now()), moment);
}

/** For everything else, which has the platform's own time: in the sandbox it may be ahead. */
export async function resolvePlatformTime(corridor: Corridor, moment: Moment): Promise<string> {
  if (moment instanceof Date) return moment.toISOString();
  const clock = await findClock(corridor);
  return clock ? timeBefore(new Date(clock.now), moment) : resolveRealTime(moment);
}

/** Called if a period has no results, because the sandbox's clock may be far past it. */
export async function explainClock(corridor: Corridor): Promise<void> {
  const clock = await findClock(corridor);
  if (!clock || clock.offsetSeconds === 0) return;
  reportProgress(`Times refer to your sandbox's clock, which was moved ahead and now shows ${clock.now}.`);
}

/** Returns nothing in production, which has real time only. */
async function findClock(corridor: Corridor): Promise<SandboxClock | undefined> {
  const { PermissionError } = await import('@corridor/client');
  try {
    return await corridor.getSandboxClock();
  } catch (error) {
    if (error instanceof PermissionError) return undefined;
    throw error;
  }
}

function timeBefore(now: Date, moment: Moment): string {
  const time = moment instanceof Date ? moment : new Date(now.getTime() - moment.secondsAgo * 1_000);
  return time.toISOString();
}
