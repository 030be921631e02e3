import { execFile } from 'node:child_process';
import { lchown, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedError, undefinedIfMissing } from '#foundation/database/embedded/embedded-error.ts';
import type { EmbeddedFolder } from '#foundation/database/embedded/embedded-folder.ts';

/** The user for PostgreSQL's processes; empty for our own. PostgreSQL refuses to run as root. */
export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

/** The owner of an existing cluster; for a new one that root creates, an unprivileged user. */
export async function chooseRunAs(folder: EmbeddedFolder): Promise<RunAs> {
  const self = process.getuid?.();
  const cluster = await undefinedIfMissing(stat(folder.cluster));
  if (self !== 0) {
    if (cluster && self !== undefined && cluster.uid !== self) throw foreignCluster(folder, cluster.uid);
    return {};
  }
  return cluster && cluster.uid !== 0 ? { uid: cluster.uid, gid: cluster.gid } : unprivilegedUser();
}

/** Gives a restored cluster to PostgreSQL's user: files that root restored belong to root, and PostgreSQL must own them. */
export async function changeOwner(path: string, as: RunAs): Promise<void> {
  if (as.uid === undefined || as.gid === undefined) return;
  const found = await stat(path);
  if (found.uid === as.uid) return;
  for (const entry of await readdir(path, { recursive: true })) {
    await lchown(join(path, entry), as.uid, as.gid);
  }
  // The folder itself comes last: if this is interrupted before, the next start repeats all of it.
  await lchown(path, as.uid, as.gid);
}

/** An environment without our variables, so that no secret in them reaches PostgreSQL. */
export function bareEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * The working directory is entered before the user changes, and this link leads to it without passing
 * through its parent folders. So the cluster may be below a folder that its user cannot enter.
 */
export const workingFolder = process.platform === 'linux' ? '/proc/self/cwd' : undefined;

const candidates = ['postgres', '_postgres', 'nobody'];

async function unprivilegedUser(): Promise<RunAs> {
  for (const name of candidates) {
    try {
      return { uid: await lookUp('-u', name), gid: await lookUp('-g', name) };
    } catch {
      // There is no such user: the next candidate is tried.
    }
  }
  throw new EmbeddedError(
    `PostgreSQL does not run as root, and none of the users ${candidates.join(', ')} exists; ` +
      'start Corridor as an ordinary user or set DATABASE_URL.',
  );
}

async function lookUp(flag: '-u' | '-g', name: string): Promise<number> {
  const { stdout } = await promisify(execFile)('id', [flag, name]);
  // System calls take signed numbers, and `nobody` is 4294967294 on some systems.
  return Number(stdout) | 0;
}

function foreignCluster(folder: EmbeddedFolder, uid: number): EmbeddedError {
  return new EmbeddedError(
    `The database in ${folder.dataDir} belongs to the user with id ${uid}; ` +
      'start Corridor as that user, or choose another DATA_DIR.',
  );
}
