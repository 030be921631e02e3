import { setTimeout as delay } from 'node:timers/promises';
import type { Corridor, CorridorOptions, EventSummary } from '@corridor/client';
import { Command } from 'commander';
import { asDeveloper, onServer, readConnection, type ServerOptions } from '#cli/developer/connect.ts';
import { RECIPES } from '#cli/developer/trigger/recipes.ts';
import { type NotByToken, newName, type Recipe, type Scene } from '#cli/developer/trigger/scene.ts';
import { OperatorError, UsageError } from '#cli/failure.ts';
import { printJson, printObject, printRows } from '#cli/print.ts';
import { EVENT_TYPES, type EventType } from '#foundation/events/types.ts';

interface TriggerOptions extends ServerOptions {
  readonly list?: boolean;
}

/** `corridor trigger`: causes an event by making the calls that lead to it. */
export function triggerCommand(): Command {
  return onServer(
    new Command('trigger').argument(
      '[type]',
      'the type of event, such as OUTGOING_PAYMENT.COMPLETED; --list prints all',
    ),
  )
    .option('--list', 'print all event types, and how each is caused')
    .addHelpText(
      'after',
      '\nThe command creates the customers, accounts, payments and cards that it needs. Your ids for them begin with "trigger-".\n\n' +
        'Examples:\n  $ corridor trigger outgoing_payment.completed\n  $ corridor trigger --list',
    )
    .action(async (given: string | undefined, options: TriggerOptions) => {
      if (options.list) return printTypes(options);
      if (given === undefined)
        throw new UsageError('give the type of an event; "corridor trigger --list" prints all');
      const type = parseType(given);
      const recipe = requireRecipe(type);
      const connection = readConnection(options);
      await asDeveloper(options, (corridor) => trigger(corridor, { type, recipe, connection }, options));
    });
}

function parseType(text: string): EventType {
  const type = EVENT_TYPES.find((each) => each === text.toUpperCase());
  if (type !== undefined) return type;
  const [family = ''] = text.toUpperCase().split('.');
  const near = EVENT_TYPES.filter((each) => each.startsWith(`${family}.`));
  const what =
    near.length > 0
      ? `The events of ${family} are ${near.join(', ')}`
      : '"corridor trigger --list" prints all';
  throw new UsageError(`there is no event ${text}. ${what}`);
}

function requireRecipe(type: EventType): Recipe {
  const recipe = RECIPES[type];
  if ('act' in recipe) return recipe;
  throw new OperatorError(`No token causes ${type}. ${explainManualEvent(recipe)}.`);
}

function explainManualEvent({ by, how }: NotByToken): string {
  return by === 'nobody' ? `It is ${how}` : `The operator causes it: ${how}`;
}

function printTypes({ json = false }: TriggerOptions): void {
  const rows = EVENT_TYPES.map((type) => {
    const recipe = RECIPES[type];
    if (!('act' in recipe))
      return { type, by: recipe.by, how: recipe.how, clock: undefined, needs: undefined };
    const { how, clock, needs } = recipe;
    return { type, by: 'this command', how, clock, needs };
  });
  printRows(rows, { json, none: '' });
}

interface Task {
  readonly type: EventType;
  readonly recipe: Recipe;
  readonly connection: CorridorOptions;
}

async function trigger(corridor: Corridor, task: Task, { json = false }: TriggerOptions): Promise<void> {
  const { createCorridor, PermissionError } = await import('@corridor/client');
  await corridor.getSandboxClock().catch((error) => {
    if (!(error instanceof PermissionError)) throw error;
    throw new OperatorError(
      `Nothing was done: "trigger" works only in a sandbox, with a token that may view it. ${error.reason}`,
    );
  });
  const { tokenId: _id, clientSecret: _secret, ...server } = task.connection;
  let movedSeconds = 0;
  const scene: Scene = {
    corridor,
    name: newName(),
    asAgent: (agentToken) => createCorridor({ ...server, agentToken }),
    async advance(seconds) {
      movedSeconds += seconds;
      await corridor.advanceSandboxClock({ seconds });
    },
  };
  const resourceId = await task.recipe.act(scene);
  const { id, type } = await awaitEvent(corridor, task, resourceId);
  const clock = movedSeconds > 0 ? { clock: `moved ahead by ${movedSeconds}s` } : {};
  if (json) printJson({ id, type, resourceId, clockMovedSeconds: movedSeconds });
  else printObject({ event: id, type, resource: resourceId, ...clock }, { json });
}

const PATIENCE_MS = 15_000;
const POLL_MS = 250;

/** Most events exist when the reply arrives; the worker adds some later. */
async function awaitEvent(corridor: Corridor, { type }: Task, resourceId: string): Promise<EventSummary> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
    const { data } = await corridor.listEvents({ type, resourceId, limit: 1 });
    const [event] = data;
    if (event) return event;
    await delay(POLL_MS);
  }
  throw new OperatorError(
    `All calls for ${type} were made on ${resourceId}, but the event has not happened. "corridor events list ` +
      `--resource ${resourceId}" prints the events that did. Some events need a running worker.`,
  );
}
