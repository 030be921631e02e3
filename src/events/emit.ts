import type { Writer } from '#database/changes.ts';
import { sql } from '#database/sql.ts';
import type { Changes } from '#database/tx.ts';
import type { EventType } from '#events/types.ts';
import { type PublicId, publicId } from '#lib/ids.ts';

export interface EventNews {
  readonly type: EventType;
  /** `data.id`; first attempts for one resource go out in the order of its events (platform.md §4.2.4). */
  readonly resourceId: string;
  /** What GET on the resource answers at this moment, whole (platform.md §4.1.1); as the presenter made it. */
  readonly data: unknown;
}

/**
 * Tells the platform about a state change. The row is written with all others of the transaction in one
 * statement before the commit; nothing is sent for a change that is rolled back (platform.md §4.2.1).
 */
export function emit(changes: Changes, news: EventNews): PublicId<'Webhook'> {
  return add(changes, { ...news, once: false, decision: null });
}

/**
 * Asks the platform: sent once, never retried, and the HTTP answer goes to the decision function registered
 * under `decision`, in the transaction that records the delivery (money.md §7.2).
 */
export function ask(
  changes: Changes,
  question: EventNews & { readonly decision: string },
): PublicId<'Webhook'> {
  return add(changes, { ...question, once: true });
}

/** Queues one `TEST` delivery, for a changed endpoint (platform.md §3.2.3); never retried (platform.md §4.2.3). */
export function emitTest(changes: Changes): PublicId<'Webhook'> {
  const id = changes.newId();
  return add(
    changes,
    { type: 'TEST', resourceId: publicId('Webhook', id), data: {}, once: true, decision: null },
    id,
  );
}

/** The place a payload is sealed to. */
export function payloadContext(eventId: string): string {
  return `events.payload:${eventId}`;
}

/** An event whose `data` is made of these facts when it is first sent (renderers.ts). */
export interface FactualNews {
  readonly type: EventType;
  readonly resourceId: string;
  readonly facts: object;
  /** It is a question, and the HTTP answer decides under this name (questions.ts). */
  readonly decision?: string | undefined;
}

/** Tells by facts: for what happens often, so that nothing is presented and sealed before it is wanted. */
export function emitFacts(changes: Changes, { type, resourceId, facts, decision }: FactualNews): void {
  const { platformId, now: createdAt } = changes;
  changes.collect(EVENTS, {
    platformId,
    createdAt,
    id: changes.newId(),
    type,
    resourceId,
    once: decision !== undefined,
    decision: decision ?? null,
    payload: null,
    facts: JSON.stringify(facts),
  });
}

interface NewEvent extends EventNews {
  readonly once: boolean;
  readonly decision: string | null;
}

interface EventRow {
  readonly platformId: string;
  readonly createdAt: Date;
  readonly id: string;
  readonly type: string;
  readonly resourceId: string;
  readonly once: boolean;
  readonly decision: string | null;
  /** Sealed; null: it is made of the facts. */
  readonly payload: Buffer | null;
  readonly facts: string | null;
}

function add(changes: Changes, event: NewEvent, id = changes.newId()): PublicId<'Webhook'> {
  const { type, resourceId, once, decision } = event;
  const { platformId, now: createdAt, runtime } = changes;
  // Serialised now: what the caller does to the object afterwards is not part of the event.
  const payload = runtime.vault.seal(JSON.stringify(event.data), payloadContext(id));
  changes.collect(EVENTS, {
    platformId,
    createdAt,
    id,
    type,
    resourceId,
    once,
    decision,
    payload,
    facts: null,
  });
  return publicId('Webhook', id);
}

/** The one writer of events. */
const EVENTS: Writer<EventRow> = {
  name: 'events',
  stage: 'events',
  wakes: () => true,
  // In the order in which they were emitted, which is the order of `seq`.
  write: (rows) => [
    sql`
      insert into events (platform_id, id, type, resource_id, payload, facts, once, decision, created_at)
      select * from unnest(
        ${rows.map((row) => row.platformId)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
        ${rows.map((row) => row.type)}::text[], ${rows.map((row) => row.resourceId)}::text[],
        ${rows.map((row) => row.payload)}::bytea[], ${rows.map((row) => row.facts)}::jsonb[],
        ${rows.map((row) => row.once)}::boolean[], ${rows.map((row) => row.decision)}::text[],
        ${rows.map((row) => row.createdAt)}::timestamptz[])`,
  ],
};
