import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '#cli/failure.ts';
import { reportProgress } from '#cli/print.ts';
import { personKeysCluster } from '#cli/reach-person-keys.ts';
import {
  backUpEmbedded,
  hasEmbedded,
  isWithin,
  makeWholeFolder,
  restoreEmbedded,
} from '#foundation/database/embedded/embedded.ts';
import { VERSION } from '#foundation/lib/version.ts';

/** The description that a backup of the keys of people carries, in a file of its own. */
interface Manifest {
  readonly version: string;
  readonly madeAt: string;
}

const MANIFEST = 'person-keys.json';

/** The folder of the backup of the keys, unless the operator names another one. */
export function besideBackup(folder: string): string {
  return `${folder}-person-keys`;
}

/** Refuses a folder for the keys that would keep them together with the database, or that is not empty. */
export async function requirePlaceOfKeys(keysFolder: string, folder: string): Promise<void> {
  if ((await isWithin(folder, keysFolder)) || (await isWithin(keysFolder, folder))) {
    throw new OperatorError(
      `${keysFolder} is inside the backup, or the backup is inside it: the keys of people must be kept apart from it.`,
    );
  }
  const present = await readdir(keysFolder).catch(() => []);
  if (present.length > 0) throw new OperatorError(`${keysFolder} is not empty.`);
}

/**
 * Copies the keys of people into a folder of their own. Then `rest` ends the backup of the database; if it fails, the
 * copy is removed.
 */
export async function backUpPersonKeys(
  { dataDir, url, madeAt }: { dataDir: string; url: string; madeAt: string },
  keysFolder: string,
  rest: () => Promise<void>,
): Promise<void> {
  reportProgress('Copying the keys of people …');
  await makeWholeFolder(keysFolder, async (draft) => {
    await backUpEmbedded(personKeysCluster(dataDir).dataDir, url, draft);
    const manifest: Manifest = { version: VERSION, madeAt };
    await writeFile(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  });
  try {
    await rest();
  } catch (error) {
    await rm(keysFolder, { recursive: true, force: true });
    throw error;
  }
}

/** How long backups of the keys should be kept. */
const KEPT_DAYS = 7;

export function reportKeysBackup(keysFolder: string): void {
  reportProgress(
    `The keys of people are in ${keysFolder}. Keep them apart from the backup, and delete them after ${KEPT_DAYS} days at the latest: a person who is erased can be read with older keys and an older backup. After "corridor keys rotate" make a new backup at once: an older backup of the database needs the keys from before.`,
  );
}

/** The keys that a restore uses. */
export type RestoredKeys =
  /** The keys in the data folder stay, because they know every erasure. */
  | { readonly from: 'data folder' }
  | { readonly from: 'backup'; readonly folder: string; readonly manifest: Manifest };

/** Decides which keys a restore uses, before anything is written. */
export async function chooseRestoredKeys(dataDir: string, keysFolder: string): Promise<RestoredKeys> {
  if (await hasEmbedded(personKeysCluster(dataDir).dataDir)) return { from: 'data folder' };
  return { from: 'backup', folder: keysFolder, manifest: await readKeysManifest(keysFolder) };
}

export async function requireNoKeys(dataDir: string): Promise<void> {
  const cluster = personKeysCluster(dataDir).dataDir;
  if (!(await hasEmbedded(cluster))) return;
  throw new OperatorError(
    `There are keys of people in ${cluster} already. They may be newer than the backup, so nothing was changed. If they are damaged, move that folder away first.`,
  );
}

export async function readKeysManifest(keysFolder: string): Promise<Manifest> {
  const text = await readFile(join(keysFolder, MANIFEST), 'utf8').catch((error) => {
    throw new OperatorError(
      `There are no keys of people in ${keysFolder}: ${error.message}. Without them nothing personal in the backup can be read. Name the newest backup of the keys with --person-keys, even if it is newer than this backup, but none from after a later "corridor keys rotate".`,
      { cause: error },
    );
  });
  const manifest = parseManifest(text);
  if (!manifest) {
    throw new OperatorError(`${join(keysFolder, MANIFEST)} is damaged: it does not say when it was made.`);
  }
  return manifest;
}

function parseManifest(text: string): Manifest | undefined {
  try {
    const { version, madeAt } = JSON.parse(text);
    return typeof version === 'string' && typeof madeAt === 'string' ? { version, madeAt } : undefined;
  } catch {
    return undefined;
  }
}

/** Puts the chosen keys into the data folder, and returns their description for the report. */
export async function restorePersonKeys(dataDir: string, keys: RestoredKeys): Promise<string> {
  const { dataDir: cluster } = personKeysCluster(dataDir);
  if (keys.from === 'data folder') {
    reportProgress(`The keys of people in ${cluster} stay: they know who was erased since the backup.`);
    return 'kept';
  }
  await restoreEmbedded(keys.folder, cluster, async () => undefined);
  reportProgress(
    `The keys of people are those of ${keys.manifest.madeAt}. If a newer backup of the keys exists, restore that one instead: people who were erased since can be read again otherwise.`,
  );
  return keys.manifest.madeAt;
}
