import type { EventSummary } from '@corridor/client';
import { Status } from './status.tsx';

/** The states of a delivery in words, in lists, on pages and in filters. */
export const STATE_WORDS: Readonly<Record<EventSummary['state'], string>> = {
  PENDING: 'Waiting or retrying',
  DELIVERED: 'Delivered',
  ACKED_DUPLICATE: 'Already known',
  EXHAUSTED: 'Given up',
  SKIPPED: 'No endpoint',
};

/** An attempt failed, and none has succeeded since. */
export function hasFailed({ state, attemptCount }: Pick<EventSummary, 'state' | 'attemptCount'>): boolean {
  return state === 'EXHAUSTED' || (state === 'PENDING' && attemptCount > 0);
}

/** Whether the endpoint has the event, in the same words everywhere. */
export function Delivery({ event }: { event: Pick<EventSummary, 'state' | 'attemptCount'> }) {
  const { state } = event;
  if (state !== 'PENDING') return <Status value={state} word={STATE_WORDS[state]} />;
  return hasFailed(event) ? (
    <Status value="RETRYING" kind="bad" word="Failed, retrying" />
  ) : (
    <Status value={state} word="Waiting" />
  );
}
