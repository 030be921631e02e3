import { join } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import type { StoragePort } from '#rails/storage.ts';
import { folderStore } from '#uploads/storage/folder-store.ts';
import type { ObjectStore } from '#uploads/storage/object-store.ts';
import { type S3Settings, s3Store } from '#uploads/storage/s3-store.ts';
import { openStream, sealStream } from '#uploads/storage/sealed-stream.ts';

/** A bucket where one is set, else a folder of the data folder. */
export function openStorage(
  { dataDir, documentStore }: { readonly dataDir: string; readonly documentStore: S3Settings | undefined },
  clock: Clock,
): StoragePort {
  return sealedStorage(
    documentStore ? s3Store(documentStore, { clock }) : folderStore(join(dataDir, 'documents')),
  );
}

/** Storage that the store itself cannot read: what leaves the process is sealed, and bound to its name. */
export function sealedStorage(store: ObjectStore): StoragePort {
  return {
    put: (name, key, content) => store.put(name, sealStream(content, key, name)),
    async read(name, key) {
      const sealed = await store.get(name);
      // It may fail before its reader begins; unheard, that would end the process. The reader finds it failed.
      sealed.on('error', () => undefined);
      return openStream(sealed, key, name);
    },
    tryPut: () => store.tryPut(),
    remove: (name) => store.remove(name),
  };
}
