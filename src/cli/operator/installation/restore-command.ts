import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { readConfig } from '#app/config.ts';
import { OperatorError, UsageError } from '#cli/failure.ts';
import {
  fingerprintKey,
  readManifest,
  requireEmbedded,
  requireOutside,
} from '#cli/operator/installation/backup-folder.ts';
import {
  besideBackup,
  chooseRestoredKeys,
  requireNoKeys,
  restorePersonKeys,
} from '#cli/operator/installation/person-keys-backup.ts';
import { printObject, reportProgress } from '#cli/print.ts';
import { masterKeyFile, parseMasterKey } from '#foundation/crypto/master-key.ts';
import { copyTree, restoreEmbedded } from '#foundation/database/embedded/embedded.ts';

export function restoreCommand(): Command {
  return new Command('restore')
    .argument(
      '[folder]',
      'a folder that "corridor backup" made; without it, only the keys of people are restored',
    )
    .option('--key <file>', 'the file with its encryption key; default: ENCRYPTION_KEY')
    .option(
      '--person-keys <folder>',
      'the newest backup of the keys of people; default: <folder>-person-keys. Keys in the data folder stay',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ DATA_DIR=./restored corridor restore /mnt/backups/2026-03-02 --key /mnt/safe/corridor.key --person-keys /mnt/keys/2026-03-04\n' +
        '  $ corridor restore --person-keys /mnt/keys/2026-03-04',
    )
    .action((folder: string | undefined, options: RestoreOptions) => {
      if (folder !== undefined) return restore(resolve(folder), options);
      if (options.personKeys === undefined) throw new UsageError('give a folder or --person-keys');
      return restoreKeysAlone(resolve(options.personKeys), options);
    });
}

interface RestoreOptions {
  key?: string;
  personKeys?: string;
  json?: boolean;
}

async function restore(
  folder: string,
  { key: keyPath, personKeys, json = false }: RestoreOptions,
): Promise<void> {
  const config = readConfig(process.env);
  requireEmbedded(config);
  const manifest = await readManifest(folder);
  const key = keyPath === undefined ? config.encryptionKey : await readKey(keyPath);
  if (!key)
    throw new OperatorError('A backup needs its encryption key: name it with --key, or set ENCRYPTION_KEY.');
  if (!manifest.keys.includes(fingerprintKey(key))) {
    throw new OperatorError(`The key is not the one that the backup in ${folder} was made with.`);
  }
  const own = masterKeyFile(config.dataDir);
  const [present] = await own.read();
  if (present && !present.equals(key))
    throw new OperatorError(`${own.path} holds another key; restore into another folder.`);
  const keysFolder = personKeys === undefined ? besideBackup(folder) : resolve(personKeys);
  await requireOutside(config.dataDir, [folder, keysFolder]);
  const chosen = manifest.needsPersonKeys ? await chooseRestoredKeys(config.dataDir, keysFolder) : undefined;
  let keysOf = 'none';
  await restoreEmbedded(folder, config.dataDir, async () => {
    if (chosen) keysOf = await restorePersonKeys(config.dataDir, chosen);
    if (manifest.hasDocuments) {
      await copyTree(join(folder, 'documents'), join(config.dataDir, 'documents'), () => true);
    }
    if (keyPath !== undefined && !present) await own.create(key);
  });
  reportProgress('Check it with "corridor ledger verify", then start it with "corridor serve".');
  const { madeAt, version: madeBy } = manifest;
  printObject({ dataFolder: config.dataDir, madeAt, madeBy, personKeys: keysOf }, { json });
}

/** Restores the keys of people alone, beside a database that was not lost. */
async function restoreKeysAlone(keysFolder: string, { json = false }: RestoreOptions): Promise<void> {
  const config = readConfig(process.env);
  requireEmbedded(config);
  await requireNoKeys(config.dataDir);
  await requireOutside(config.dataDir, [keysFolder]);
  const chosen = await chooseRestoredKeys(config.dataDir, keysFolder);
  const keysOf = await restorePersonKeys(config.dataDir, chosen);
  reportProgress('Start it with "corridor serve": it refuses keys that are older than the database.');
  printObject({ dataFolder: config.dataDir, personKeys: keysOf }, { json });
}

async function readKey(path: string): Promise<Buffer> {
  const key = parseMasterKey(await readFile(path, 'utf8').catch(() => ''));
  if (!key) throw new OperatorError(`There is no encryption key in ${path}.`);
  return key;
}
