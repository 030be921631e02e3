import { textContext } from '#capabilities/connectors/break-texts.ts';
import { eventContext } from '#capabilities/connectors/event-store.ts';
import {
  keepBody,
  keepResolution,
  lockClearResolutions,
  lockOldEvents,
} from '#capabilities/connectors/old-reports-store.ts';
import { findBehindBreak, findReported } from '#capabilities/connectors/people-store.ts';
import type { Run } from '#foundation/database/database.ts';
import { fetchingKeys } from '#foundation/database/fetching-keys.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';
import { sealUnlessErased } from '#foundation/person-keys/people.ts';

const BATCH = 100;

/**
 * Seals for their people what an earlier version sealed with a data key, or stored in clear. It empties what is about an
 * erased customer. Returns how many rows are done.
 */
export async function sealOldReports(runtime: Runtime): Promise<number> {
  const seal = (steps: (runtime: Runtime, run: Run) => Promise<number>) =>
    fetchingKeys(runtime.personKeys, NIL_ID, () =>
      runtime.database.transaction((run) => steps(runtime, run)),
    );
  return (await seal(sealEvents)) + (await seal(sealResolutions));
}

async function sealEvents(runtime: Runtime, run: Run): Promise<number> {
  const rows = await lockOldEvents(run, BATCH);
  for (const { connector_id, event_id, seq, about, body } of rows) {
    const people = await findReported(run, connector_id, [about]);
    const context = eventContext(connector_id, event_id);
    const text = runtime.vault.openText(body, context);
    const sealed = sealUnlessErased(runtime, people.get(about) ?? [], text, context);
    await keepBody(run, { connector_id, seq }, sealed);
  }
  return rows.length;
}

async function sealResolutions(runtime: Runtime, run: Run): Promise<number> {
  const rows = await lockClearResolutions(run, BATCH);
  for (const { id, resolution } of rows) {
    const people = await findBehindBreak(run, id);
    const sealed = sealUnlessErased(runtime, people, resolution, textContext('resolution_sealed', id));
    await keepResolution(run, id, sealed);
  }
  return rows.length;
}
