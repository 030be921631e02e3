import { type Command, Option } from 'commander';
import { findAllPlatforms, type PlatformRecord } from '#capabilities/platform/platform-store.ts';
import { OperatorError } from '#cli/failure.ts';
import type { Operator, Reader } from '#cli/operator/shell/operator.ts';
import { choiceOption } from '#cli/options.ts';
import { describePlatform } from '#cli/print.ts';
import type { Work } from '#foundation/database/work.ts';
import { type Findable, findPlatformIdByResource } from '#foundation/http/resource-platform-store.ts';
import { publicId, type ResourceType } from '#foundation/lib/ids.ts';
import type { Environment } from '#foundation/lib/platform.ts';

const HOW = 'by its id, the beginning of its id, or its name';

/** `--platform` of a command that works on one platform. It is optional while there is only one. */
export function platformOption(): Option {
  return new Option('--platform <platform>', `the platform, ${HOW}; optional while there is only one`);
}

/** `--platform` of a command that names a resource: the id alone leads to its platform. */
export function ownerOption(): Option {
  return new Option('--platform <platform>', `refuse unless the resource belongs to this platform, ${HOW}`);
}

/** Adds the options that select a list's platforms: by default all of one environment. */
export function addPlatforms(command: Command): Command {
  return command
    .addOption(new Option('--platform <platform>', `only this platform, ${HOW}`))
    .addOption(
      choiceOption(
        '--environment <environment>',
        'all platforms of this environment; production by default',
        ['production', 'sandbox'],
      ).conflicts('platform'),
    );
}

/** The options of every command on one platform's resources. */
export interface PlatformOptions {
  platform?: string;
  json?: boolean;
}

/** The options of every list. */
export interface PlatformsOptions extends PlatformOptions {
  environment?: Lowercase<Environment>;
}

/** Transactions on the chosen platform, with the operator as the actor. */
export async function choosePlatformWork(operator: Operator, options: PlatformOptions): Promise<Work> {
  return operator.work(await choosePlatform(operator, options));
}

/** Does the same on the platform of the resource that the command names. */
export async function findResourceWork(
  operator: Operator,
  options: PlatformOptions,
  type: Findable,
  id: string,
): Promise<Work> {
  return operator.work(await findResourcePlatform(operator, options, type, id));
}

/** Reads the chosen platform's data, without changes. */
export async function choosePlatformReader(operator: Operator, options: PlatformOptions): Promise<Reader> {
  return operator.reader(await choosePlatform(operator, options));
}

/** Reads the data of the named resource's platform, without changes. */
export async function findResourceReader(
  operator: Operator,
  options: PlatformOptions,
  type: Findable,
  id: string,
): Promise<Reader> {
  return operator.reader(await findResourcePlatform(operator, options, type, id));
}

/** The platform of the resource that a command names. If `--platform` is given, the command looks only there. */
export async function findResourcePlatform(
  operator: Operator,
  options: PlatformOptions,
  type: Findable,
  id: string,
): Promise<PlatformId> {
  if (options.platform !== undefined) return choosePlatform(operator, options);
  const found = await findPlatformIdByResource(operator.database, type, id);
  if (found !== undefined) return found;
  const [only, ...others] = await knownPlatforms(operator);
  // The command's own refusal says more if the resource does not exist.
  if (only && others.length === 0) return only.id;
  throw new OperatorError(`There is no such ${type} on any platform: ${displayName(type, id)}.`);
}

function displayName(type: Findable, id: string): string {
  return type === 'Invitation' || !id.includes('-') ? id : publicId(type as ResourceType, id);
}

export async function choosePlatform(
  operator: Pick<Operator, 'database'>,
  { platform }: PlatformOptions,
  how = 'with --platform',
): Promise<PlatformId> {
  const platforms = await knownPlatforms(operator);
  if (platform !== undefined) return namedPlatform(platforms, platform).id;
  const [only] = platforms;
  if (only && platforms.length === 1) return only.id;
  throw new OperatorError(
    `There are ${platforms.length} platforms: name one ${how} ("corridor platform list" shows them).`,
  );
}

/** The platforms that a list goes over. Those of the sandbox and of production are never in one list. */
export async function choosePlatforms(
  operator: Pick<Operator, 'database'>,
  { platform, environment }: PlatformsOptions,
): Promise<{ chosen: PlatformRecord[]; others: number }> {
  const platforms = await knownPlatforms(operator);
  if (platform !== undefined) return { chosen: [namedPlatform(platforms, platform)], others: 0 };
  const hasProduction = platforms.some((one) => one.environment === 'PRODUCTION');
  const listed = environment?.toUpperCase() ?? (hasProduction ? 'PRODUCTION' : 'SANDBOX');
  const chosen = platforms.filter((one) => one.environment === listed);
  if (chosen.length === 0) throw new OperatorError(`There is no platform in ${listed.toLowerCase()}.`);
  return { chosen, others: platforms.length - chosen.length };
}

async function knownPlatforms({ database }: Pick<Operator, 'database'>): Promise<PlatformRecord[]> {
  const platforms = await findAllPlatforms(database);
  if (platforms.length > 0) return platforms;
  throw new OperatorError('There is no platform yet; create one with "corridor platform create".');
}

/** By id, the beginning of an id, or name. A whole id is never ambiguous. */
function namedPlatform(platforms: readonly PlatformRecord[], text: string): PlatformRecord {
  const wanted = text.trim().toLowerCase();
  const id = wanted.replace(/^platform:/, '');
  const matches = platforms.filter(
    (one) => one.name.toLowerCase() === wanted || (id !== '' && one.id.startsWith(id)),
  );
  const [found] = matches;
  if (found && matches.length === 1) return found;
  const exact = platforms.find((one) => one.id === id);
  if (exact) return exact;
  if (!found) throw new OperatorError(`There is no platform ${text} ("corridor platform list" shows all).`);
  const shown = matches.slice(0, MATCHES_SHOWN).map(describePlatform).join('; ');
  const more = matches.length > MATCHES_SHOWN ? `; and ${matches.length - MATCHES_SHOWN} more` : '';
  throw new OperatorError(`${matches.length} platforms match ${text}: ${shown}${more}.`);
}

const MATCHES_SHOWN = 5;
