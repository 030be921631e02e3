import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { promisify } from 'node:util';
import { makeOwnFolder, postgresUser } from '#tests/drills/postgres/installed-postgres.ts';

const ROOM = '8g';
const TRIES = 100;

/** A disk in memory that the drill can fill. If the user may not mount one, it is a folder, which is never full. */
export class Disk {
  readonly folder: string;
  readonly #isMounted: boolean;

  private constructor(folder: string, isMounted: boolean) {
    this.folder = folder;
    this.#isMounted = isMounted;
  }

  static async make(folder: string): Promise<Disk> {
    await makeOwnFolder(folder);
    const { uid = 0, gid = 0 } = await postgresUser();
    const options = `size=${ROOM},mode=0700,uid=${uid},gid=${gid}`;
    const isMounted = await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).then(
      () => true,
      () => false,
    );
    return new Disk(folder, isMounted);
  }

  get canFill(): boolean {
    return this.#isMounted;
  }

  /** Shrinks the disk to the bytes in use, so that it has no room for another byte. */
  async fill(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const { blocks, bfree, bsize } = await statfs(this.folder);
      const isDone = await this.#resize(String((blocks - bfree) * bsize)).then(
        () => true,
        // Processes wrote more bytes meanwhile.
        (error) => (tries < TRIES ? false : Promise.reject(error)),
      );
      if (isDone) return;
    }
  }

  async makeRoom(): Promise<void> {
    await this.#resize(ROOM);
  }

  /** Unmounts the disk, once the processes that use it have ended. */
  async close(): Promise<void> {
    if (this.#isMounted) await run('umount', ['--lazy', this.folder]);
  }

  async #resize(size: string): Promise<void> {
    await run('mount', ['-o', `remount,size=${size}`, this.folder]);
  }
}

const run = promisify(execFile);
