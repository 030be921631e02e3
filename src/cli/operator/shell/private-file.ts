import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OperatorError } from '#cli/failure.ts';

const ONLY_ITS_OWNER = 0o600;
const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Makes a new file that only its owner reads, whole or not at all: it is filled under another name beside it, and takes
 * its place when it is done. What was written is gone after a failure or a signal that ends the command. The name is
 * taken before anything is written, so that nothing is opened that cannot be kept.
 */
export async function writePrivateFile<T>(
  path: string,
  fill: (file: FileHandle, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const part = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  await (await openNew(path, path)).close();
  const aborting = new AbortController();
  const discard = () => {
    for (const name of [part, path]) rmSync(name, { force: true });
  };
  // At once, since nobody knows how long the rest takes to end; a second signal ends the process as ever.
  const stop = () => {
    discard();
    aborting.abort();
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    const file = await openNew(part, path);
    const filled = await fill(file, aborting.signal).finally(() => file.close());
    aborting.signal.throwIfAborted();
    await rename(part, path);
    return filled;
  } catch (error) {
    discard();
    throw aborting.signal.aborted ? new OperatorError(`It was interrupted; ${path} was not written.`) : error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

function openNew(name: string, path: string): Promise<FileHandle> {
  return open(name, 'wx', ONLY_ITS_OWNER).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'is there already' : `cannot be written (${error.code})`;
    throw new OperatorError(`${path} ${why}; nothing was opened.`);
  });
}
