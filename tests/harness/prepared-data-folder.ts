import { copyFile, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { migrate } from '#foundation/database/migrate.ts';
import { fillOnce } from '#tests/harness/fill-once.ts';
import { RUN_FOLDER } from '#tests/harness/tested-binary.ts';

/**
 * Fills a data folder with a migrated, empty database cluster, and an empty one for the keys of people, so that the
 * first start of a service on it takes a third of the processor time. They are made once in a run; outside a run, such
 * as in a drill, the service makes its own. Tests of a first start do not use this.
 */
export async function prepareDataFolder(dataDir: string): Promise<string> {
  const run = process.env[RUN_FOLDER];
  if (run === undefined) return dataDir;
  const template = join(run, 'data-folder');
  await fillOnce(template, () => makeCluster(template));
  for (const folder of ['postgres', join(PERSON_KEYS, 'postgres')]) {
    const [from, to] = [join(template, folder), join(dataDir, folder)];
    await mkdir(to, { recursive: true, mode: 0o700 });
    await cp(join(from, 'cluster'), join(to, 'cluster'), { recursive: true });
    await copyFile(join(from, 'password'), join(to, 'password'));
  }
  return dataDir;
}

const PERSON_KEYS = 'person-keys';

async function makeCluster(dataDir: string): Promise<void> {
  const database = await startEmbedded({ dataDir, report: () => undefined, settings: { fsync: 'off' } });
  try {
    await migrate(database.url);
  } finally {
    await database.stop();
  }
  // Without its tables: each service makes its own, because a database of keys has an id.
  const cluster = { dataDir: join(dataDir, PERSON_KEYS), report: () => undefined };
  await (await startEmbedded({ ...cluster, settings: { fsync: 'off' } })).stop();
}
