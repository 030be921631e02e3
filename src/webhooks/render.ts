import type { Surroundings } from '#database/tx.ts';
import { Work } from '#database/work.ts';
import { payloadContext } from '#events/emit.ts';
import { type Renderers, rendererOf } from '#events/renderers.ts';
import { loadPlatform } from '#jobs/platform-row.ts';
import { gather } from '#lib/gather.ts';
import { type Claimed, keepPayloads } from '#webhooks/store.ts';

/** The sealed payload of an event that has only facts so far, or why there is none. */
export type Render = (event: Claimed) => Promise<Buffer | Error>;

/**
 * Renders what SQL functions wrote as facts, when it is first sent, and keeps the result from then on
 * (architecture.md §10). Events that are sent at the same time are rendered together.
 */
export function createRender(surroundings: Surroundings, renderers: Renderers): Render {
  return gather(async (events: Claimed[]) => {
    const results = new Map<Claimed, Buffer | Error>();
    for (const group of groupsOf(events)) {
      try {
        const payloads = await renderGroup(surroundings, renderers, group);
        await keepPayloads(
          surroundings.database.query,
          group.map((event, i) => ({ ...event, payload: payloads[i] as Buffer })),
        );
        group.forEach((event, i) => void results.set(event, payloads[i] as Buffer));
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error));
        for (const event of group) results.set(event, failure);
      }
    }
    return events.map((event) => results.get(event) as Buffer | Error);
  });
}

/** One platform and one renderer each. */
function groupsOf(events: Claimed[]): Claimed[][] {
  const name = (event: Claimed) => `${event.platform_id}/${event.type.split('.')[0]}`;
  return [...Map.groupBy(events, name).values()];
}

async function renderGroup(
  surroundings: Surroundings,
  renderers: Renderers,
  group: Claimed[],
): Promise<Buffer[]> {
  const [{ platform_id, type }] = group as [Claimed];
  const platform = await loadPlatform(surroundings.database.query, platform_id);
  if (!platform) throw new Error('the platform is gone');
  const work = new Work(surroundings, platform, { kind: 'worker', id: 'webhooks' });
  const facts = group.map((event) => ({
    id: event.id,
    type: event.type,
    resourceId: event.resource_id,
    createdAt: event.created_at,
    facts: event.facts,
  }));
  const data = await work.read((tx) => rendererOf(renderers, type)(tx, facts));
  return group.map((event, i) => surroundings.vault.seal(JSON.stringify(data[i]), payloadContext(event.id)));
}
