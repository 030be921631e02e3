import { copyFile, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { migrate } from '#foundation/database/migrate.ts';
import { fillOnce } from '#tests/harness/fill-once.ts';
import { RUN_FOLDER } from '#tests/harness/tested-binary.ts';

/**
 * Fills a data folder with a migrated, empty database cluster, so that the first start of a service on it takes a third of the
 * processor time. The cluster is made once in a run; outside a run, such as in a drill, the service makes its own. Tests of
 * a first start do not use this.
 */
export async function prepareDataFolder(dataDir: string): Promise<string> {
  const run = process.env[RUN_FOLDER];
  if (run === undefined) return dataDir;
  const template = join(run, 'data-folder');
  await fillOnce(template, () => makeCluster(template));
  const [from, to] = [join(template, 'postgres'), join(dataDir, 'postgres')];
  await mkdir(to, { recursive: true, mode: 0o700 });
  await cp(join(from, 'cluster'), join(to, 'cluster'), { recursive: true });
  await copyFile(join(from, 'password'), join(to, 'password'));
  return dataDir;
}

async function makeCluster(dataDir: string): Promise<void> {
  const database = await startEmbedded({ dataDir, report: () => undefined, settings: { fsync: 'off' } });
  try {
    await migrate(database.url);
  } finally {
    await database.stop();
  }
}
