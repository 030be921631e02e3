import { chmod, mkdir, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const NAME = /^corridor-tests-(\d+)-/;
/** A guess on the safe side: clusters that tests make have logs of more than a hundred megabytes each. */
const FREE_MIN_BYTES = 4 * 1024 ** 3;

/**
 * The folder of one run: its PostgreSQL, and whatever its processes leave behind. It is in memory if there is enough:
 * copying the thousand files of a test's database takes half a second of processor time on a disk, and a fiftieth in
 * memory.
 */
export async function makeRunFolder(): Promise<string> {
  const parent = (await isUsable(MEMORY)) ? MEMORY : tmpdir();
  await removeLeftovers(parent);
  const folder = await mkdtemp(join(parent, `corridor-tests-${process.pid}-`));
  // PostgreSQL does not run as root: its user has to pass through to the clusters that tests make.
  await chmod(folder, 0o711);
  return folder;
}

/** The path of a socket may have about a hundred bytes, and PostgreSQL adds a name of fifteen. */
const SOCKET_FOLDER_MAX_BYTES = 85;

/** The folder for the sockets of the run's PostgreSQL, which may run as another user; none if its path would be too long. */
export async function makeSocketFolder(runFolder: string): Promise<string | undefined> {
  const folder = join(runFolder, 'sockets');
  if (Buffer.byteLength(folder) > SOCKET_FOLDER_MAX_BYTES) return undefined;
  await mkdir(folder);
  await chmod(folder, 0o777);
  return folder;
}

async function isUsable(folder: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(folder);
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '));
    const options = mounts.findLast(([, at]) => at === folder)?.[3] ?? 'noexec';
    // Tests run scripts and programs out of their folders.
    return bavail * bsize >= FREE_MIN_BYTES && !options.split(',').includes('noexec');
  } catch {
    return false;
  }
}

/** Removes the folders of runs that were killed, which would fill the memory. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (pid > 0 && !isAlive(pid)) await rm(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
