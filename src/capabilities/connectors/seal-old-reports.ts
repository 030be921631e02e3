import { textContext } from '#capabilities/connectors/break-texts.ts';
import { eventContext } from '#capabilities/connectors/event-store.ts';
import {
  keepBody,
  keepResolution,
  lockClearResolutions,
  lockOldEvents,
  type OldEvent,
  type OldPlace,
} from '#capabilities/connectors/old-reports-store.ts';
import { findBehindBreak, findReported } from '#capabilities/connectors/people-store.ts';
import type { Run } from '#foundation/database/database.ts';
import { fetchingKeys } from '#foundation/database/fetching-keys.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';
import { sealUnlessErased } from '#foundation/person-keys/people.ts';

const BATCH = 100;

export interface OldReports {
  /** The events up to this place are sealed, or do not open. */
  readonly after: OldPlace;
  readonly areSealed: boolean;
}

/** The state of a process when it starts: it knows nothing about old reports. */
export const UNKNOWN_REPORTS: OldReports = { after: { connector_id: NIL_ID, seq: 0n }, areSealed: false };

/** An event that no data key opens stays as it is, and holds up no other. The next start of a process tries it again. */
export type OnUnopened = (error: Error, event: OldEvent) => void;

/**
 * Seals for their people what an earlier version sealed with a data key, or stored in clear. It empties what is about an
 * erased customer. Returns how far it came.
 */
export async function sealOldReports(
  runtime: Runtime,
  { after }: OldReports,
  onUnopened: OnUnopened,
): Promise<OldReports> {
  const inOneCommit = <Result>(steps: (run: Run) => Promise<Result>) =>
    fetchingKeys(runtime.personKeys, NIL_ID, () => runtime.database.transaction(steps));
  const resolutions = await inOneCommit((run) => sealResolutions(runtime, run));
  const { last, unopened } = await inOneCommit((run) => sealEvents(runtime, run, after));
  for (const { error, event } of unopened) onUnopened(error, event);
  return { after: last ?? after, areSealed: last === undefined && resolutions === 0 };
}

interface SealedEvents {
  /** Undefined if there were none. */
  readonly last: OldPlace | undefined;
  readonly unopened: readonly { readonly error: Error; readonly event: OldEvent }[];
}

async function sealEvents(runtime: Runtime, run: Run, after: OldPlace): Promise<SealedEvents> {
  const events = await lockOldEvents(run, after, BATCH);
  const unopened: { error: Error; event: OldEvent }[] = [];
  for (const event of events) {
    const { connector_id, event_id, about, body } = event;
    const context = eventContext(connector_id, event_id);
    const text = openOld(runtime, body, context);
    if (text instanceof Error) {
      unopened.push({ error: text, event });
      continue;
    }
    const people = await findReported(run, connector_id, [about]);
    await keepBody(run, event, sealUnlessErased(runtime, people.get(about) ?? [], text, context));
  }
  return { last: events.at(-1), unopened };
}

function openOld({ vault }: Runtime, body: Buffer, context: string): string | Error {
  try {
    return vault.openText(body, context);
  } catch (cause) {
    return new Error('an event of an earlier version does not open, and stays as it is', { cause });
  }
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
