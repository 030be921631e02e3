import { randomUUID } from 'node:crypto';
import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import {
  codeOf,
  EmbeddedError,
  isFileFailure,
  undefinedIfMissing,
} from '#foundation/database/embedded/embedded-error.ts';
import { draftPath, syncFolder } from '#foundation/database/embedded/embedded-folder.ts';
import { isLocked, tryLock } from '#foundation/database/embedded/owner-lock.ts';
import { makeFolder } from '#foundation/lib/make-folder.ts';

/** Creates a folder completely or not at all: `fill` writes a draft beside it, which is then renamed. */
export async function makeWholeFolder(path: string, fill: (draft: string) => Promise<void>): Promise<void> {
  try {
    if ((await undefinedIfMissing(readdir(path)))?.length) throw new EmbeddedError(`${path} is not empty.`);
    await makeFolder(dirname(path), 0o755);
    await using draft = await openDraft(dirname(path));
    await mkdir(draft.content, { mode: 0o700 });
    await fill(draft.content);
    await rm(path, { recursive: true, force: true });
    await rename(draft.content, path);
    await syncFolder(dirname(path));
  } catch (error) {
    // If the disk is full, an error from an open file names no path.
    if (!isFileFailure(error)) throw error;
    throw new EmbeddedError(`${path} cannot be created: ${error.message}.`, { cause: error });
  }
}

/**
 * Removes the drafts that interrupted runs left beside a folder, and returns their names. A draft that any process is
 * filling is locked and stays; so does a draft whose lock cannot be checked.
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
      // The draft belongs to another user, or the file system has no locks.
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
  // The draft is locked before it gets the name by which others would remove it; without a lock it never gets that name.
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

/** Undefined on a file system without locks, such as a network's: backups can still be made there. */
function lockIn(folder: string): ReturnType<typeof tryLock> {
  try {
    return tryLock(join(folder, LOCK));
  } catch {
    return undefined;
  }
}

/** Whether a path, which need not exist yet, is the folder or inside it, after links are resolved. */
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
