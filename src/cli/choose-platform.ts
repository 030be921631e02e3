import { Option } from 'commander';
import { idArgument } from '#cli/arguments.ts';
import { OperatorError } from '#cli/failure.ts';
import type { Operator, Reader } from '#cli/operator.ts';
import type { Work } from '#database/work.ts';

/** `--platform`, optional while there is only one platform. */
export function platformOption(): Option {
  const option = new Option(
    '--platform <platform>',
    'whose; may be left out while there is only one platform',
  );
  return option.argParser(idArgument('Platform'));
}

/** The options of every command on one platform's resources. */
export interface PlatformOptions {
  platform?: string;
  json?: boolean;
}

/** Transactions on the chosen platform, with the operator as the actor. */
export async function workOf(operator: Operator, options: PlatformOptions): Promise<Work> {
  return operator.work(await choosePlatform(operator, options));
}

/** The chosen platform's data, where nothing is changed. */
export async function readerOf(operator: Operator, options: PlatformOptions): Promise<Reader> {
  return operator.reader(await choosePlatform(operator, options));
}

export async function choosePlatform(
  { database }: Operator,
  { platform }: PlatformOptions,
  how = 'with --platform',
): Promise<string> {
  if (platform !== undefined) return platform;
  // Loaded here, since every command has the option and few command lines get this far.
  const { listPlatforms } = await import('#platform/set-platform.ts');
  const platforms = await listPlatforms({ database });
  const [only] = platforms;
  if (!only) throw new OperatorError('There is no platform yet; make one with "corridor platform create".');
  if (platforms.length === 1) return only.id;
  throw new OperatorError(
    `There are ${platforms.length} platforms: say which ${how} ("corridor platform list" has them).`,
  );
}
