import type { StoredEvent } from '#capabilities/connectors/event-store.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

/** Rows that an earlier version sealed with a data key, or left in clear; soon after the upgrade there are none. */

export interface OldEvent extends Pick<StoredEvent, 'connector_id' | 'event_id' | 'seq' | 'about'> {
  /** The connector's name. */
  readonly connector: string;
  readonly body: Buffer;
}

export type OldPlace = Pick<OldEvent, 'connector_id' | 'seq'>;

/** Locks the next old events after a place. One that does not open stays behind the place. */
export function lockOldEvents(run: Run, after: OldPlace, limit: number): Promise<OldEvent[]> {
  return run<OldEvent>(sql`
    select e.connector_id, e.event_id, e.seq, e.about, e.body, c.name as connector
      from connector_events e join connectors c on c.id = e.connector_id
     where get_byte(e.body, 0) = 1 and (e.connector_id, e.seq) > (${after.connector_id}::uuid, ${after.seq}::bigint)
     order by e.connector_id, e.seq limit ${limit} for update of e skip locked`);
}

export async function keepBody(
  run: Run,
  { connector_id, seq }: OldPlace,
  body: Buffer | null,
): Promise<void> {
  await run(sql`
    update connector_events set body = ${body} where connector_id = ${connector_id} and seq = ${seq}`);
}

/** Breaks with the text of an operator; sentences of the service are only in breaks that are gone. */
export function lockClearResolutions(
  run: Run,
  limit: number,
): Promise<{ readonly id: string; readonly resolution: string }[]> {
  return run(sql`
    select b.id, b.resolution from connector_breaks b
     where b.resolution is not null and not b.is_gone
     order by b.id limit ${limit} for update skip locked`);
}

export async function keepResolution(run: Run, id: string, sealed: Buffer | null): Promise<void> {
  await run(sql`
    update connector_breaks set resolution = null, resolution_sealed = ${sealed} where id = ${id}`);
}
