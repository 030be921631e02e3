import { Command, InvalidArgumentError } from 'commander';
import type { ProviderFields } from '#capabilities/platform/config.ts';
import { presentListed } from '#capabilities/platform/platform-records.ts';
import type { PlatformRecord } from '#capabilities/platform/platform-store.ts';
import {
  listPlatforms,
  loadPlatform,
  type PlatformChange,
  setUmaDomain,
} from '#capabilities/platform/set-platform.ts';
import { loadProviderFields } from '#capabilities/platform/store.ts';
import { listWebhookKeys } from '#capabilities/platform/webhook-keys.ts';
import { presentToken } from '#capabilities/tokens/present.ts';
import { listTokens } from '#capabilities/tokens/store.ts';
import { OperatorError } from '#cli/failure.ts';
import {
  SETTINGS_HELP,
  type SettingsInput,
  settingArgument,
} from '#cli/operator/installation/settings-argument.ts';
import { keysById } from '#cli/operator/installation/webhook-command.ts';
import { choosePlatform } from '#cli/operator/shell/choose-platform.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { performOperation, performs, type SecondOptions } from '#cli/operator/shell/perform.ts';
import { readPending } from '#cli/operator/shell/show.ts';
import { choiceOption, noteOption, reasonOption } from '#cli/options.ts';
import { printObject, printRows } from '#cli/print.ts';
import { printNewCredentials } from '#cli/service-urls.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type Environment, effectiveSettings } from '#foundation/lib/platform.ts';

const NAMED = 'its id, the beginning of its id, or its name';

export function platformCommand(): Command {
  const platform = new Command('platform').addHelpText('after', '\nExample:\n  $ corridor platform list');
  addCreate(platform);
  platform
    .command('list')
    .description('print all platforms')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor platform list')
    .action(({ json = false }: { json?: boolean }) => asOperator((operator) => list(operator, json)));
  platform
    .command('show')
    .description('print one platform, its settings and its tokens')
    .argument('[platform]', `${NAMED}; optional while there is only one`)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor platform show Platform:0190a5d2-…')
    .action((platform: string | undefined, { json = false }: { json?: boolean }) =>
      asOperator(async (operator) => {
        const options = platform === undefined ? {} : { platform };
        await show(operator, await choosePlatform(operator, options, 'by its name or id'), json);
      }),
    );
  addSet(platform);
  addUmaDomain(platform);
  addSwitches(platform);
  return platform;
}

interface CreateOptions extends SecondOptions {
  name: string;
  environment: Lowercase<Environment>;
  set: SettingsInput;
}

function addCreate(platform: Command): void {
  performs(platform.command('create'), ['createPlatform'], { second: true })
    .description('create a platform with its first token, whose secret is printed only once')
    .requiredOption('--name <name>', 'its name')
    .addOption(
      choiceOption('--environment <environment>', 'its environment', ['sandbox', 'production']).default(
        'sandbox',
      ),
    )
    .option(
      '--set <setting>',
      'a setting that differs from its default; may be repeated',
      settingArgument,
      {},
    )
    .addOption(noteOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `${SETTINGS_HELP}\n\nExample:\n  $ corridor platform create --name Acme --environment production --set requestRate.perSecond=50`,
    )
    .action((options: CreateOptions) => asOperator((operator) => create(operator, options)));
}

interface NewPlatform {
  readonly id: string;
  readonly tokenId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookPublicKey: string;
}

async function create(
  operator: Operator,
  { name, environment: chosen, set: settings, ...options }: CreateOptions,
): Promise<void> {
  const environment = chosen === 'production' ? 'PRODUCTION' : 'SANDBOX';
  const created = await performOperation(operator, await operator.installation(), {
    operation: 'createPlatform',
    body: { name, environment, settings },
    options,
    present: (_tx, reply: NewPlatform) => Promise.resolve(reply),
  });
  if (!created) return;
  const { id, ...credentials } = created;
  const { json = false } = options;
  printObject({ id, name, environment, ...credentials }, { json });
  if (!json) await printNewCredentials(operator.config, `${created.clientId}:${created.clientSecret}`);
}

async function list(operator: Operator, json: boolean): Promise<void> {
  const platforms = await listPlatforms(operator);
  await operator.audit({ action: 'platform list' });
  const rows = platforms.map(presentListed);
  printRows(rows, { json, none: 'There is no platform yet.' });
}

const TOKENS_SHOWN = 100;

async function show(operator: Operator, id: PlatformId, json: boolean): Promise<void> {
  const platform = await loadPlatform(operator, id);
  const work = await operator.work(id);
  const page = { list: 'operator', filters: {}, limit: TOKENS_SHOWN, cursor: undefined };
  const tokens = await work.read((tx) => listTokens(tx, page, {}, presentToken));
  const keys = await work.read(listWebhookKeys);
  await operator.audit({ action: 'platform show', platformId: id });
  printObject(
    {
      ...presentPlatform(platform, await work.read(loadProviderFields)),
      ...(await work.read((tx) => readPending(tx, publicId('Platform', id)))),
      tokens: tokens.data.map((token) => ({
        id: token.id,
        clientId: token.clientId,
        permissions: token.permissions.join(','),
        name: token.name,
      })),
      webhookKeys: json ? keys : keysById(keys),
      walletPublicKey: work.runtime.serviceKey.publicKey.uncompressed,
    },
    { json },
  );
}

