import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, EmbeddedError } from '#database/embedded/embedded-error.ts';
import { databaseUrl, type EmbeddedFolder, embeddedFolder } from '#database/embedded/embedded-folder.ts';
import { isOwned, readOwner } from '#database/embedded/owner-lock.ts';

/** The database that a running server holds on this folder; undefined when none runs there. */
export async function attachEmbedded(dataDir: string): Promise<{ url: string } | undefined> {
  const folder = embeddedFolder(dataDir);
  try {
    return await findRunning(folder);
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error;
    throw new EmbeddedError(
      `The database in ${dataDir} belongs to another user; run this command as the user who runs the server.`,
      { cause: error },
    );
  }
}

/** A server that is starting announces its port in a moment; one that is stopping lets go of the lock. */
async function findRunning(folder: EmbeddedFolder): Promise<{ url: string } | undefined> {
  const deadline = performance.now() + waitMs;
  while (await isOwned(folder)) {
    const owner = await readOwner(folder);
    if (owner?.port !== undefined) {
      return { url: databaseUrl(await readFile(folder.password, 'utf8'), owner.port) };
    }
    if (performance.now() > deadline) {
      throw new EmbeddedError(
        `The server on ${folder.dataDir} has not opened its database; see ${folder.log}.`,
      );
    }
    await delay(pollMs);
  }
  return undefined;
}

const waitMs = 60_000;
const pollMs = 50;
