import type { Collector, Tx } from '#database/tx.ts';
import type { EventType } from '#events/types.ts';
import { type PublicId, publicId } from '#lib/ids.ts';

export interface EventNews {
  readonly type: EventType;
  /** `data.id`; first attempts for one resource go out in the order of its events (§4.2.4). */
  readonly resourceId: string;
  /** What GET on the resource answers at this moment, whole (§4.1.1); as the presenter made it. */
  readonly data: unknown;
}

/**
 * Tells the platform about a state change. The row is written with all others of the transaction in one
 * statement before the commit; nothing is sent for a change that is rolled back (§4.2.1).
 */
export function emit(tx: Tx, news: EventNews): PublicId<'Webhook'> {
  return add(tx, { ...news, once: false, decision: null });
}

/**
 * Asks the platform: sent once, never retried, and the HTTP answer goes to the decision function registered
 * under `decision`, in the transaction that records the delivery (money.md §7.2).
 */
export function ask(tx: Tx, question: EventNews & { readonly decision: string }): PublicId<'Webhook'> {
  return add(tx, { ...question, once: true });
}

/** Queues one `TEST` delivery, for a changed endpoint (§3.2.3); never retried (§4.2.3). */
export function emitTest(tx: Tx): PublicId<'Webhook'> {
  const id = tx.newId();
  return add(
    tx,
    { type: 'TEST', resourceId: publicId('Webhook', id), data: {}, once: true, decision: null },
    id,
  );
}

/** The place a payload is sealed to. */
export function payloadContext(eventId: string): string {
  return `events.payload:${eventId}`;
}

interface NewEvent extends EventNews {
  readonly once: boolean;
  readonly decision: string | null;
}

interface EventRow {
  id: string;
  type: string;
  resourceId: string;
  payload: Buffer;
  once: boolean;
  decision: string | null;
}

function add(tx: Tx, event: NewEvent, id = tx.newId()): PublicId<'Webhook'> {
  const { type, resourceId, once, decision } = event;
  // Serialised now: what the caller does to the object afterwards is not part of the event.
  const payload = tx.vault.seal(JSON.stringify(event.data), payloadContext(id));
  tx.collect(EVENTS, { id, type, resourceId, payload, once, decision });
  return publicId('Webhook', id);
}

const EVENTS: Collector<EventRow> = {
  name: 'events',
  async write(tx, rows) {
    // In the order in which they were emitted, which is the order of `seq`.
    await tx.sql`
      insert into events (platform_id, id, type, resource_id, payload, once, decision, created_at)
      select ${tx.platformId}, t.id, t.type, t.resource_id, t.payload, t.once, t.decision, ${tx.now}
        from unnest(
          ${rows.map((row) => row.id)}::uuid[],
          ${rows.map((row) => row.type)}::text[],
          ${rows.map((row) => row.resourceId)}::text[],
          ${rows.map((row) => row.payload)}::bytea[],
          ${rows.map((row) => row.once)}::boolean[],
          ${rows.map((row) => row.decision)}::text[]
        ) with ordinality as t(id, type, resource_id, payload, once, decision, place)
       order by t.place`;
    tx.afterCommit(() => tx.surroundings.wakeWorker());
  },
};
