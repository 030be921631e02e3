import { Command, Option } from 'commander';
import { countArgument, idArgument } from '#cli/arguments.ts';
import { type PlatformOptions, platformOption, readerOf, workOf } from '#cli/choose-platform.ts';
import { confirmed } from '#cli/confirm.ts';
import { addListing, type ListingOptions, printPage } from '#cli/listing.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { choiceOption, reasonOption } from '#cli/options.ts';
import { printJson, printLine, printObject, printResource } from '#cli/print.ts';
import { explainStates, showState, whereSent } from '#cli/where-sent.ts';
import { EVENT_TYPES } from '#events/types.ts';
import { publicId } from '#lib/ids.ts';
import {
  listWebhookKeys,
  OVERLAP_SECONDS,
  type RotationRequest,
  rotateByOperator,
  type ShownKey,
} from '#platform/webhook-keys.ts';
import { logged, resendByOperator, showEvent } from '#webhooks/log.ts';
import { EVENT_STATES, type EventState, pageEvents } from '#webhooks/log-store.ts';

interface ListOptions extends ListingOptions {
  state?: EventState;
  type?: string;
  resource?: string;
}

interface RotateOptions extends PlatformOptions, RotationRequest {
  reason: string;
  yes?: true;
}

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
  addKeys(webhook);
  return webhook;
}

function addKeys(webhook: Command): void {
  webhook
    .command('keys')
    .description('print the public keys that are on show')
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor webhook keys --platform Platform:0190a5d2-…')
    .action((options: PlatformOptions) => asOperator((operator) => keys(operator, options)));
  const overlap = countArgument(0, OVERLAP_SECONDS.max);
  confirmed(
    webhook.command('rotate-key'),
    'All other keys go at once: receivers refuse every webhook until they know the new one.',
    ({ immediately }) => immediately === true,
  )
    .description('make a new signing key, which is on show before it signs')
    .addOption(platformOption())
    .option(
      '--signs-after-seconds <seconds>',
      'how long it is on show before it signs; a day by default',
      overlap,
    )
    .option(
      '--keeps-old-for-seconds <seconds>',
      'how long the old one stays on show; a day by default',
      overlap,
    )
    .addOption(
      new Option('--immediately', 'it signs from now on, and all others go at once').conflicts([
        'signsAfterSeconds',
        'keepsOldForSeconds',
      ]),
    )
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor webhook rotate-key --platform Platform:0190a5d2-… --reason "once a year"',
    )
    .action((options: RotateOptions) => asOperator((operator) => rotateKey(operator, options)));
}

function addList(webhook: Command): void {
  const command = webhook
    .command('list')
    .description('print the newest events')
    .addOption(choiceOption('--state <state>', 'only events in this state', EVENT_STATES))
    .addOption(choiceOption('--type <type>', 'only events of this type', EVENT_TYPES))
    .option('--resource <id>', 'only events about this resource, such as Customer:0190a5d2-…');
  addListing(command)
    .addHelpText('after', '\nExample:\n  $ corridor webhook list --state EXHAUSTED --after 2h')
    .action((options: ListOptions) => asOperator((operator) => list(operator, options)));
}

async function list(operator: Operator, options: ListOptions): Promise<void> {
  const work = await readerOf(operator, options);
  const { state, type, resource: resourceId, limit, cursor } = options;
  const page = await work.read((tx) => {
    const bounds = { createdAfter: options.after?.(tx.now), createdBefore: options.before?.(tx.now) };
    const request = { list: 'operator', filters: { state, type, resourceId }, limit, cursor };
    return pageEvents(tx, request, { state, type, resourceId, ...bounds }, logged);
  });
  await operator.audit({ action: 'webhook list', platformId: work.platform.id });
  printPage(page, options, { none: 'No events.', row: (event) => ({ ...event }) });
  if (!options.json) explainStates(page.data);
}

async function show(
  operator: Operator,
  id: string,
  { json = false, ...chosen }: PlatformOptions,
): Promise<void> {
  const work = await workOf(operator, chosen);
  const { RENDERERS } = await import('../parts.ts');
  const { log, data, ...event } = await work.read((tx) => showEvent(tx, RENDERERS, id));
  // The payload may contain personal data, so the access is audited.
  await operator.audit({
    action: 'webhook show',
    platformId: work.platform.id,
    resource: publicId('Webhook', id),
  });
  if (json) return printObject({ ...event, data, log }, { json });
  printResource({ ...event, state: showState(event.state), data }, { json });
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
  const event = await work.write((tx) => resendByOperator(tx, id));
  if (json) printObject({ id: event.id, state: event.state, sentTo: event.sentTo }, { json });
  else printLine(`${event.id} is sent again${whereSent(event.sentTo)}.`);
}

async function keys(operator: Operator, { json = false, ...chosen }: PlatformOptions): Promise<void> {
  const work = await readerOf(operator, chosen);
  const shown = await work.read(listWebhookKeys);
  await operator.audit({ action: 'webhook keys', platformId: work.platform.id });
  printKeys(shown, json);
}

async function rotateKey(
  operator: Operator,
  { json = false, platform, yes: _asked, reason, ...request }: RotateOptions,
): Promise<void> {
  const work = await workOf(operator, { ...(platform !== undefined && { platform }) });
  printKeys(await work.write((tx) => rotateByOperator(tx, request, reason)), json);
}

function printKeys(shown: readonly ShownKey[], json: boolean): void {
  if (json) printJson(shown);
  else printObject(keysById(shown), { json });
}

/** A public key has several lines, which no table would hold. */
export function keysById(shown: readonly ShownKey[]): Record<string, unknown> {
  return Object.fromEntries(shown.map(({ id, ...key }) => [id, key]));
}
