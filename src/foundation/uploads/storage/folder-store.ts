import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '#foundation/lib/make-folder.ts';
import { type ObjectStore, requireObjectName } from '#foundation/uploads/storage/object-store.ts';

/** A document may have 10 MB, and an embedded database on the same disk allocates 16 MiB at a time for its log. */
const ROOM_MIN_BYTES = 32 * 1024 * 1024;

/**
 * Stores objects as files in one folder, which only its owner may enter. A file is written under another name, synced to
 * the disk and then renamed: after a crash it is complete or absent.
 */
export function folderStore(folder: string): ObjectStore {
  return {
    async put(name, bytes) {
      const path = objectPath(folder, name);
      await makeFolder(dirname(path), 0o700);
      await pipeline(bytes, createWriteStream(partPathOf(path), { mode: 0o600, flush: true }));
      await rename(partPathOf(path), path);
      await syncFolder(dirname(path));
    },
    async get(name) {
      const stream = createReadStream(objectPath(folder, name));
      await once(stream, 'open');
      return stream;
    },
    async checkWritable() {
      await makeFolder(folder, 0o700);
      const { bavail, bsize } = await statfs(folder);
      assert.ok(bavail * bsize >= ROOM_MIN_BYTES, 'the disk is full');
      // Always the same file, so that interrupted checks cannot fill the disk.
      const path = join(folder, 'written-to-try');
      await writeFile(path, 'x', { mode: 0o600 });
      await rm(path, { force: true });
    },
    async remove(name) {
      const path = objectPath(folder, name);
      await rm(path, { force: true });
      await rm(partPathOf(path), { force: true });
    },
  };
}

/** Spreads the files over sub-folders by the random end of their names: one folder with a million files is slow. */
function objectPath(folder: string, name: string): string {
  requireObjectName(name);
  return join(folder, name.slice(-2), name);
}

/** The path of a file while it is written; `remove` also deletes a file that a crash left there. */
function partPathOf(path: string): string {
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
