import type { Corridor, EventSummary } from '@corridor/client';
import { Command } from 'commander';
import { countArgument, idArgument } from '#cli/arguments.ts';
import { describeReceivers, explainStates, showState } from '#cli/delivery-target.ts';
import { asDeveloper, onServer, type ServerOptions } from '#cli/developer/connect.ts';
import { explainClock, type Moment, momentArgument, resolvePlatformTime } from '#cli/developer/moment.ts';
import { UsageError } from '#cli/failure.ts';
import { choiceOption } from '#cli/options.ts';
import { printJson, printLine, printObject, printResource, printRows } from '#cli/print.ts';
import { EVENT_STATES, type EventState } from '#edge/webhooks/log-store.ts';
import { EVENT_TYPES, type EventType } from '#foundation/events/types.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface ListOptions extends ServerOptions {
  readonly type?: EventType;
  readonly state?: EventState;
  readonly resource?: string;
  readonly since?: Moment;
  readonly until?: Moment;
  readonly limit: number;
}

interface ResendOptions extends ServerOptions {
  readonly failedSince?: Moment;
  readonly includeSkipped?: boolean;
}

export function eventsCommand(): Command {
  const events = new Command('events').addHelpText(
    'after',
    '\nExample:\n  $ corridor events list --state exhausted',
  );
  addList(events);
  onServer(
    events
      .command('show')
      .description('print one event with its payload and every delivery attempt')
      .argument('<event>', 'its id', idArgument('Webhook')),
  )
    .addHelpText('after', '\nExample:\n  $ corridor events show Webhook:0190a5d2-…')
    .action((id: string, options: ServerOptions) =>
      asDeveloper(options, (corridor) => show(corridor, publicId('Webhook', id), options)),
    );
  addResend(events);
  return events;
}

function addList(events: Command): void {
  onServer(events.command('list').description('print the newest events'))
    .addOption(choiceOption('--type <type>', 'only events of this type', EVENT_TYPES))
    .addOption(choiceOption('--state <state>', 'only events in this state', EVENT_STATES))
    .option('--resource <id>', 'only events of the resource with this id')
    .option('--since <time>', 'only from this time on, such as 2026-03-01 or 2h (ago)', momentArgument)
    .option('--until <time>', 'only up to this time, such as 2026-03-01 or 2h (ago)', momentArgument)
    .option('--limit <count>', 'print at most this many', countArgument(1, 10_000), 50)
    .addHelpText(
      'after',
      '\nExamples:\n  $ corridor events list --type outgoing_payment.completed --since 1h\n  $ corridor events list --state exhausted',
    )
    .action((options: ListOptions) => asDeveloper(options, (corridor) => list(corridor, options)));
}

function addResend(events: Command): void {
  onServer(
    events
      .command('resend')
      .description('send one event again, or all that failed since a time, to your endpoint and to listeners')
      .argument('[event]', 'its id', idArgument('Webhook')),
  )
    .option(
      '--failed-since <time>',
      'all that failed since this time, such as 2026-03-01 or 2h (ago)',
      momentArgument,
    )
    .option('--include-skipped', 'also events that were skipped because there was no endpoint')
    .addHelpText(
      'after',
      '\nExamples:\n  $ corridor events resend Webhook:0190a5d2-…\n  $ corridor events resend --failed-since 2h',
    )
    .action((id: string | undefined, options: ResendOptions) => {
      if ((id === undefined) === (options.failedSince === undefined)) {
        throw new UsageError('give the id of an event, or --failed-since');
      }
      if (options.includeSkipped && options.failedSince === undefined) {
        throw new UsageError('--include-skipped goes with --failed-since');
      }
      return asDeveloper(options, (corridor) =>
        options.failedSince === undefined
          ? resendOne(corridor, publicId('Webhook', id as string), options)
          : resendFailed(corridor, options.failedSince, options),
      );
    });
}

async function list(corridor: Corridor, options: ListOptions): Promise<void> {
  const { type, state, resource, since, until, limit, json = false } = options;
  const found: EventSummary[] = [];
  const pages = corridor.listEvents({
    ...(type && { type }),
    ...(state && { state }),
    ...(resource !== undefined && { resourceId: resource }),
    ...(since && { createdAfter: await resolvePlatformTime(corridor, since) }),
    ...(until && { createdBefore: await resolvePlatformTime(corridor, until) }),
    limit: Math.min(limit, PAGE),
  });
  for await (const event of pages) {
    found.push(event);
    if (found.length >= limit) break;
  }
  const rows = found.map((event) => ({
    ...{ at: event.createdAt, type: event.type, resource: event.resourceId },
    ...{ state: event.state, attempts: event.attemptCount, next: event.nextAttemptAt, id: event.id },
  }));
  if (json) return printJson(found);
  printRows(rows, { json, none: 'No events.' });
  if (found.length === 0 && (since ?? until)) await explainClock(corridor);
  explainStates(found);
}

const PAGE = 100;

async function show(corridor: Corridor, id: string, { json = false }: ServerOptions): Promise<void> {
  const event = await corridor.getEventById(id);
  const attempts = await Array.fromAsync(corridor.listEventAttempts(id));
  if (json) return printJson({ ...event, attempts });
  printResource({ ...event, state: showState(event.state) }, { json });
  for (const { attempt, ...facts } of attempts) {
    printLine(`\nattempt ${attempt}`);
    printObject(facts, { json });
  }
}

async function resendOne(corridor: Corridor, id: string, { json = false }: ServerOptions): Promise<void> {
  const event = await corridor.resendEvent(id);
  if (json) printJson(event);
  else printLine(`${event.id} ${event.type} is sent again${describeReceivers(event.sentTo)}.`);
}

async function resendFailed(corridor: Corridor, since: Moment, options: ResendOptions): Promise<void> {
  const { json = false, includeSkipped = false } = options;
  const sent = await corridor.resendFailedEvents({
    since: await resolvePlatformTime(corridor, since),
    includeSkipped,
  });
  if (json) return printJson(sent);
  const events = sent.count === 1 ? '1 event is' : `${sent.count} events are`;
  const more = sent.hasMore ? '; the rest follows by itself' : '';
  printLine(`${events} sent again${sent.count > 0 ? describeReceivers(sent.sentTo) : ''}${more}.`);
  if (sent.count === 0) await explainClock(corridor);
  if (sent.count === 0 && !includeSkipped)
    printLine('Events that were skipped because there was no endpoint are sent with --include-skipped.');
}
