import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { it } from 'node:test';
import type { StoragePort } from '#foundation/ports/storage.ts';
import type { Suite } from '#tests/ports/shape.ts';

const KEY_BYTES = 32;

/** The guarantees that uploads rely on. */
export const storageSuite: Suite<StoragePort> = (port) => {
  it('stores content under a name and returns it, only with its key', async () => {
    for (const length of [0, 1, 200_000]) {
      const [name, key, bytes] = [randomUUID(), randomBytes(KEY_BYTES), randomBytes(length)];
      await port().put(name, key, Readable.from([bytes], { objectMode: false }));
      assert.ok((await buffer(await port().read(name, key))).equals(bytes), `${length} bytes`);
      await assert.rejects(port().read(name, randomBytes(KEY_BYTES)).then(buffer));
      await port().remove(name);
    }
  });

  it('has nothing under a removed name; removing it again succeeds', async () => {
    const [name, key] = [randomUUID(), randomBytes(KEY_BYTES)];
    await port().put(name, key, Readable.from(['paper'], { objectMode: false }));
    await port().remove(name);
    await port().remove(name);
    await assert.rejects(port().read(name, key).then(buffer));
  });

  it('rejects if its source breaks off, and the name can be removed', async () => {
    const [name, key] = [randomUUID(), randomBytes(KEY_BYTES)];
    const broken = async function* () {
      yield randomBytes(100_000);
      throw new Error('broken off');
    };
    await assert.rejects(port().put(name, key, Readable.from(broken(), { objectMode: false })), /broken off/);
    await port().remove(name);
    await assert.rejects(port().read(name, key).then(buffer));
  });

  it('says whether content could be stored now', () => port().checkWritable());
};