interface SetOptions extends SecondOptions {
  name?: string;
  providerFields?: NonNullable<PlatformChange['providerFields']>;
}

function addSet(platform: Command): void {
  performs(platform.command('set'), ['setPlatform'], { second: true })
    .description("change a platform's settings, all of them or none")
    .argument('<platform>', NAMED)
    .argument('[settings...]', 'written name=value', settingArgument, {})
    .option('--name <name>', 'its new name')
    .option(
      '--provider-fields <json>',
      'the fields that providers require by currency, such as {"EUR":{"customer":["BIRTH_DATE"]}}; null removes an entry',
      jsonArgument,
    )
    .addOption(noteOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `${SETTINGS_HELP}\n\nExample:\n  $ corridor platform set Platform:0190a5d2-… fees.crossCurrencyBps=25 limits.corridors.USD-EUR.maxUsdCents=500000`,
    )
    .action((id: PlatformId, settings: SettingsInput, options: SetOptions) =>
      asOperator(async (operator) =>
        set(operator, await choosePlatform(operator, { platform: id }), settings, options),
      ),
    );
}

async function set(
  operator: Operator,
  id: PlatformId,
  settings: SettingsInput,
  { name, providerFields, ...options }: SetOptions,
): Promise<void> {
  const isSetting = Object.keys(settings).length > 0;
  if (!isSetting && name === undefined && providerFields === undefined) {
    throw new OperatorError('Nothing was given to change.');
  }
  const isDone = await performOperation(operator, await operator.work(id), {
    operation: 'setPlatform',
    params: { platformId: id },
    body: { name, providerFields, ...(isSetting && { settings }) },
    options,
    present: () => Promise.resolve(true),
  });
  if (isDone) await printPlatform(operator, id, options.json ?? false);
}

function addUmaDomain(platform: Command): void {
  platform
    .command('uma-domain')
    .description('give a platform a UMA domain whose ownership it has proven by other means than DNS')
    .argument('<platform>', NAMED)
    .argument('<domain>', 'such as pay.acme.example')
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor platform uma-domain Platform:0190a5d2-… pay.acme.example --reason "contract of 2 March"',
    )
    .action(
      (platform: string, domain: string, { reason, json = false }: { reason: string; json?: boolean }) =>
        asOperator(async (operator) => {
          const id = await choosePlatform(operator, { platform });
          const { umaDomain: defaultUmaDomain, sandboxUmaDomains } = operator.config;
          const domains = { defaultUmaDomain, sandboxUmaDomains };
          await setUmaDomain(await operator.runtime(), id, operator.actor, domain, { domains, reason });
          printObject({ id: publicId('Platform', id), umaDomain: domain.toLowerCase() }, { json });
        }),
    );
}

/** Adds `disable` and `enable`, which decide whether a platform's tokens are accepted at all. */
function addSwitches(platform: Command): void {
  const disable = performs(platform.command('disable'), ['disablePlatform'], { second: false }).description(
    'refuse all tokens and links of a platform',
  );
  confirmed(
    disable,
    'The platform is locked out at once: every call with its tokens is refused, and none of its links opens.',
  );
  const enable = performs(platform.command('enable'), ['enablePlatform'], { second: false }).description(
    'accept the tokens and links of a disabled platform again',
  );
  for (const command of [disable, enable]) {
    command
      .argument('<platform>', NAMED)
      .addOption(reasonOption())
      .option('--json', 'print JSON')
      .addHelpText(
        'after',
        `\nExample:\n  $ corridor platform ${command.name()} Platform:0190a5d2-… --reason "case 4711"`,
      )
      .action((platform: string, options: SecondOptions) =>
        asOperator(async (operator) => {
          const id = await choosePlatform(operator, { platform });
          await performOperation(operator, await operator.work(id), {
            ...{ operation: `${command.name()}Platform`, params: { platformId: id }, options },
            present: async () => undefined,
          });
          await printPlatform(operator, id, options.json ?? false);
        }),
      );
  }
}

async function printPlatform(operator: Operator, id: PlatformId, json: boolean): Promise<void> {
  const fields = await (await operator.work(id)).read(loadProviderFields);
  printObject(presentPlatform(await loadPlatform(operator, id), fields), { json });
}

/** The settings in force, including defaults. */
function presentPlatform(
  platform: PlatformRecord,
  providerFields: Readonly<Record<string, ProviderFields>>,
): Record<string, unknown> {
  return {
    id: publicId('Platform', platform.id),
    name: platform.name,
    environment: platform.environment,
    createdAt: platform.createdAt,
    ...(platform.disabledAt && { disabledAt: platform.disabledAt }),
    ...(platform.clockOffsetMs > 0 && { clockAheadSeconds: platform.clockOffsetMs / 1000 }),
    settings: effectiveSettings(platform.environment, platform.explicitSettings),
    providerFields,
  };
}

function jsonArgument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It must be JSON.');
  }
}
