import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OperatorError } from '#cli/failure.ts';

const ONLY_ITS_OWNER = 0o600;
const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Creates a new file that only its owner can read, complete or not at all: the content is written under another name, and
 * renamed when complete. After a failure or a signal, both files are removed. The name is reserved first, so that no
 * document is opened that cannot be saved.
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
  // Removed at once, because the rest may take long to end. A second signal ends the process as usual.
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
    throw aborting.signal.aborted
      ? new OperatorError(`The command was interrupted; ${path} was not written.`)
      : error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

function openNew(name: string, path: string): Promise<FileHandle> {
  return open(name, 'wx', ONLY_ITS_OWNER).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'exists already' : `cannot be written (${error.code})`;
    throw new OperatorError(`${path} ${why}; nothing was opened.`);
  });
}
