import type { ObjectStore } from '#documents/storage/object-store.ts';
import { openStream, sealStream } from '#documents/storage/sealed-stream.ts';
import type { StoragePort } from '#rails/storage.ts';

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
