import Type from 'typebox';
import { findMainEnvironment, findPlatform, listPlatformsOf } from '#foundation/database/platforms.ts';
import { Work } from '#foundation/database/work.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import { queryId, stringEnum } from '#foundation/http/schema.ts';
import { ENVIRONMENTS, type Environment } from '#foundation/lib/platform.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';
import type { Reader } from './read-across.ts';

/** The platforms that an operator chose to read. */
export interface OpenedPlatforms {
  readonly readers: readonly Reader[];
  /** One platform, or all of an environment: cursors fit no other. */
  readonly scope: string;
}

/** The part of a query that chooses them. */
export const PLATFORMS_QUERY = {
  platform: Type.Optional(queryId('Platform', { description: 'Only this platform.' })),
  environment: Type.Optional(
    stringEnum(ENVIRONMENTS, {
      description:
        'All platforms of this environment, if no platform is named. Default: production, if it has platforms.',
    }),
  ),
};

export async function openPlatforms(
  { runtime, actor }: CallWork,
  chosen: { readonly platform?: PlatformId; readonly environment?: Environment },
): Promise<OpenedPlatforms> {
  const readerOf = (platform: Reader['platform']) => new Work(runtime, platform, actor);
  const run = runtime.database.query;
  if (chosen.platform !== undefined) {
    const platform = await findPlatform(run, chosen.platform);
    if (!platform) throw invalidFields([{ field: 'platform', message: 'is not the id of a platform' }]);
    return { readers: [readerOf(platform)], scope: platform.id };
  }
  const environment = chosen.environment ?? (await findMainEnvironment(run));
  const platforms = await listPlatformsOf(run, environment);
  return { readers: platforms.map(readerOf), scope: `all of ${environment}` };
}
