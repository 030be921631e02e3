import { randomUUID } from 'node:crypto';
import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import {
  codeOf,
  EmbeddedError,
  ifPresent,
  isFileFailure,
} from '#foundation/database/embedded/embedded-error.ts';
import { draftPath, syncFolder } from '#foundation/database/embedded/embedded-folder.ts';
import { isLocked, tryLock } from '#foundation/database/embedded/owner-lock.ts';
import { makeFolder } from '#foundation/lib/make-folder.ts';

/** Makes a folder whole or not at all: steps fill a draft beside it, which then takes its name. */
export async function makeWholeFolder(path: string, fill: (draft: string) => Promise<void>): Promise<void> {
  try {
    if ((await ifPresent(readdir(path)))?.length) throw new EmbeddedError(`${path} is not empty.`);
    await makeFolder(dirname(path), 0o755);
    await using draft = await openDraft(dirname(path));
    await mkdir(draft.content, { mode: 0o700 });
    await fill(draft.content);
    await rm(path, { recursive: true, force: true });
    await rename(draft.content, path);
    await syncFolder(dirname(path));
  } catch (error) {
    // What is written through an open file names no path when the disk is full.
    if (!isFileFailure(error)) throw error;
    throw new EmbeddedError(`${path} cannot be made: ${error.message}.`, { cause: error });
  }
}

/**
 * Removes what interrupted runs left beside a folder to be made, and says what it was. A draft that is being filled, by
 * whatever process, is locked; one whose lock cannot be asked for may be, and stays.
 */
export async function removeAbandonedDrafts(path: string): Promise<string[]> {
  const parent = dirname(path);
  const names = await readdir(parent).catch(() => []);
  const removed: string[] = [];
  for (const name of names.filter((name) => DRAFT.test(name))) {
    const draft = join(parent, name);
    try {
      if (await isLocked(join(draft, LOCK))) continue;
      await rm(draft, { recursive: true, force: true });
      removed.push(draft);
    } catch {
      // Another user's, or on a file system without locks.
    }
  }
  return removed;
}

const PREFIX = 'unfinished-backup-';
const DRAFT = new RegExp(`^${PREFIX}[0-9a-f-]{36}$`);
const LOCK = 'lock';

async function openDraft(parent: string): Promise<AsyncDisposable & { readonly content: string }> {
  const unnamed = draftPath(parent);
  await mkdir(unnamed, { mode: 0o700 });
  const lock = lockIn(unnamed);
  // It is locked before it has the name by which others would remove it, and without a lock it never has.
  const path = lock ? join(parent, `${PREFIX}${randomUUID()}`) : unnamed;
  if (lock) await rename(unnamed, path);
  return {
    content: join(path, 'content'),
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true });
      lock?.close();
    },
  };
}

/** Undefined on a file system without locks, a network's say: backups are made there all the same. */
function lockIn(folder: string): ReturnType<typeof tryLock> {
  try {
    return tryLock(join(folder, LOCK));
  } catch {
    return undefined;
  }
}

/** Whether a path, which need not exist yet, is a folder or lies inside it, whatever links lead there. */
export async function isWithin(folder: string, path: string): Promise<boolean> {
  const way = relative(await realPath(folder), await realPath(path));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return join(await realPath(dirname(path)), basename(path));
  }
}
