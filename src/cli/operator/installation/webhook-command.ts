import { Command, Option } from 'commander';
import {
  type ListedWebhookKey,
  listWebhookKeys,
  OVERLAP_SECONDS,
  type RotationRequest,
} from '#capabilities/platform/webhook-keys.ts';
import { countArgument } from '#cli/arguments.ts';
import { explainStates, showState } from '#cli/delivery-target.ts';
import { addResend } from '#cli/operator/installation/resend-webhooks.ts';
import {
  choosePlatformReader,
  choosePlatformWork,
  findResourceWork,
  type PlatformOptions,
  platformOption,
} from '#cli/operator/shell/choose-platform.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { addListing, type ListingOptions, listPages } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { performOperation, performs } from '#cli/operator/shell/perform.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { choiceOption, reasonOption } from '#cli/options.ts';
import { printJson, printLine, printObject, printResource } from '#cli/print.ts';
import { EVENT_LIST, eventShow } from '#edge/webhooks/event-records.ts';
import { EVENT_STATES, type EventState } from '#edge/webhooks/log-store.ts';
import { EVENT_TYPES, type EventType } from '#foundation/events/types.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface ListOptions extends ListingOptions {
  state?: EventState;
  type?: EventType;
  resource?: string;
}

interface RotateOptions extends PlatformOptions, RotationRequest {
  reason: string;
}

export function webhookCommand(): Command {
  const webhook = new Command('webhook').addHelpText(
    'after',
    '\nExample:\n  $ corridor webhook list --state EXHAUSTED',
  );
  addList(webhook);
  addShow(webhook, {
    type: 'Webhook',
    argument: 'webhook',
    description: 'print one event with its payload and every delivery attempt',
    show,
  });
  addResend(webhook);
  addKeys(webhook);
  return webhook;
}

function addKeys(webhook: Command): void {
  webhook
    .command('keys')
    .description('print the published public keys')
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor webhook keys --platform Platform:0190a5d2-…')
    .action((options: PlatformOptions) => asOperator((operator) => keys(operator, options)));
  const overlap = countArgument(0, OVERLAP_SECONDS.max);
  confirmed(
    performs(webhook.command('rotate-key'), ['rotateWebhookKeyOfPlatform'], { second: false }),
    'All other keys are removed at once: receivers refuse every webhook until they know the new key.',
    ({ immediately }) => immediately === true,
  )
    .description('create a new signing key, which is published before it signs')
    .addOption(platformOption())
    .option(
      '--signs-after-seconds <seconds>',
      'how long it is published before it signs; a day by default',
      overlap,
    )
    .option(
      '--keeps-old-for-seconds <seconds>',
      'how long the old key stays published; a day by default',
      overlap,
    )
    .addOption(
      new Option(
        '--immediately',
        'the new key signs from now on, and all others are removed at once',
      ).conflicts(['signsAfterSeconds', 'keepsOldForSeconds']),
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
  const { state, type, resource } = options;
  const events = await listPages(operator, options, {
    action: 'webhook list',
    none: 'No events.',
    page(tx, request) {
      const bounds = { createdAfter: options.after?.(tx.now), createdBefore: options.before?.(tx.now) };
      return EVENT_LIST.page(tx, request, { state, type, resource, ...bounds });
    },
  });
  if (!options.json) explainStates(events);
}

async function show(
  operator: Operator,
  id: EventId,
  { json = false, ...chosen }: PlatformOptions,
): Promise<void> {
  const work = await findResourceWork(operator, chosen, 'Webhook', id);
  const { SERVICE } = await import('#app/compose.ts');
  const { log, data, ...event } = await work.read((tx) => eventShow(SERVICE.renderers).load(tx, id));
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

async function keys(operator: Operator, { json = false, ...chosen }: PlatformOptions): Promise<void> {
  const work = await choosePlatformReader(operator, chosen);
  const shown = await work.read(listWebhookKeys);
  await operator.audit({ action: 'webhook keys', platformId: work.platform.id });
  printKeys(shown, json);
}

async function rotateKey(
  operator: Operator,
  { signsAfterSeconds, keepsOldForSeconds, immediately, ...options }: RotateOptions,
): Promise<void> {
  const work = await choosePlatformWork(operator, options);
  const shown = await performOperation(operator, work, {
    operation: 'rotateWebhookKeyOfPlatform',
    params: { platformId: work.platform.id },
    body: { signsAfterSeconds, keepsOldForSeconds, immediately },
    options,
    present: listWebhookKeys,
  });
  if (shown) printKeys(shown, options.json ?? false);
}

function printKeys(shown: readonly ListedWebhookKey[], json: boolean): void {
  if (json) printJson(shown);
  else printObject(keysById(shown), { json });
}

/** Keyed by id, because a public key has several lines and fits no table. */
export function keysById(shown: readonly ListedWebhookKey[]): Record<string, unknown> {
  return Object.fromEntries(shown.map(({ id, ...key }) => [id, key]));
}
