import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { type Binaries, findBinaries } from '#foundation/database/embedded/binaries.ts';
import {
  clusterName,
  findProcesses,
  stopLeftovers,
} from '#foundation/database/embedded/cluster-processes.ts';
import { createCluster } from '#foundation/database/embedded/create-cluster.ts';
import {
  codeOf,
  EmbeddedError,
  messageOf,
  undefinedIfMissing,
} from '#foundation/database/embedded/embedded-error.ts';
import {
  databaseName,
  databaseUrl,
  type EmbeddedFolder,
  embeddedFolder,
  removeDrafts,
} from '#foundation/database/embedded/embedded-folder.ts';
import {
  isOwned,
  type OwnerLock,
  readOwner,
  takeOwnerLock,
} from '#foundation/database/embedded/owner-lock.ts';
import { boundLog, launchPostmaster, type Postmaster } from '#foundation/database/embedded/postmaster.ts';
import { changeOwner, chooseRunAs, type RunAs, workingFolder } from '#foundation/database/embedded/run-as.ts';
import type { Settings } from '#foundation/database/embedded/settings.ts';
import { makeFolder } from '#foundation/lib/make-folder.ts';

export { backUpEmbedded, copyTree, restoreEmbedded } from '#foundation/database/embedded/backup.ts';
export { isFileFailure } from '#foundation/database/embedded/embedded-error.ts';
export {
  isWithin,
  makeWholeFolder,
  removeAbandonedDrafts,
} from '#foundation/database/embedded/whole-folder.ts';
/** The entry point of this folder: no other file in it is imported from outside (tests/checks/tidy.test.ts). */
export { EmbeddedError };

export interface EmbeddedDatabase {
  /** For `pg`; it names the database `corridor`. */
  readonly url: string;
  readonly pid: number;
  /** Resolves when PostgreSQL ends for any reason, with its exit code, or null after a signal. */
  readonly exited: Promise<number | null>;
  /** Ends PostgreSQL and releases the folder; may be called again, and after PostgreSQL has ended. */
  stop(): Promise<void>;
}

export interface StartOptions {
  dataDir: string;
  report(line: string): void;
  /** Overrides PostgreSQL settings, for throw-away databases that trade durability for speed. */
  settings?: Settings;
  /** Aborts the start, and undoes unfinished steps. */
  signal?: AbortSignal | undefined;
}

/** Runs PostgreSQL on a data folder that no other process uses, and cleans up after an earlier run. */
export async function startEmbedded({
  dataDir,
  report,
  settings = {},
  signal,
}: StartOptions): Promise<EmbeddedDatabase> {
  const folder = embeddedFolder(dataDir);
  await openFolder(folder);
  const lock = await takeOwnerLock(folder);
  let postmaster: Postmaster | undefined;
  try {
    await removeDrafts(folder.root);
    const as = await chooseRunAs(folder);
    const binaries = await findBinaries(as);
    await prepareCluster(folder, { binaries, as, settings, report, signal });
    signal?.throwIfAborted();
    report(`Starting PostgreSQL ${binaries.version} …`);
    const password = await readPassword(folder);
    postmaster = await launchPostmaster(folder, { binaries, as, settings, report, signal });
    await ensureDatabase(folder, password, postmaster.port);
    await lock.announce(postmaster.port);
    return keep(folder, { postmaster, lock, url: databaseUrl(password, postmaster.port) });
  } catch (error) {
    await postmaster?.stop();
    await lock.release();
    throw error;
  }
}

