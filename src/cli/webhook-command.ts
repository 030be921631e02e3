import { Command, Option } from 'commander';
import { countArgument, idArgument } from '#cli/arguments.ts';
import { type PlatformOptions, platformOption, workOf } from '#cli/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { type Cell, printLine, printObject, printRows } from '#cli/print.ts';
import { publicId } from '#lib/ids.ts';
import { listEvents, resendEvent, rotateWebhookKey, showEvent } from '#webhooks/log.ts';
import type { EventState } from '#webhooks/log-store.ts';

const STATES: readonly EventState[] = ['PENDING', 'DELIVERED', 'ACKED_DUPLICATE', 'EXHAUSTED', 'SKIPPED'];

export function webhookCommand(): Command {
  const webhook = new Command('webhook')
    .description('events sent to platforms')
    .addHelpText('after', '\nExample:\n  $ corridor webhook list --state EXHAUSTED');
  addList(webhook);
  webhook
    .command('show')
    .description('print one event, its payload and every attempt to deliver it')
    .argument('<webhook>', 'its id', idArgument('Webhook'))
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor webhook show Webhook:0190a5d2-…')
    .action((id: string, options: PlatformOptions) => asOperator((operator) => show(operator, id, options)));
  webhook
    .command('resend')
    .description('send an event again under the same id, whatever became of it')
    .argument('<webhook>', 'its id', idArgument('Webhook'))
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor webhook resend Webhook:0190a5d2-…')
    .action((id: string, options: PlatformOptions) =>
      asOperator((operator) => resend(operator, id, options)),
    );
  webhook
    .command('rotate-key')
    .description('make a new signing key; every later attempt is signed with it')
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor webhook rotate-key --platform Platform:0190a5d2-…')
    .action((options: PlatformOptions) => asOperator((operator) => rotateKey(operator, options)));
  return webhook;
}

function addList(webhook: Command): void {
  webhook
    .command('list')
    .description('print the newest events')
    .addOption(platformOption())
    .addOption(new Option('--state <state>', 'only events in this state').choices(STATES))
    .option('--limit <count>', 'at most so many', countArgument(1, 10_000), 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor webhook list --state EXHAUSTED')
    .action((options: PlatformOptions & { state?: EventState; limit: number }) =>
      asOperator((operator) => list(operator, options)),
    );
}

async function list(
  operator: Operator,
  { json = false, state, limit, ...chosen }: PlatformOptions & { state?: EventState; limit: number },
): Promise<void> {
  const work = await workOf(operator, chosen);
  const events = await work.read((tx) => listEvents(tx, { limit, ...(state && { state }) }));
  await operator.audit({ action: 'webhook list', platformId: work.platform.id });
  printRows(
    events.map((event) => ({ ...event }) satisfies Record<string, Cell>),
    { json, none: 'No events.' },
  );
}

async function show(
  operator: Operator,
  id: string,
  { json = false, ...chosen }: PlatformOptions,
): Promise<void> {
  const work = await workOf(operator, chosen);
  const { log, data, ...event } = await work.read((tx) => showEvent(tx, id));
  // The payload may contain personal data, so the access is audited.
  await operator.audit({
    action: 'webhook show',
    platformId: work.platform.id,
    resource: publicId('Webhook', id),
  });
  if (json) return printObject({ ...event, data, log }, { json });
  printObject({ ...event, data: data as Record<string, unknown> }, { json });
  for (const { attempt, ...facts } of log) {
    printLine(`\nattempt ${attempt}`);
    printObject({ ...facts }, { json });
  }
}

async function resend(
  operator: Operator,
  id: string,
  { json = false, ...chosen }: PlatformOptions,
): Promise<void> {
  const work = await workOf(operator, chosen);
  await work.write((tx) => resendEvent(tx, id));
  const webhook = publicId('Webhook', id);
  if (json) printObject({ id: webhook, state: 'PENDING' }, { json });
  else printLine(`${webhook} is sent again by the next worker that looks.`);
}

async function rotateKey(operator: Operator, { json = false, ...chosen }: PlatformOptions): Promise<void> {
  const work = await workOf(operator, chosen);
  const webhookPublicKey = await work.write((tx) => rotateWebhookKey(tx));
  printObject({ platform: publicId('Platform', work.platform.id), webhookPublicKey }, { json });
}
