import type { EventAttempt, EventSummary } from '@corridor/client';

/** Whether the event reports something. A test does not, and is never sent again. */
export function isNews({ type }: EventSummary): boolean {
  return type !== 'TEST';
}

/** Whether the answer counts as received. */
export function isAccepted({ status }: EventAttempt): boolean {
  return status !== undefined && ((status >= 200 && status < 300) || status === 409);
}