/** Without a link to the working directory, PostgreSQL's user must be able to pass through our folders. */
async function openFolder(folder: EmbeddedFolder): Promise<void> {
  const mode = process.getuid?.() === 0 && workingFolder === undefined ? 0o711 : 0o700;
  try {
    await makeFolder(resolve(folder.dataDir), mode);
    await makeFolder(folder.root, mode);
  } catch (error) {
    throw new EmbeddedError(`The data folder ${folder.dataDir} cannot be used: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

async function prepareCluster(
  folder: EmbeddedFolder,
  {
    binaries,
    as,
    settings,
    report,
    signal,
  }: Pick<StartOptions, 'report' | 'signal'> & { binaries: Binaries; as: RunAs; settings: Settings },
): Promise<void> {
  if (!(await undefinedIfMissing(stat(folder.cluster)))) {
    report(`Creating the database cluster in ${folder.dataDir} …`);
    await createCluster(folder, { binaries, as, durable: settings.fsync !== 'off', signal });
    return;
  }
  if (!(await undefinedIfMissing(stat(join(folder.cluster, 'PG_VERSION'))))) {
    throw new EmbeddedError(
      `${folder.cluster} is not a database cluster; move it away, or restore it from a backup.`,
    );
  }
  await stopLeftovers(folder, report);
  await changeOwner(folder.cluster, as);
}

async function readPassword(folder: EmbeddedFolder): Promise<string> {
  const password = await undefinedIfMissing(readFile(folder.password, 'utf8'));
  if (password) return password;
  throw new EmbeddedError(`The database's password is missing; restore ${folder.password} from a backup.`);
}

const noSuchDatabase = '3D000';
const wrongPassword = '28P01';

async function ensureDatabase(folder: EmbeddedFolder, password: string, port: number): Promise<void> {
  try {
    await runOn(databaseUrl(password, port), 'select 1');
  } catch (error) {
    if (codeOf(error) === noSuchDatabase) {
      await runOn(databaseUrl(password, port, 'postgres'), `create database ${databaseName}`);
      return;
    }
    if (codeOf(error) !== wrongPassword) throw error;
    throw new EmbeddedError(
      `The password in ${folder.password} is not the database's; restore it from a backup.`,
    );
  }
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  // A lost connection fails the statement; the event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function keep(
  folder: EmbeddedFolder,
  { postmaster, lock, url }: { postmaster: Postmaster; lock: OwnerLock; url: string },
): EmbeddedDatabase {
  // The timer also keeps the lock reachable: SQLite would release it when garbage-collected.
  const housekeeping = setInterval(() => {
    // The log is a convenience; a full disk is noticed by the database itself.
    boundLog(folder.log).catch(() => {});
  }, housekeepingMs);
  housekeeping.unref();
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    clearInterval(housekeeping);
    try {
      await lock.withdraw();
    } finally {
      await postmaster.stop();
      await lock.release();
    }
  };
  return {
    url,
    pid: postmaster.pid,
    exited: postmaster.exited,
    stop: () => (stopping ??= stop()),
  };
}

const housekeepingMs = 60_000;

/** Whether there is a database in this data folder, running or not. */
export async function hasEmbedded(dataDir: string): Promise<boolean> {
  return (await undefinedIfMissing(stat(embeddedFolder(dataDir).cluster))) !== undefined;
}

/** The ids of all PostgreSQL processes that run on this data folder. */
export async function embeddedProcesses(dataDir: string): Promise<number[]> {
  const processes = await findProcesses(await clusterName(embeddedFolder(dataDir)));
  return processes.map(({ pid }) => pid);
}

/** Finds the database that a running server has opened in this folder; undefined if no server runs there. */
export async function attachEmbedded(dataDir: string): Promise<{ url: string } | undefined> {
  const folder = embeddedFolder(dataDir);
  try {
    return await findRunning(folder);
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error;
    throw new EmbeddedError(
      `The database in ${dataDir} belongs to another user; run this command as the user who runs the server.`,
      { cause: error },
    );
  }
}

/** A server that is starting will announce its port soon; one that is stopping will release the lock. */
async function findRunning(folder: EmbeddedFolder): Promise<{ url: string } | undefined> {
  const deadline = performance.now() + waitMs;
  while (await isOwned(folder)) {
    const owner = await readOwner(folder);
    if (owner?.port !== undefined) {
      return { url: databaseUrl(await readFile(folder.password, 'utf8'), owner.port) };
    }
    if (performance.now() > deadline) {
      throw new EmbeddedError(
        `The server on ${folder.dataDir} has not opened its database; see ${folder.log}.`,
      );
    }
    await delay(pollMs);
  }
  return undefined;
}

const waitMs = 60_000;
const pollMs = 50;
