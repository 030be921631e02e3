import type { Actor, Runtime } from '#database/tx.ts';
import { Work } from '#database/work.ts';
import { parseId } from '#lib/ids.ts';
import { notFound } from '#lib/refusals.ts';
import { allPlatforms, findPlatform, type PlatformRecord, platformOf } from '#platform/platform-store.ts';

/** Work on one platform for whoever comes without a token: the operator's command line. */
export async function openPlatform(runtime: Runtime, id: string, actor: Actor): Promise<Work> {
  return new Work(runtime, platformOf(await showPlatform(runtime, id)), actor);
}

/** By `Platform:<uuid>` or the bare UUID; unknown: `PLATFORM_NOT_FOUND`. */
export async function showPlatform(
  { database }: Pick<Runtime, 'database'>,
  id: string,
): Promise<PlatformRecord> {
  const uuid = parseId('Platform', id);
  const record = uuid === undefined ? undefined : await findPlatform(database, uuid);
  if (!record) throw notFound('PLATFORM_NOT_FOUND', 'Platform');
  return record;
}

export function listPlatforms({ database }: Pick<Runtime, 'database'>): Promise<PlatformRecord[]> {
  return allPlatforms(database);
}
