import { chmod, copyFile, lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  codeOf,
  EmbeddedError,
  messageOf,
  undefinedIfMissing,
} from '#foundation/database/embedded/embedded-error.ts';
import { draftPath } from '#foundation/database/embedded/embedded-folder.ts';

/**
 * Copies a package's files to a place that every user can read, and returns the result of the first copy that works.
 * Needed if the checkout is read-only, or is below a folder that PostgreSQL's user cannot enter.
 */
export async function makePrivateCopy<Result>(
  packageFolder: string,
  accept: (copy: string) => Promise<Result>,
  places: string[] = defaultPlaces(),
): Promise<Result> {
  const obstacles: string[] = [];
  for (const place of places) {
    try {
      await openPlace(place);
      return await accept(await copyInto(place, packageFolder));
    } catch (error) {
      obstacles.push(`${place}: ${messageOf(error)}`);
    }
  }
  throw new EmbeddedError(`No copy of it can be used.\n${obstacles.join('\n')}`);
}

function defaultPlaces(): string[] {
  const uid = process.getuid?.() ?? 0;
  const cache = uid === 0 ? '/var/cache' : (process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'));
  return [join(cache, 'corridor'), join(tmpdir(), `corridor-${uid}`)];
}

/** Programs run from here, so no other user may have created the folder or be able to write to it. */
async function openPlace(place: string): Promise<void> {
  await mkdir(place, { recursive: true, mode: 0o755 });
  const found = await lstat(place);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new EmbeddedError('not a folder of ours alone');
  }
  await chmod(place, 0o755);
}

async function copyInto(place: string, packageFolder: string): Promise<string> {
  const { name, version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const copy = join(place, `${name.replace(/^.*\//, 'postgres-')}-${version}`);
  const files = await listFiles(packageFolder);
  if (await isWhole(copy, files)) return copy;

  await removeAbandonedDrafts(place);
  const draft = draftPath(place);
  try {
    await copyFiles(packageFolder, draft, files);
    await putInPlace(draft, copy, files);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  if (!(await isWhole(copy, files))) throw new EmbeddedError('the copy differs from the original');
  return copy;
}

interface PackagedFile {
  path: string;
  size: number;
  isProgram: boolean;
}

async function listFiles(packageFolder: string): Promise<PackagedFile[]> {
  const paths = (await readdir(join(packageFolder, 'native'), { recursive: true })).map((path) =>
    join('native', path),
  );
  const files = await Promise.all(
    [...paths, 'package.json'].map(async (path) => ({ path, found: await lstat(join(packageFolder, path)) })),
  );
  return files
    .filter(({ found }) => found.isFile())
    .map(({ path, found }) => ({
      path,
      size: found.size,
      isProgram: dirname(path) === join('native', 'bin'),
    }));
}

/** A copy that a crash of the machine cut short has other file sizes. */
async function isWhole(copy: string, files: PackagedFile[]): Promise<boolean> {
  const sizes = await Promise.all(files.map(({ path }) => undefinedIfMissing(lstat(join(copy, path)))));
  return files.every(({ size }, index) => sizes[index]?.isFile() && sizes[index].size === size);
}

/** Modes are set, not copied: a strict umask at install time would make the copy unreadable as well. */
async function copyFiles(from: string, to: string, files: PackagedFile[]): Promise<void> {
  const folders = new Set<string>();
  for (const { path, isProgram } of files) {
    await openFolders(to, dirname(path), folders);
    await copyFile(join(from, path), join(to, path));
    await chmod(join(to, path), isProgram ? 0o755 : 0o644);
  }
}

async function openFolders(to: string, folder: string, made: Set<string>): Promise<void> {
  if (made.has(folder)) return;
  if (folder !== '.') await openFolders(to, dirname(folder), made);
  await mkdir(join(to, folder), { recursive: true });
  await chmod(join(to, folder), 0o755);
  made.add(folder);
}

/** Other processes may do the same at the same time: the first one wins, and a complete copy is not replaced. */
async function putInPlace(draft: string, copy: string, files: PackagedFile[]): Promise<void> {
  while (!(await isWhole(copy, files))) {
    try {
      return await rename(draft, copy);
    } catch (error) {
      if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
    }
    if (!(await isWhole(copy, files))) await moveAside(copy);
  }
}

/** Moves a damaged copy out of the way. Programs that run from it keep their open files. */
async function moveAside(copy: string): Promise<void> {
  const old = draftPath(dirname(copy));
  try {
    await rename(copy, old);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  await rm(old, { recursive: true, force: true });
}

async function removeAbandonedDrafts(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const path = join(place, name);
    const found = name.startsWith('new-') ? await undefinedIfMissing(lstat(path)) : undefined;
    if (found && Date.now() - found.mtimeMs > abandonedMs) await rm(path, { recursive: true, force: true });
  }
}

const abandonedMs = 3_600_000;
