import type { Command } from 'commander';
import { type BusinessTime, businessTimeArgument, countArgument, idArgument } from '#cli/arguments.ts';
import { describeReceivers } from '#cli/delivery-target.ts';
import { UsageError } from '#cli/failure.ts';
import {
  addPlatforms,
  choosePlatforms,
  findResourceWork,
  type PlatformsOptions,
} from '#cli/operator/shell/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { performOperation, performs } from '#cli/operator/shell/perform.ts';
import { choiceOption, noteOption } from '#cli/options.ts';
import { printLine, printObject, printRows, reportProgress } from '#cli/print.ts';
import type { ResentEvent } from '#edge/webhooks/log.ts';
import { EVENT_STATES, type EventState } from '#edge/webhooks/log-store.ts';
import { resendMatching } from '#edge/webhooks/resend-matching.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface ResendOptions extends PlatformsOptions {
  state?: EventState;
  after?: BusinessTime;
  before?: BusinessTime;
  limit: number;
  dryRun?: true;
  reason?: string;
}

const LIMIT_MAX = 100_000;

/** `corridor webhook resend`: one event, or all of a time and a state. */
export function addResend(webhook: Command): void {
  const resend = performs(webhook.command('resend'), ['resendWebhook'], { second: false })
    .description('send events again under their ids: one event, or all in a state since a time')
    .argument('[webhook]', 'the id of one event, in any state', idArgument('Webhook'))
    .addOption(choiceOption('--state <state>', 'instead of an id: all events in this state', EVENT_STATES))
    .option(
      '--after <time>',
      'with --state: created from this time on, such as 2026-03-01 or 2h (ago)',
      businessTimeArgument,
    )
    .option('--before <time>', 'with --state: created up to this time', businessTimeArgument)
    .option('--limit <count>', 'at most this many of each platform', countArgument(1, LIMIT_MAX), 10_000)
    .option('--dry-run', 'only count them');
  addPlatforms(resend)
    .addOption(noteOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ corridor webhook resend Webhook:0190a5d2-…\n' +
        '  $ corridor webhook resend --platform Acme --state EXHAUSTED --after 6h --dry-run',
    )
    .action((id: EventId | undefined, options: ResendOptions) =>
      asOperator((operator) =>
        id === undefined ? resendAll(operator, options) : resendOne(operator, id, options),
      ),
    );
}

async function resendOne(operator: Operator, id: EventId, options: ResendOptions): Promise<void> {
  const { state, after, before, dryRun, json = false } = options;
  if (state !== undefined || after || before || dryRun) {
    throw new UsageError('give either an id, or --state and --after');
  }
  const work = await findResourceWork(operator, options, 'Webhook', id);
  const event = await performOperation(operator, work, {
    ...{ operation: 'resendWebhook', params: { webhookId: id } },
    options: { json, ...(options.reason !== undefined && { reason: options.reason }) },
    present: async (_tx, reply: Pick<ResentEvent, 'id' | 'state' | 'sentTo'>) => reply,
  });
  if (!event) return;
  if (json) printObject({ ...event }, { json });
  else printLine(`${event.id} is sent again${describeReceivers(event.sentTo)}.`);
}

async function resendAll(operator: Operator, options: ResendOptions): Promise<void> {
  const { state, after, before, limit, dryRun: isDry = false, reason, json = false } = options;
  if (state === undefined || !after) throw new UsageError('give an id, or --state and --after');
  const { chosen } = await choosePlatforms(operator, options);
  const rows = [];
  for (const { id, name } of chosen) {
    const work = await operator.work(id);
    const { now } = await work.read(async (tx) => tx);
    const filter = { state, createdAfter: after(now), createdBefore: before?.(now) ?? now };
    const done = await resendMatching(work, { filter, limit, isDry, reason });
    rows.push({
      platform: json ? publicId('Platform', id) : name,
      events: done.count,
      more: done.hasMore,
      sentTo: done.sentTo.join(', ') || 'nobody',
    });
  }
  printRows(rows, { json, none: 'There is no platform.' });
  if (isDry) reportProgress('Nothing was sent: this was a dry run.');
  if (rows.some(({ more }) => more)) reportProgress('There are more: repeat it with a greater --limit.');
}
