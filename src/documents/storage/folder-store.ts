import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { checkObjectName, type ObjectStore } from '#documents/storage/object-store.ts';

/**
 * Objects as files of one folder, which only its owner may enter. A file is written beside its place, forced
 * to the disk and then renamed: a crash leaves it whole or not there.
 */
export function folderStore(folder: string): ObjectStore {
  return {
    async put(name, bytes) {
      const path = pathOf(folder, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await pipeline(bytes, createWriteStream(partOf(path), { mode: 0o600, flush: true }));
      await rename(partOf(path), path);
      await syncFolder(dirname(path));
    },
    async get(name) {
      const stream = createReadStream(pathOf(folder, name));
      await once(stream, 'open');
      return stream;
    },
    async remove(name) {
      const path = pathOf(folder, name);
      await rm(path, { force: true });
      await rm(partOf(path), { force: true });
    },
  };
}

/** Spread over sub-folders by the name's random end: one folder with a million files is slow. */
function pathOf(folder: string, name: string): string {
  checkObjectName(name);
  return join(folder, name.slice(-2), name);
}

/** Where a file is while it is written; `remove` clears what a crash left there. */
function partOf(path: string): string {
  return `${path}.part`;
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
