import { lstat, readdir, readlink, realpath, rmdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '#cli/failure.ts';
import { AREAS } from '#edge/providers/bank-files/file-place.ts';

/** Protects folders from which a transport sends files to a bank against `corridor connector check` (bank-files.md §9.1). */

/**
 * Refuses a folder for samples that is, or is going to be, below `BANK_FILES`: a transport would send the samples to the bank.
 * Also refuses a folder outside if a link below `BANK_FILES` leads to it.
 */
export async function refuseLiveFolder(samples: string, bankFiles: string): Promise<void> {
  const live = await listLiveFolders(bankFiles);
  const paths = new Set(await Promise.all(live.map(whereItLeads)));
  const folders = new Set((await Promise.all(live.map(identityOf))).filter((each) => each !== undefined));
  for (let path = await whereItLeads(samples); ; path = dirname(path)) {
    const identity = await identityOf(path);
    if (paths.has(path) || (identity !== undefined && folders.has(identity)))
      throw new UsageError(
        `--samples ${samples} is below BANK_FILES (${bankFiles}). A transport sends what it finds there to the bank. ` +
          'Choose a folder elsewhere.',
      );
    if (path === dirname(path)) return;
  }
}

/** Lists `BANK_FILES` itself, and the folders below it, which may be links. */
async function listLiveFolders(bankFiles: string): Promise<string[]> {
  const connectors = await readdir(bankFiles).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new UsageError(`BANK_FILES cannot be read: ${error.message}`);
  });
  const areas = connectors.flatMap((name) => ['', ...AREAS].map((area) => join(bankFiles, name, area)));
  return [resolve(bankFiles), ...areas];
}

const LINKS_MAX = 40;

/** Returns the path behind all links, also for a folder that does not exist yet. */
async function whereItLeads(path: string, links = 0): Promise<string> {
  const whole = resolve(path);
  try {
    return await realpath(whole);
  } catch (error) {
    const isAbsent = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (!isAbsent || links === LINKS_MAX) throw new UsageError(`${path}: ${(error as Error).message}`);
  }
  const parent = dirname(whole);
  const isLink = await lstat(whole).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
  if (isLink) return whereItLeads(resolve(await realpath(parent), await readlink(whole)), links + 1);
  return parent === whole ? whole : join(await whereItLeads(parent, links), whole.slice(parent.length));
}

/** Returns what two paths of one folder have in common, such as those of a mount. Undefined: there is no folder. */
async function identityOf(path: string): Promise<string | undefined> {
  return stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  );
}

/**
 * Refuses to run as another user than the worker: folders that the check makes would be closed to the worker. The worker
 * owns the connector's folder; until there is one, it owns `BANK_FILES`. A folder of the superuser does not show who the
 * worker is, because the worker may write there as a member of its group.
 */
export async function refuseOtherUser(
  { bankFiles, folder }: { readonly bankFiles: string; readonly folder: string },
  uid: number | undefined = process.geteuid?.(),
): Promise<void> {
  const owners = await Promise.all([folder, bankFiles].map(ownerOf));
  const owner = owners.find((each) => each !== undefined && each !== 0);
  if (uid === undefined || owner === undefined || owner === uid) return;
  throw new UsageError(
    `The folders in ${bankFiles} belong to the user with the uid ${owner}, and you are ${nameOf(uid)}. ` +
      `The worker could not enter folders that you make. Run the check as the user of the worker: sudo -u '#${owner}' …`,
  );
}

function nameOf(uid: number): string {
  return uid === userInfo().uid ? `${userInfo().username} (uid ${uid})` : `the user with the uid ${uid}`;
}

async function ownerOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ uid }) => uid,
    () => undefined,
  );
}

/** Lists the folders of a connector that do not exist, and missing folders above them, the deepest first. */
export async function listMissing(folder: string): Promise<string[]> {
  const missing = new Set<string>();
  for (const area of AREAS) {
    let path = resolve(folder, area);
    while (await isMissing(path)) {
      missing.add(path);
      path = dirname(path);
    }
  }
  return [...missing].toSorted((a, b) => b.length - a.length);
}

async function isMissing(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
  );
}

/** Removes those of these folders that are empty. A folder stays if somebody has put something into it. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const path of folders) await rmdir(path).catch(() => undefined);
}
