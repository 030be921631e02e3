import { join } from 'node:path';
import { bucketPlace } from '#edge/providers/bank-files/bucket-place.ts';
import type { FilePlaces } from '#edge/providers/bank-files/file-place.ts';
import { folderPlace } from '#edge/providers/bank-files/folder-place.ts';
import type { BankFilesSettings } from '#edge/providers/bank-files/settings.ts';
import type { Clock } from '#foundation/lib/clock.ts';

/** Each connector has folders of its own below the place that the operator names. */
export function openFilePlaces(settings: BankFilesSettings, clock: Clock): FilePlaces {
  if ('folder' in settings) return (connector) => folderPlace(join(settings.folder, connector));
  const { bucket } = settings;
  return (connector) => bucketPlace({ ...bucket, prefix: `${bucket.prefix}${connector}/` }, clock);
}
