import type { Corridor } from '../client.ts';
import type { EventSummary } from '../generated/schemas.ts';
import { RECIPES } from './recipes.ts';
import {
  type EventType,
  type NotByToken,
  type Recipe,
  randomHex,
  type Scene,
  TriggerError,
} from './scene.ts';

/** An event that was caused. */
export interface CausedEvent {
  readonly event: EventSummary;
  readonly resourceId: string;
  /** How far the platform's clock was moved. */
  readonly movedSeconds: number;
}

/** The recipe of an event that a token can cause; throws for others, and says who causes them. */
export function requireRecipe(type: EventType): Recipe {
  const recipe = RECIPES[type];
  if ('act' in recipe) return recipe;
  throw new TriggerError(`No token causes ${type}. ${explainManualEvent(recipe)}.`);
}

export function explainManualEvent({ by, how }: NotByToken): string {
  return by === 'nobody' ? `It is ${how}` : `The operator causes it: ${how}`;
}

/** Makes the calls that lead to an event, in a sandbox, and waits for the event. */
export async function causeEvent(
  type: EventType,
  { corridor, asAgent, asVisitor }: Pick<Scene, 'corridor' | 'asAgent' | 'asVisitor'>,
): Promise<CausedEvent> {
  let movedSeconds = 0;
  const scene: Scene = {
    corridor,
    asAgent,
    asVisitor,
    name: `trigger-${randomHex(4)}-x`,
    async advance(seconds) {
      movedSeconds += seconds;
      await corridor.advanceSandboxClock({ seconds });
    },
  };
  const resourceId = await requireRecipe(type).act(scene);
  return { event: await awaitEvent(corridor, type, resourceId), resourceId, movedSeconds };
}

const PATIENCE_MS = 15_000;
const POLL_MS = 250;

/** Most events exist when the reply arrives; the worker adds some later. */
async function awaitEvent(corridor: Corridor, type: EventType, resourceId: string): Promise<EventSummary> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
    const { data } = await corridor.listEvents({ type, resourceId, limit: 1 });
    const [event] = data;
    if (event) return event;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new TriggerError(
    `All calls for ${type} were made on ${resourceId}, but the event has not happened. "corridor events list ` +
      `--resource ${resourceId}" prints the events that did. Some events need a running worker.`,
  );
}
