import { readFile, rm, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import {
  EmbeddedError,
  FolderInUseError,
  messageOf,
  undefinedIfMissing,
} from '#foundation/database/embedded/embedded-error.ts';
import { type EmbeddedFolder, replaceFile } from '#foundation/database/embedded/embedded-folder.ts';

/**
 * The right to run the database of a folder.
 *
 * It is a kernel lock (fcntl), which Node can use only through SQLite: an exclusive transaction held
 * open on an empty file. It ends with the process, however the process ends. So there is no stale lock to recognize by a
 * process id, which may have been reused, may belong to a zombie, or may be from another container that shares the
 * volume. Never open the lock file in another way in this process: closing any descriptor would release the lock.
 */
export interface OwnerLock {
  /** Tells commands where the database listens, once it does. */
  announce(port: number): Promise<void>;
  /** Stops commands from attaching; the folder stays locked. */
  withdraw(): Promise<void>;
  release(): Promise<void>;
}

export interface LockOwner {
  pid: number;
  port?: number;
}

/** Held until it is closed, or the process ends. */
type HeldLock = Pick<DatabaseSync, 'close'>;

export async function takeOwnerLock(folder: EmbeddedFolder): Promise<OwnerLock> {
  const held = await lockWithRetries(folder);
  if (!held) throw new FolderInUseError(folder.dataDir, (await readOwner(folder))?.pid);
  const write = (owner: LockOwner) => replaceFile(folder.owner, JSON.stringify(owner));
  let released = false;
  try {
    await write({ pid: process.pid });
  } catch (error) {
    held.close();
    throw error;
  }
  return {
    announce: (port) => write({ pid: process.pid, port }),
    withdraw: () => rm(folder.owner, { force: true }),
    async release() {
      if (released) return;
      released = true;
      try {
        await rm(folder.owner, { force: true });
      } finally {
        held.close();
      }
    },
  };
}

/** Whether a living process runs the database of this folder. */
export async function isOwned(folder: EmbeddedFolder): Promise<boolean> {
  try {
    return await isLocked(folder.lock);
  } catch (error) {
    throw cannotLock(folder, error);
  }
}

/** Whether a living process holds the lock of this file. */
export async function isLocked(path: string): Promise<boolean> {
  let probe: DatabaseSync | undefined;
  try {
    if (!(await undefinedIfMissing(stat(path)))) return false;
    probe = new DatabaseSync(path, { readOnly: true });
    probe.prepare('select count(*) from sqlite_schema').get();
    return false;
  } catch (error) {
    if (isSqlite(error, SQLITE_BUSY)) return true;
    throw error;
  } finally {
    probe?.close();
  }
}

/** Reads the owner's data about itself; it is valid only while the lock is held. */
export async function readOwner(folder: EmbeddedFolder): Promise<LockOwner | undefined> {
  const text = await undefinedIfMissing(readFile(folder.owner, 'utf8'));
  return text === undefined ? undefined : (JSON.parse(text) as LockOwner);
}

const SQLITE_BUSY = 5;
const lockWaitMs = 500;
const retryMs = 25;

/** A command that calls `isOwned` holds the lock for an instant; only an owner holds it for longer. */
async function lockWithRetries(folder: EmbeddedFolder): Promise<HeldLock | undefined> {
  for (let waitedMs = 0; ; waitedMs += retryMs) {
    const held = takeLock(folder);
    if (held || waitedMs >= lockWaitMs) return held;
    await delay(retryMs);
  }
}

function takeLock(folder: EmbeddedFolder): HeldLock | undefined {
  try {
    return tryLock(folder.lock);
  } catch (error) {
    throw cannotLock(folder, error);
  }
}

/** Takes the lock of this file until it is closed; undefined if another process holds it. */
export function tryLock(path: string): HeldLock | undefined {
  let attempt: DatabaseSync | undefined;
  try {
    attempt = new DatabaseSync(path);
    attempt.exec('begin exclusive');
    return attempt;
  } catch (error) {
    attempt?.close();
    if (isSqlite(error, SQLITE_BUSY)) return undefined;
    throw error;
  }
}

function isSqlite(error: unknown, code: number): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === code;
}

function cannotLock(folder: EmbeddedFolder, error: unknown): EmbeddedError {
  return new EmbeddedError(
    `Cannot lock the database folder ${folder.root} (${messageOf(error)}); check that it belongs to you and ` +
      'that its file system supports locks.',
    { cause: error },
  );
}
