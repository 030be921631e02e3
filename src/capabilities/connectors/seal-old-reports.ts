import { textContext } from '#capabilities/connectors/break-texts.ts';
import { eventContext, type StoredEvent } from '#capabilities/connectors/event-store.ts';
import type { Run } from '#foundation/database/database.ts';
import { fetchingKeys } from '#foundation/database/fetching-keys.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';
import { peopleOfReport, type ReportedCustomer } from '#foundation/person-keys/people.ts';

const BATCH = 100;

/** Seals for their people what an earlier version sealed with a data key, or stored in clear. Returns how much is done. */
export async function sealOldReports(runtime: Runtime): Promise<number> {
  const seal = (steps: (runtime: Runtime, run: Run) => Promise<number>) =>
    fetchingKeys(runtime.personKeys, NIL_ID, () =>
      runtime.database.transaction((run) => steps(runtime, run)),
    );
  return (await seal(sealEvents)) + (await seal(sealResolutions));
}

async function sealEvents(runtime: Runtime, run: Run): Promise<number> {
  const rows = await run<StoredEvent>(sql`
    select e.connector_id, e.event_id, e.seq, e.about, e.body from connector_events e
     where get_byte(e.body, 0) = 1 order by e.connector_id, e.seq limit ${BATCH} for update skip locked`);
  for (const { connector_id, event_id, seq, about, body } of rows) {
    const people = await run<ReportedCustomer>(sql`
      select r.platform_id, r.customer_id from people_of_report(${connector_id}, ${about}) r`);
    const context = eventContext(connector_id, event_id);
    const text = runtime.vault.openText(body, context);
    const sealed = runtime.vault.sealFor(peopleOfReport(runtime, people), text, context);
    await run(sql`
      update connector_events set body = ${sealed} where connector_id = ${connector_id} and seq = ${seq}`);
  }
  return rows.length;
}

async function sealResolutions(runtime: Runtime, run: Run): Promise<number> {
  const rows = await run<{ id: string; resolution: string }>(sql`
    select b.id, b.resolution from connector_breaks b
     where b.resolution is not null and not b.is_gone
     order by b.id limit ${BATCH} for update skip locked`);
  for (const { id, resolution } of rows) {
    const people = await run<ReportedCustomer>(sql`
      select p.platform_id, p.customer_id from people_of_break(${id}) p`);
    const context = textContext('resolution_sealed', id);
    const sealed = runtime.vault.sealFor(peopleOfReport(runtime, people), resolution, context);
    await run(sql`
      update connector_breaks set resolution = null, resolution_sealed = ${sealed} where id = ${id}`);
  }
  return rows.length;
}
