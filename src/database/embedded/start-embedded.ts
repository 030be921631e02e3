import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { type Binaries, findBinaries } from '#database/embedded/binaries.ts';
import { stopLeftovers } from '#database/embedded/cluster-processes.ts';
import { createCluster } from '#database/embedded/create-cluster.ts';
import { codeOf, EmbeddedError, ifPresent, messageOf } from '#database/embedded/embedded-error.ts';
import {
  databaseName,
  databaseUrl,
  type EmbeddedFolder,
  embeddedFolder,
  removeDrafts,
} from '#database/embedded/embedded-folder.ts';
import { type OwnerLock, takeOwnerLock } from '#database/embedded/owner-lock.ts';
import { launchPostmaster, type Postmaster } from '#database/embedded/postmaster.ts';
import { chooseRunAs, handOver, type RunAs, workingFolder } from '#database/embedded/run-as.ts';
import { boundLog } from '#database/embedded/server-log.ts';
import type { Settings } from '#database/embedded/settings.ts';
import { makeFolder } from '#lib/make-folder.ts';

export interface EmbeddedDatabase {
  /** For `pg`; it names the database `corridor`. */
  readonly url: string;
  readonly pid: number;
  /** Resolves when PostgreSQL ends, asked or not, with its exit code, or null after a signal. */
  readonly exited: Promise<number | null>;
  /** Ends PostgreSQL and gives up the folder; may be called again, and after PostgreSQL has ended. */
  stop(): Promise<void>;
}

export interface StartOptions {
  dataDir: string;
  say(line: string): void;
  /** Overrides PostgreSQL settings, for throw-away databases that trade durability for speed. */
  settings?: Settings;
  /** Breaks the start off: what is half made is undone. */
  signal?: AbortSignal | undefined;
}

/** Runs PostgreSQL on a data folder that nobody else runs, repairing what an earlier run left there. */
export async function startEmbedded({
  dataDir,
  say,
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
    await prepareCluster(folder, { binaries, as, settings, say, signal });
    signal?.throwIfAborted();
    say(`Starting PostgreSQL ${binaries.version} …`);
    const password = await readPassword(folder);
    postmaster = await launchPostmaster(folder, { binaries, as, settings, say, signal });
    await ensureDatabase(folder, password, postmaster.port);
    await lock.announce(postmaster.port);
    return keep(folder, { postmaster, lock, url: databaseUrl(password, postmaster.port) });
  } catch (error) {
    await postmaster?.stop();
    await lock.release();
    throw error;
  }
}

/** Where no link leads to the working directory, PostgreSQL's user has to pass through our folders. */
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
    say,
    signal,
  }: Pick<StartOptions, 'say' | 'signal'> & { binaries: Binaries; as: RunAs; settings: Settings },
): Promise<void> {
  if (!(await ifPresent(stat(folder.cluster)))) {
    say(`Creating the database cluster in ${folder.dataDir} …`);
    await createCluster(folder, { binaries, as, durable: settings.fsync !== 'off', signal });
    return;
  }
  if (!(await ifPresent(stat(join(folder.cluster, 'PG_VERSION'))))) {
    throw new EmbeddedError(
      `${folder.cluster} is not a database cluster; move it away, or restore it from a backup.`,
    );
  }
  await stopLeftovers(folder, say);
  await handOver(folder.cluster, as);
}

async function readPassword(folder: EmbeddedFolder): Promise<string> {
  const password = await ifPresent(readFile(folder.password, 'utf8'));
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
  // The timer also keeps the lock reachable: SQLite would let go of it when collected.
  const housekeeping = setInterval(() => {
    // The log is a convenience: a full disk shows in the database itself.
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
