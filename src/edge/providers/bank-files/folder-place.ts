import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Area, FilePlace } from '#edge/providers/bank-files/file-place.ts';
import { makeFolder } from '#foundation/lib/make-folder.ts';

/** Files in folders that the operator's transport reads and fills. A file moves by being renamed. */
export function folderPlace(folder: string): FilePlace {
  const pathOf = (area: Area, name = '') => join(folder, area, name);
  const sync = async (area: Area) => {
    const handle = await open(pathOf(area), 'r');
    await handle.sync().finally(() => handle.close());
  };
  return {
    async list(area, before) {
      await makeFolder(pathOf(area), 0o700);
      const entries = await readdir(pathOf(area), { withFileTypes: true });
      const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      const aged = await Promise.all(
        names.map(async (name) => ({ name, age: await ageOf(pathOf(area, name)) })),
      );
      return aged
        .flatMap(({ name, age }) => (age === undefined ? [] : [{ name, age }]))
        .filter(({ age }) => before === undefined || age < before.getTime())
        .toSorted((a, b) => a.age - b.age || (a.name < b.name ? -1 : 1))
        .map(({ name }) => name);
    },
    read: (area, name, bytesMax) => readUpTo(pathOf(area, name), bytesMax),
    async put(area, name, bytes) {
      await makeFolder(pathOf(area), 0o700);
      const part = pathOf(area, `.${name}.part`);
      const handle = await open(part, 'w', 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(part, pathOf(area, name));
      await sync(area);
    },
    async remove(area, name) {
      await rm(pathOf(area, name), { force: true });
      await sync(area);
    },
    async publish(name) {
      await makeFolder(pathOf('outbox'), 0o700);
      await rename(pathOf('staging', name), pathOf('outbox', name));
      await sync('outbox');
      await sync('staging');
    },
    async interrupted(name) {
      return (await ageOf(pathOf('staging', name))) === undefined ? 'WRITTEN' : 'STAGED';
    },
  };
}

/** Undefined if the file is gone. */
async function ageOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    (error: NodeJS.ErrnoException) => absent(error),
  );
}

async function readUpTo(path: string, bytesMax: number): Promise<Buffer | undefined> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => absent(error));
  if (!handle) return undefined;
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.min(size, bytesMax + 1));
    let at = 0;
    while (at < bytes.length) {
      const { bytesRead } = await handle.read(bytes, at, bytes.length - at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return bytes.subarray(0, at);
  } finally {
    await handle.close();
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
