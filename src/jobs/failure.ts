import { sqlFailure } from '#database/failures.ts';
import { Refusal } from '#lib/refusals.ts';

const TEXT_MAX = 300;

/** What is kept of a failure: enough to find the cause, without the values a database message may repeat. */
export function describeFailure(error: unknown): string {
  const failure = sqlFailure(error);
  if (failure) return `SQLSTATE ${failure.code}${failure.constraint ? ` on ${failure.constraint}` : ''}`;
  if (error instanceof Refusal) return `${error.code}: ${error.message}`.slice(0, TEXT_MAX);
  if (error instanceof Error) return `${error.name}: ${error.message}`.slice(0, TEXT_MAX);
  return 'unknown failure';
}

const FIRST_DELAY_MS = 1_000;
const DELAY_MAX_MS = 30 * 60_000;

/** How long a job that failed for the nth time is put off. */
export function delayAfterFailure(times: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(times - 1, 30), DELAY_MAX_MS);
}
