import type { EventAttempt, EventSummary } from '@corridor/client';

export const STATE_WORDS: Readonly<Record<EventSummary['state'], string>> = {
  PENDING: 'Pending',
  DELIVERED: 'Delivered',
  ACKED_DUPLICATE: 'Already known',
  EXHAUSTED: 'Given up',
  SKIPPED: 'No endpoint',
};

/** An attempt failed, and none has succeeded since. */
export function hasFailed({ state, attemptCount }: EventSummary): boolean {
  return state === 'EXHAUSTED' || (state === 'PENDING' && attemptCount > 0);
}

/** Whether the event reports something. A test does not, and is never sent again. */
export function isNews({ type }: EventSummary): boolean {
  return type !== 'TEST';
}

/** Whether the answer counts as received. */
export function isAccepted({ status }: EventAttempt): boolean {
  return status !== undefined && ((status >= 200 && status < 300) || status === 409);
}
