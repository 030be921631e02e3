import { join } from 'node:path';
import { folderStore } from '#documents/storage/folder-store.ts';
import { type S3Settings, s3Store } from '#documents/storage/s3-store.ts';
import { sealedStorage } from '#documents/storage/sealed-storage.ts';
import type { Clock } from '#lib/clock.ts';
import type { StoragePort } from '#rails/storage.ts';

/** A bucket where one is set, else a folder of the data folder. */
export function openStorage(
  { dataDir, documentStore }: { readonly dataDir: string; readonly documentStore: S3Settings | undefined },
  clock: Clock,
): StoragePort {
  return sealedStorage(
    documentStore ? s3Store(documentStore, { clock }) : folderStore(join(dataDir, 'documents')),
  );
}
