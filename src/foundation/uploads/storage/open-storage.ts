import { join } from 'node:path';
import type { Clock } from '#foundation/lib/clock.ts';
import type { StoragePort } from '#foundation/ports/storage.ts';
import { folderStore } from '#foundation/uploads/storage/folder-store.ts';
import type { ObjectStore } from '#foundation/uploads/storage/object-store.ts';
import type { S3Settings } from '#foundation/uploads/storage/s3-client.ts';
import { s3Store } from '#foundation/uploads/storage/s3-store.ts';
import { openStream, sealStream } from '#foundation/uploads/storage/sealed-stream.ts';

/** Opens a bucket if one is configured, else a folder in the data folder. */
export function openStorage(
  { dataDir, documentStore }: { readonly dataDir: string; readonly documentStore: S3Settings | undefined },
  clock: Clock,
): StoragePort {
  return sealedStorage(
    documentStore ? s3Store(documentStore, { clock }) : folderStore(join(dataDir, 'documents')),
  );
}

/** Encrypts before storing: the store sees only sealed content, which is bound to its name. */
export function sealedStorage(store: ObjectStore): StoragePort {
  return {
    put: (name, key, content) => store.put(name, sealStream(content, key, name)),
    async read(name, key) {
      const sealed = await store.get(name);
      // It may fail before it is read; an unhandled error event would end the process. The reader gets the error.
      sealed.on('error', () => undefined);
      return openStream(sealed, key, name);
    },
    checkWritable: () => store.checkWritable(),
    remove: (name) => store.remove(name),
  };
}
