import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** The paths of the embedded database, all below one folder of the data folder. */
export interface EmbeddedFolder {
  /** The data folder as the operator wrote it, for messages. */
  readonly dataDir: string;
  readonly root: string;
  readonly cluster: string;
  readonly password: string;
  readonly log: string;
  readonly lock: string;
  readonly owner: string;
}

export function embeddedFolder(dataDir: string): EmbeddedFolder {
  const root = join(resolve(dataDir), 'postgres');
  return {
    dataDir,
    root,
    cluster: join(root, 'cluster'),
    password: join(root, 'password'),
    log: join(root, 'server.log'),
    lock: join(root, 'lock'),
    owner: join(root, 'owner.json'),
  };
}

export const databaseName = 'corridor';
export const superuser = 'corridor';

export function databaseUrl(password: string, port: number, database: string = databaseName): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
}

/** A name for a file or folder that is moved into place once it is complete. */
export function draftPath(folder: string): string {
  return join(folder, `${draftPrefix}${randomUUID()}`);
}

/** Only for the owner of the folder: removes the drafts that an interrupted run left. */
export async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(draftPrefix)) continue;
    // An orphaned initdb may still be writing; it fails once its folder is gone.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
  }
}

/** After a crash at any moment the file has the old content or the new, never a part. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const draft = draftPath(dirname(path));
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncFolder(dirname(path));
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const draftPrefix = 'new-';
