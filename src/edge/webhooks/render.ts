import type { ClaimedEvent } from '#edge/webhooks/store.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { type Renderers, requireRenderer } from '#foundation/events/handlers.ts';
import { batchCalls } from '#foundation/lib/batch-calls.ts';

/** `data` of an event that has only facts so far, as JSON text, or why there is none. */
export type Render = (event: ClaimedEvent) => Promise<string | Error>;

/**
 * Renders an event that was stored as facts when it is first sent (decision 0004); the record of that attempt keeps the
 * result. Events that are sent at the same time are rendered together.
 */
export function createRender(runtime: Runtime, renderers: Renderers): Render {
  return batchCalls(async (events: ClaimedEvent[]) => {
    const results = new Map<ClaimedEvent, string | Error>();
    for (const group of groupsOf(events)) {
      try {
        const texts = await renderGroup(runtime, renderers, group);
        group.forEach((event, i) => void results.set(event, texts[i] as string));
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error));
        for (const event of group) results.set(event, failure);
      }
    }
    return events.map((event) => results.get(event) as string | Error);
  });
}

/** One platform and one renderer each. */
function groupsOf(events: ClaimedEvent[]): ClaimedEvent[][] {
  const name = (event: ClaimedEvent) => `${event.platform_id}/${event.type.split('.')[0]}`;
  return [...Map.groupBy(events, name).values()];
}

async function renderGroup(runtime: Runtime, renderers: Renderers, group: ClaimedEvent[]): Promise<string[]> {
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
  return group.map((_event, i) => JSON.stringify(data[i]));
}
