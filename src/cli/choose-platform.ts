import { Option } from 'commander';
import { idArgument } from '#cli/arguments.ts';
import { OperatorError } from '#cli/failure.ts';
import type { Operator } from '#cli/operator.ts';
import { listPlatforms } from '#platform/open-platform.ts';

/** `--platform`, which may be left out while there is only one. */
export function platformOption(): Option {
  const option = new Option(
    '--platform <platform>',
    'whose; may be left out while there is only one platform',
  );
  return option.argParser(idArgument('Platform'));
}

export async function choosePlatform(
  { database }: Operator,
  { platform }: { platform?: string },
): Promise<string> {
  if (platform !== undefined) return platform;
  const platforms = await listPlatforms({ database });
  const [only] = platforms;
  if (!only) throw new OperatorError('There is no platform yet; make one with "corridor platform create".');
  if (platforms.length === 1) return only.id;
  throw new OperatorError(`There are ${platforms.length} platforms: say which with --platform.`);
}
