import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 100;
const DEADLINE_MS = 120_000;

/**
 * Fills a folder that all processes of a run share. Several may need it at the same time: the one that creates the folder
 * fills it, and the others wait.
 */
export async function fillOnce(folder: string, fill: () => Promise<void>): Promise<void> {
  // Written last: its presence says that everything is there.
  const filled = join(folder, 'filled');
  for (const deadline = performance.now() + DEADLINE_MS; performance.now() < deadline; ) {
    if (await isThere(filled)) return;
    if (await isCreated(folder)) {
      try {
        await fill();
        await writeFile(filled, '');
      } catch (error) {
        await rm(folder, { recursive: true, force: true });
        throw error;
      }
    } else await delay(LOOK_MS);
  }
  throw new Error(`another process of this run did not fill ${folder} in time`);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function isCreated(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
