import type { FilesParts } from '#capabilities/bank-files/row.ts';
import { findReported } from '#capabilities/connectors/people-store.ts';
import type { ConnectorEvent } from '#foundation/connector-protocol/events.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { peopleOfReport } from '#foundation/person-keys/people.ts';

/** Events that the connector reports. The service reads them like those of a connector over HTTP (connectors.md §6). */

type Reported = ConnectorEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'id' | 'at'>
    : never
  : never;

export function eventContext(connectorId: string, place: bigint): string {
  return `bank_file_events.body:${connectorId}:${place}`;
}

/** Adds events in this order. The row of the connector is locked until the commit. */
export async function report(
  run: Run,
  parts: FilesParts,
  connectorId: string,
  events: readonly Reported[],
  now: Date,
): Promise<void> {
  if (events.length === 0) return;
  const [row] = await run<{ last: bigint }>(sql`
    update bank_file_connectors set last_event = last_event + ${events.length}
     where connector_id = ${connectorId} returning last_event as last`);
  if (!row) throw new Error(`no files connector ${connectorId}`);
  const first = row.last - BigInt(events.length) + 1n;
  const places = events.map((_, index) => first + BigInt(index));
  const abouts = events.map(aboutOf);
  const people = await findReported(
    run,
    connectorId,
    abouts.filter((about) => about !== null),
  );
  const bodies = events.map((event, index) => {
    const text = JSON.stringify({ id: newUuid(), at: now.toISOString(), ...event });
    const sealedFor = peopleOfReport(parts, people.get(abouts[index] ?? '') ?? []);
    return parts.vault.sealFor(sealedFor, text, eventContext(connectorId, first + BigInt(index)));
  });
  await run(sql`
    insert into bank_file_events (connector_id, place, about, body, created_at)
    select ${connectorId}, listed.place, listed.about, listed.body, ${now}
      from unnest(${places}::bigint[], ${abouts}::text[], ${bodies}::bytea[]) as listed (place, about, body)`);
}

/** The order or the credit that the event is about. */
function aboutOf(event: Reported): string | null {
  if ('reference' in event) return event.reference;
  return 'creditId' in event ? event.creditId : null;
}

/**
 * The events after a place, with the last place of the list; undefined for a place that was never given. Events about
 * customers who were erased are left out.
 */
export async function listReported(
  run: Run,
  { vault, personKeys }: Pick<FilesParts, 'vault' | 'personKeys'>,
  connectorId: string,
  { after, limit }: { after: bigint; limit: number },
): Promise<{ events: ConnectorEvent[]; next: bigint; more: boolean } | undefined> {
  const [connector] = await run<{ last: bigint }>(sql`
    select c.last_event as last from bank_file_connectors c where c.connector_id = ${connectorId}`);
  if (!connector || after > connector.last) return undefined;
  const rows = await run<{ place: bigint; body: Buffer }>(sql`
    select e.place, e.body from bank_file_events e
     where e.connector_id = ${connectorId} and e.place > ${after} and e.place <= ${connector.last}
     order by e.place limit ${limit}`);
  await personKeys.loadFor(rows.map(({ body }) => body));
  const next = rows.at(-1)?.place ?? after;
  return {
    events: rows.flatMap(({ place, body }) => {
      const text = vault.openKept(body, eventContext(connectorId, place));
      return text === undefined ? [] : [JSON.parse(text) as ConnectorEvent];
    }),
    next,
    more: next < connector.last && rows.length === limit,
  };
}

/** Deletes events that are older than connectors have to keep them. */
export async function purgeReported(run: Run, before: Date, rowsMax: number): Promise<number> {
  const rows = await run(sql`
    delete from bank_file_events where (connector_id, place) in (
      select connector_id, place from bank_file_events where created_at < ${before} limit ${rowsMax})
    returning place`);
  return rows.length;
}
