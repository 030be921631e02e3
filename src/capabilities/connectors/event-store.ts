import type { Database, Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

/** An event as a connector lists it, before it is stored. */
export interface ListedEvent {
  readonly id: string;
  readonly type: string;
  readonly at: Date;
  /** Events about one thing are applied in the order of the list. */
  readonly about: string;
  readonly hash: Buffer;
  readonly body: Buffer;
}

/** One row of `connector_events` that is to be applied. */
export interface StoredEvent {
  connector_id: string;
  store: string;
  event_id: string;
  seq: bigint;
  type: string;
  about: string;
  /** Null: it was sealed by an earlier version, and its customer was erased before the upgrade. */
  body: Buffer | null;
  failures: number;
}

/** The place to which the sealed content of an event is bound. */
export function eventContext(connectorId: string, eventId: string): string {
  return `connector_events.body:${connectorId}:${eventId}`;
}

/** connectors.md §7.5: one worker at a time reads the events of a connector. Returns the place from which it reads. */
export async function claimReader(
  run: Run,
  id: string,
  { reader, now, until }: { reader: string; now: Date; until: Date },
): Promise<{ cursor: string | null } | undefined> {
  const [row] = await run<{ cursor: string | null }>(sql`
    update connectors set reader = ${reader}, reader_until = ${until}, is_nudged = false
     where id = ${id} and removed_at is null and events_due_at <= ${now}
       and (reader_until is null or reader_until <= ${now})
    returning cursor`);
  return row;
}

/** connectors.md §6.6: pauses the connector, unless an operator has rewound it meanwhile. */
export async function loseCursor(run: Run, id: string, reader: string, now: Date): Promise<void> {
  await run(sql`
    update connectors set paused_because = 'CURSOR', paused_at = ${now}
     where id = ${id} and reader = ${reader} and paused_because is null`);
}

/** Lets another worker read. The events are due then. */
export async function endReading(run: Run, id: string, reader: string, dueAt: Date): Promise<void> {
  await run(sql`
    update connectors
       set reader = null, reader_until = null, events_due_at = case when is_nudged then events_due_at else ${dueAt} end
     where id = ${id} and reader = ${reader}`);
}

/** connectors.md §7.11: the events are due now, also for a worker that is just reading a page without the new ones. */
export async function nudge(run: Run, id: string, now: Date): Promise<void> {
  await run(sql`
    update connectors set is_nudged = true, events_due_at = least(events_due_at, ${now})
     where id = ${id} and removed_at is null`);
}

export interface Page {
  readonly reader: string;
  readonly store: string;
  readonly events: readonly ListedEvent[];
  readonly next: string;
  readonly now: Date;
  readonly until: Date;
}

export interface StoredPage {
  readonly stored: number;
  /** Ids that were listed before, with other content. */
  readonly differing: readonly string[];
}

/**
 * Stores a page and its cursor in one commit, and extends the lease (connectors.md §6.3, §7.5). Undefined if another
 * worker reads by now, or the store is not the one that counts: nothing is stored then.
 */
export function storePage(
  database: Pick<Database, 'transaction'>,
  connectorId: string,
  { reader, store, events, next, now, until }: Page,
): Promise<StoredPage | undefined> {
  return database.transaction(async (run) => {
    const held = await run(sql`
      update connectors set cursor = ${next}, events_read_at = ${now}, reader_until = ${until}
       where id = ${connectorId} and reader = ${reader} and reader_until > ${now} and store = ${store}
      returning id`);
    if (held.length === 0) return undefined;
    const first = firstOfEach(events);
    const stored = await run(sql`
      insert into connector_events
        (connector_id, store, event_id, type, at, about, content_hash, body, received_at, due_at)
      select ${connectorId}, ${store}, e.id, e.type, e.at, e.about, e.hash, e.body, ${now}, ${now}
        from unnest(
               ${first.map(({ id }) => id)}::text[], ${first.map(({ type }) => type)}::text[],
               ${first.map(({ at }) => at)}::timestamptz[], ${first.map(({ about }) => about)}::text[],
               ${first.map(({ hash }) => hash)}::bytea[], ${first.map(({ body }) => body)}::bytea[])
             with ordinality as e (id, type, at, about, hash, body, place)
       order by e.place
          on conflict (connector_id, store, event_id) do nothing
      returning event_id`);
    const known = await run<{ event_id: string; content_hash: Buffer }>(sql`
      select event_id, content_hash from connector_events
       where connector_id = ${connectorId} and store = ${store} and event_id = any(${events.map(({ id }) => id)}::text[])`);
    const hashes = new Map(known.map((row) => [row.event_id, row.content_hash]));
    const differing = events.filter(({ id, hash }) => !hashes.get(id)?.equals(hash)).map(({ id }) => id);
    return { stored: stored.length, differing };
  });
}

/** A page may name an id twice; the first one is stored. */
function firstOfEach(events: readonly ListedEvent[]): ListedEvent[] {
  const seen = new Set<string>();
  return events.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Deletes the oldest events that were applied before this moment; those whose content is kept stay. */
export async function purgeEvents(run: Run, appliedBefore: Date, rowsMax: number): Promise<number> {
  const rows = await run(sql`
    delete from connector_events where (connector_id, store, event_id) in (
      select connector_id, store, event_id from connector_events
       where applied_at < ${appliedBefore} and body is null order by applied_at limit ${rowsMax})
    returning seq`);
  return rows.length;
}
