import type { Corridor, CorridorOptions } from '@corridor/client';
import { causeEvent, RECIPES, requireRecipe, TriggerError } from '@corridor/client/triggers';
import { Command } from 'commander';
import { asDeveloper, onServer, readConnection, type ServerOptions } from '#cli/developer/connect.ts';
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
      await asOperator(() => requireRecipe(type));
      const connection = readConnection(options);
      await asDeveloper(options, (corridor) => trigger(corridor, { type, connection }, options));
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

async function trigger(
  corridor: Corridor,
  { type, connection }: { type: EventType; connection: CorridorOptions },
  { json = false }: TriggerOptions,
): Promise<void> {
  const { createCorridor, PermissionError } = await import('@corridor/client');
  await corridor.getSandboxClock().catch((error) => {
    if (!(error instanceof PermissionError)) throw error;
    throw new OperatorError(
      `Nothing was done: "trigger" works only in a sandbox, with a token that may view it. ${error.reason}`,
    );
  });
  const { tokenId: _id, clientSecret: _secret, ...server } = connection;
  const asAgent = (agentToken: string) => createCorridor({ ...server, agentToken });
  const asVisitor = () => createCorridor(server);
  const { event, resourceId, movedSeconds } = await asOperator(() =>
    causeEvent(type, { corridor, asAgent, asVisitor }),
  );
  const clock = movedSeconds > 0 ? { clock: `moved ahead by ${movedSeconds}s` } : {};
  if (json) printJson({ id: event.id, type, resourceId, clockMovedSeconds: movedSeconds });
  else printObject({ event: event.id, type, resource: resourceId, ...clock }, { json });
}

/** Prints why a recipe was not finished, without a stack. */
async function asOperator<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof TriggerError ? new OperatorError(error.message) : error;
  }
}
