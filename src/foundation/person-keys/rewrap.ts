import type { PlatformVault } from '#foundation/crypto/vault.ts';
import type { Database } from '#foundation/database/database.ts';
import type { WrappedByDataKey } from '#foundation/database/rotate-keys.ts';
import { wrapContext } from '#foundation/person-keys/key-store.ts';
import {
  findOldWraps,
  hasOldWraps,
  type KeyPosition,
  replaceWraps,
} from '#foundation/person-keys/rotation-store.ts';

const BATCH = 500;

/** Wraps the keys of people again in a rotation of the data key, a batch at a time, while servers run. */
export function wrappedPeople(
  store: Pick<Database, 'query'>,
  onBatch?: (rewrapped: number) => void | Promise<void>,
): WrappedByDataKey {
  return {
    hasOld: (dataKeyId) => hasOldWraps(store, dataKeyId),
    async rewrap(vault) {
      let done = 0;
      for (let after: KeyPosition | undefined; ; ) {
        const old = await findOldWraps(store, { dataKeyId: vault.currentKeyId, after, limit: BATCH });
        if (old.length === 0) return done;
        const platforms = new Map<PlatformId, PlatformVault>();
        const keys = old.map((key) => {
          const { platform_id, person_id, generation, wrapped } = key;
          const wrapping = platforms.get(platform_id) ?? vault.ofPlatform(platform_id);
          platforms.set(platform_id, wrapping);
          const context = wrapContext(person_id, generation);
          return { ...key, rewrapped: wrapping.seal(wrapping.open(wrapped, context), context) };
        });
        done += await replaceWraps(store, keys);
        await onBatch?.(done);
        after = old.at(-1);
      }
    },
  };
}
