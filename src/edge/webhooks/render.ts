import type { ClaimedEvent } from '#edge/webhooks/store.ts';
import type { PersonId } from '#foundation/crypto/person-seal.ts';
import { DatabaseUnavailable } from '#foundation/database/failures.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { type Renderers, requireRenderer } from '#foundation/events/handlers.ts';
import { batchCalls } from '#foundation/lib/batch-calls.ts';
import { describedBy } from '#foundation/person-keys/people.ts';

/** `data` of an event that has only facts so far. */
export interface Rendered {
  /** JSON. */
  readonly text: string;
  /** The people whom it describes without naming them by their ids. */
  readonly describes: readonly PersonId[];
}

/** Renders an event, or says why it cannot be rendered. */
export type Render = (event: ClaimedEvent) => Promise<Rendered | Error>;

/**
 * Renders an event that was stored as facts when it is first sent (decision 0004); the record of that attempt keeps the
 * result. Events that are sent at the same time are rendered together.
 */
export function createRender(runtime: Runtime, renderers: Renderers): Render {
  return batchCalls(async (events: ClaimedEvent[]) => {
    const results = new Map<ClaimedEvent, Rendered | Error>();
    for (const group of groupsOf(events)) {
      for (const [event, data] of await renderEach(runtime, renderers, group)) results.set(event, data);
    }
    return events.map((event) => results.get(event) as Rendered | Error);
  });
}

/**
 * Renders a group of events together. If that fails, renders them one by one, so that only unrenderable events fail.
 */
async function renderEach(
  runtime: Runtime,
  renderers: Renderers,
  group: ClaimedEvent[],
): Promise<(readonly [ClaimedEvent, Rendered | Error])[]> {
  try {
    const data = await renderGroup(runtime, renderers, group);
    return group.map((event, i) => [event, data[i] as Rendered]);
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    if (group.length === 1 || failure instanceof DatabaseUnavailable)
      return group.map((event) => [event, failure]);
    const each = [];
    for (const event of group) each.push(...(await renderEach(runtime, renderers, [event])));
    return each;
  }
}

/** One platform and one renderer each. */
function groupsOf(events: ClaimedEvent[]): ClaimedEvent[][] {
  const name = (event: ClaimedEvent) => `${event.platform_id}/${event.type.split('.')[0]}`;
  return [...Map.groupBy(events, name).values()];
}

async function renderGroup(
  runtime: Runtime,
  renderers: Renderers,
  group: ClaimedEvent[],
): Promise<Rendered[]> {
  const [{ platform_id, type }] = group as [ClaimedEvent];
  const platform = await findPlatform(runtime.database.query, platform_id);
  if (!platform) throw new Error('the platform does not exist');
  const work = new Work(runtime, platform, { kind: 'worker', id: 'webhooks' });
  const facts = group.map((event) => ({
    id: event.id,
    type: event.type,
    resourceId: event.resource_id,
    createdAt: event.created_at,
    facts: event.facts,
  }));
  const data = await work.read((tx) => requireRenderer(renderers, type)(tx, facts));
  return group.map((_event, i) => ({ text: JSON.stringify(data[i]), describes: describedBy(data[i]) }));
}
