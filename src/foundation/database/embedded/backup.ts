import { copyFile, mkdir, open, readdir, readFile, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Client } from 'pg';
import { EmbeddedError, undefinedIfMissing } from '#foundation/database/embedded/embedded-error.ts';
import {
  draftPath,
  type EmbeddedFolder,
  embeddedFolder,
  removeDrafts,
  replaceFile,
  syncFolder,
} from '#foundation/database/embedded/embedded-folder.ts';
import { takeOwnerLock } from '#foundation/database/embedded/owner-lock.ts';
import { makeFolder } from '#foundation/lib/make-folder.ts';

/** Folders of a cluster whose files belong to the running server; the next server creates them again. */
const EMPTIED = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]);
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map|pg_internal\.init.*|pgsql_tmp.*)$/;
/** Copied last: it contains the position from which the log is replayed. */
const CONTROL = join('global', 'pg_control');

/**
 * Copies the cluster of a running server with PostgreSQL's low-level interface for base backups. The copied files are
 * inconsistent; the write-ahead log since the start of the copy goes with them and repairs them at the first start.
 */
export async function backUpEmbedded(dataDir: string, url: string, target: string): Promise<void> {
  const folder = embeddedFolder(dataDir);
  const copy = embeddedFolder(target);
  await mkdir(copy.root, { recursive: true, mode: 0o700 });
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // The slot keeps the log from being recycled until the session ends.
    await client.query(`select pg_create_physical_replication_slot('backup_${process.pid}', true, true)`);
    await client.query(`select pg_backup_start('corridor backup', fast => true)`);
    await copyTree(folder.cluster, copy.cluster, isCopied);
    await copySynced(join(folder.cluster, CONTROL), join(copy.cluster, CONTROL));
    const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)');
    await copyTree(join(folder.cluster, 'pg_wal'), join(copy.cluster, 'pg_wal'), () => true);
    await replaceFile(join(copy.cluster, 'backup_label'), rows[0].labelfile);
  } finally {
    await client.end();
  }
  await copySynced(folder.password, copy.password);
}

/**
 * Puts a copied cluster into a data folder that has none. The cluster is moved into place last, after `addRest` has added
 * everything else: if it is interrupted before, there is no database yet, and it can be repeated.
 */
export async function restoreEmbedded(
  source: string,
  dataDir: string,
  addRest: () => Promise<void>,
): Promise<void> {
  const copy = embeddedFolder(source);
  const folder = embeddedFolder(dataDir);
  await requireWhole(source);
  await requireNoCluster(folder);
  await makeFolder(folder.root, 0o700);
  const lock = await takeOwnerLock(folder);
  try {
    await requireNoCluster(folder);
    await removeDrafts(folder.root);
    const draft = draftPath(folder.root);
    await copyTree(copy.cluster, draft, () => true);
    await replaceFile(folder.password, await readFile(copy.password, 'utf8'));
    await addRest();
    await rename(draft, folder.cluster);
    await syncFolder(folder.root);
  } catch (error) {
    await removeDrafts(folder.root);
    throw error;
  } finally {
    await lock.release();
  }
}

/** Without its label a copied cluster would start without an error, but from the wrong position of its log. */
async function requireWhole(source: string): Promise<void> {
  const { cluster, password } = embeddedFolder(source);
  for (const path of [join(cluster, 'backup_label'), join(cluster, CONTROL), password]) {
    if (await undefinedIfMissing(stat(path))) continue;
    throw new EmbeddedError(`The backup in ${source} is incomplete: ${path} is missing.`);
  }
}

async function requireNoCluster({ cluster, dataDir }: EmbeddedFolder): Promise<void> {
  if (!(await undefinedIfMissing(stat(cluster)))) return;
  throw new EmbeddedError(`There is a database in ${dataDir} already; restore into another folder.`);
}

/** Copies a folder and its content; files that vanish meanwhile were not needed. */
export async function copyTree(
  from: string,
  to: string,
  isWanted: (path: string) => boolean,
  within = '',
): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of (await undefinedIfMissing(readdir(from, { withFileTypes: true }))) ?? []) {
    const path = join(within, entry.name);
    if (!isWanted(path)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target, isWanted, path);
    else if (entry.isFile()) await undefinedIfMissing(copySynced(source, target));
  }
  await syncFolder(to);
}

function isCopied(path: string): boolean {
  const [top = '', ...below] = path.split('/');
  if (path === CONTROL || LEFT_OUT.test(basename(path))) return false;
  return below.length === 0 || !EMPTIED.has(top);
}

async function copySynced(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const file = await open(to, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
