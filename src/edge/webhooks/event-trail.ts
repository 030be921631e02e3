import {
  type EventAttemptRow,
  listAttemptsOf,
  listEventsAbout,
  type ResourceEventRow,
} from '#edge/webhooks/log-store.ts';
import type { Item, Trail } from '#foundation/explanation/explanation.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** The events of a transaction, and every attempt to deliver them that is still in the log. */
export const eventTrail: Trail = async (tx, { explained, itemsMax }) => {
  const events = await listEventsAbout(tx, explained.resources, itemsMax);
  if (events.length === 0) return [];
  const attempts = await listAttemptsOf(
    tx,
    events.map(({ id }) => id),
    itemsMax,
  );
  const known = new Map(events.map((event) => [event.id, event]));
  return [
    ...events.toReversed().map(presentEvent),
    ...attempts.toReversed().map((one) => presentAttempt(one, known.get(one.event_id))),
  ];
};

const STATES: Readonly<Record<ResourceEventRow['state'], string>> = {
  PENDING: 'was created, and is waiting to be delivered',
  DELIVERED: 'was created, and has been delivered',
  ACKED_DUPLICATE: 'was created, and has been delivered; the endpoint already knew it',
  EXHAUSTED: 'was created, but could not be delivered, and the service gave up',
  SKIPPED: 'was created, but not sent, because the platform had no webhook endpoint',
};

function presentEvent(row: ResourceEventRow): Item {
  return {
    kind: 'event',
    at: row.created_at,
    actor: { kind: 'SERVICE' },
    title: `The event ${row.type} ${STATES[row.state]}.`,
    rule: 'platform.md §4.2.1',
    details: {
      eventId: publicId('Webhook', row.id),
      ...{ type: row.type, resourceId: row.resource_id, state: row.state, attempts: row.attempts },
      nextAttemptAt: row.next_attempt_at?.toISOString(),
    },
  };
}

function presentAttempt(row: EventAttemptRow, event: ResourceEventRow | undefined): Item {
  const answer = row.status === null ? `failed: ${row.error}` : `was answered with ${row.status}`;
  return {
    kind: 'attempt',
    recordedAt: row.at,
    notBefore: event?.created_at,
    actor: { kind: 'RECEIVER' },
    title: `Attempt ${row.attempt} to deliver ${event?.type} ${answer}.`,
    rule: 'platform.md §4.2.6',
    details: {
      eventId: publicId('Webhook', row.event_id),
      ...{ attempt: row.attempt, status: row.status ?? undefined, error: row.error ?? undefined },
      durationMs: row.duration_ms,
    },
  };
}
