import type { Writer } from '#foundation/database/changes.ts';
import type { Changes } from '#foundation/database/tx.ts';
import { type EventRow, writeEvents } from '#foundation/events/store.ts';
import type { EventType } from '#foundation/events/types.ts';
import { type PublicId, publicId } from '#foundation/lib/ids.ts';
import { traceparent } from '#foundation/lib/tracing.ts';
import { describedBy, peopleIn } from '#foundation/person-keys/people.ts';

export interface NewEvent {
  readonly type: EventType;
  /** `data.id`; first attempts for one resource go out in the order of its events (platform.md §4.2.4). */
  readonly resourceId: string;
  /** The whole resource as GET would return it now (platform.md §4.1.1), made by its presenter. */
  readonly data: unknown;
}

/**
 * Notifies the platform of a state change. The row is written with all others of the transaction in one statement before
 * the commit; nothing is sent for a change that is rolled back (platform.md §4.2.1).
 */
export function emit(changes: Changes, event: NewEvent): PublicId<'Webhook'> {
  return add(changes, { ...event, once: false, decision: null });
}

/**
 * Asks the platform for a decision: sent once, never retried, and the HTTP response goes to the function registered
 * under `decision`, in the transaction that records the delivery (money.md §7.2).
 */
export function ask(
  changes: Changes,
  question: NewEvent & { readonly decision: string },
): PublicId<'Webhook'> {
  return add(changes, { ...question, once: true });
}

/** Queues one `TEST` delivery, for a changed endpoint (platform.md §3.2.3); never retried (platform.md §4.2.3). */
export function emitTest(changes: Changes): PublicId<'Webhook'> {
  const id = changes.newId<'Webhook'>();
  return add(
    changes,
    { type: 'TEST', resourceId: publicId('Webhook', id), data: {}, once: true, decision: null },
    id,
  );
}

export function payloadContext(eventId: EventId): string {
  return `events.payload:${eventId}`;
}

/** Whether listeners may receive the event: only those of sandbox platforms (platform.md §4.8.5). */
export function isHeard({ environment }: Pick<Changes, 'environment'>): boolean {
  return environment === 'SANDBOX';
}

/** An event whose `data` is rendered from these facts when it is first sent (handlers.ts). */
export interface NewFactsEvent {
  readonly type: EventType;
  readonly resourceId: string;
  readonly facts: object;
  /** Makes it a question: the function of this name gets the HTTP response (handlers.ts). */
  readonly decision?: string | undefined;
}

/** Emits facts instead of `data`: for frequent events, so that nothing is presented and sealed before it is sent. */
export function emitFacts(changes: Changes, { type, resourceId, facts, decision }: NewFactsEvent): void {
  const { platformId, now: createdAt } = changes;
  changes.collect(EVENTS, {
    platformId,
    isHeard: isHeard(changes),
    createdAt,
    id: changes.newId<'Webhook'>(),
    type,
    resourceId,
    once: decision !== undefined,
    decision: decision ?? null,
    payload: null,
    facts: JSON.stringify(facts),
    traceparent: traceparent(),
  });
}

interface QueuedEvent extends NewEvent {
  readonly once: boolean;
  readonly decision: string | null;
}

function add(changes: Changes, event: QueuedEvent, id = changes.newId<'Webhook'>()): PublicId<'Webhook'> {
  const { type, resourceId, once, decision } = event;
  const { platformId, now: createdAt, runtime } = changes;
  // Serialised now, so that later changes of the object are not part of the event.
  const text = JSON.stringify(event.data);
  const people = [...peopleIn(text), ...describedBy(event.data)];
  const payload = runtime.vault.sealNaming(people, text, payloadContext(id));
  changes.collect(EVENTS, {
    platformId,
    isHeard: isHeard(changes),
    createdAt,
    id,
    type,
    resourceId,
    once,
    decision,
    payload,
    facts: null,
    traceparent: traceparent(),
  });
  return publicId('Webhook', id);
}

/** The only writer of events. */
export const EVENTS: Writer<EventRow> = {
  name: 'events',
  stage: 'events',
  wakes: (_row, taker) => (taker ? undefined : 'webhooks'),
  write: (rows, taker) => [writeEvents(rows, taker)],
};
