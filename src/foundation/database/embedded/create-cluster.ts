import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from '#foundation/database/embedded/binaries.ts';
import { EmbeddedError, messageOf } from '#foundation/database/embedded/embedded-error.ts';
import {
  draftPath,
  type EmbeddedFolder,
  replaceFile,
  superuser,
  syncFolder,
} from '#foundation/database/embedded/embedded-folder.ts';
import { bareEnvironment, type RunAs, workingFolder } from '#foundation/database/embedded/run-as.ts';

export interface ClusterOptions {
  readonly binaries: Binaries;
  readonly as: RunAs;
  readonly durable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Creates the cluster in a draft folder and moves it into place when it is complete and its password is stored. */
export async function createCluster(folder: EmbeddedFolder, options: ClusterOptions): Promise<void> {
  const { as } = options;
  const draft = draftPath(folder.root);
  const cluster = join(draft, 'cluster');
  const passwordFile = join(draft, 'password');
  const password = randomBytes(24).toString('hex');
  try {
    await mkdir(cluster, { recursive: true, mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    for (const path of [draft, cluster, passwordFile]) await giveTo(as, path);
    await runInitdb(cluster, options);
    await replaceFile(folder.password, password);
    await rename(cluster, folder.cluster);
    await syncFolder(folder.root);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function giveTo(as: RunAs, path: string): Promise<void> {
  if (as.uid !== undefined && as.gid !== undefined) await chown(path, as.uid, as.gid);
}

async function runInitdb(cluster: string, { binaries, as, durable, signal }: ClusterOptions): Promise<void> {
  const dataPath = workingFolder ?? cluster;
  const options = [
    '-D',
    dataPath,
    `--pwfile=${dataPath}/../password`,
    `--username=${superuser}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Text is ordered by its bytes: the same on every machine and after every upgrade of its libraries.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--data-checksums',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    await promisify(execFile)(binaries.initdb, options, {
      ...as,
      cwd: cluster,
      env: bareEnvironment(),
      signal,
    });
  } catch (error) {
    throw new EmbeddedError(`The database cluster cannot be created.\n${messageOf(error).trimEnd()}`, {
      cause: error,
    });
  }
}
