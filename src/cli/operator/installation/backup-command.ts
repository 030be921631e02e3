import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Command } from 'commander';
import type { Config } from '#app/config.ts';
import { timeArgument } from '#cli/arguments.ts';
import { OperatorError, UsageError } from '#cli/failure.ts';
import {
  fingerprintKey,
  isFolder,
  type Manifest,
  requireEmbedded,
  requireOutside,
} from '#cli/operator/installation/backup-folder.ts';
import {
  backUpPersonKeys,
  besideBackup,
  reportKeysBackup,
  requirePlaceOfKeys,
} from '#cli/operator/installation/person-keys-backup.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { printObject, reportProgress } from '#cli/print.ts';
import { recordRun } from '#foundation/audit/run-store.ts';
import { findMaster } from '#foundation/crypto/keyring.ts';
import { parseMasterKey } from '#foundation/crypto/master-key.ts';
import type { Database } from '#foundation/database/database.ts';
import {
  backUpEmbedded,
  copyTree,
  isWithin,
  makeWholeFolder,
  removeAbandonedDrafts,
} from '#foundation/database/embedded/embedded.ts';
import type { OpenedKeyring } from '#foundation/database/open-keyring.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { VERSION } from '#foundation/lib/version.ts';
import { findRotationState } from '#foundation/person-keys/rotation-store.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .argument('[folder]', 'the folder to create; it must not exist yet')
    .option('--key-to <file>', 'copy the encryption key too, into a file to be kept elsewhere')
    .option(
      '--person-keys-to <folder>',
      'the folder to create for the keys of people; default: <folder>-person-keys',
    )
    .option(
      '--made-elsewhere [time]',
      'copy nothing; record that PostgreSQL’s own tools made a backup, now or at this time',
      timeArgument,
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\n"corridor attention" warns when the last backup is more than a day old. Keep backups of the keys of people apart, and\n' +
        'for days only: a person who is erased can be read with older keys.\n\n' +
        'Examples:\n  $ corridor backup /mnt/backups/2026-03-02 --key-to /mnt/safe/corridor.key --person-keys-to /mnt/keys/2026-03-02\n' +
        '  $ pg_basebackup … && corridor backup --made-elsewhere',
    )
    .action((folder: string | undefined, options: BackupOptions) => {
      if ((folder === undefined) === (options.madeElsewhere === undefined)) {
        throw new UsageError('give either a folder or --made-elsewhere');
      }
      return asOperator((operator) =>
        folder === undefined
          ? recordElsewhere(operator, options)
          : backUp(operator, resolve(folder), options),
      );
    });
}

interface BackupOptions {
  keyTo?: string;
  personKeysTo?: string;
  json?: boolean;
  /** When; true: now. */
  madeElsewhere?: Date | true;
}

/** Records a backup by PostgreSQL's own tools, which the service cannot see. */
async function recordElsewhere(
  { database, audit }: Operator,
  { madeElsewhere, json = false }: BackupOptions,
): Promise<void> {
  const now = new Date(systemClock.now());
  const at = madeElsewhere instanceof Date ? madeElsewhere : now;
  if (at > now) throw new UsageError('the time of a backup must not be in the future');
  await recordRun(database, 'backup', { at });
  await audit({ action: 'backup made elsewhere', details: { at: at.toISOString() } });
  printObject({ backup: 'made elsewhere', at }, { json });
}

async function backUp(
  { config, database, url, keys, people, personKeysUrl, audit }: Operator,
  folder: string,
  { keyTo, personKeysTo, json = false }: BackupOptions,
): Promise<void> {
  requireEmbedded(config);
  const opened = await keys();
  const key = await requireMaster(opened);
  const documents = join(config.dataDir, 'documents');
  const hasDocuments = config.documentStore === undefined && (await isFolder(documents));
  const keysFolder = personKeysTo === undefined ? besideBackup(folder) : resolve(personKeysTo);
  await preparePlaces(config, { folder, keysFolder, keyTo });
  await audit({ action: 'backup', details: { folder } });
  const manifest: Manifest = {
    version: VERSION,
    madeAt: new Date(systemClock.now()).toISOString(),
    keys: [fingerprintKey(key)],
    hasDocuments,
    needsPersonKeys: true,
  };
  const { store } = await people();
  const keysBefore = await findKeyState(opened, store);
  const personKeys = { dataDir: config.dataDir, url: await personKeysUrl(), madeAt: manifest.madeAt };
  await makeWholeFolder(folder, async (draft) => {
    const isNewFile = keyTo !== undefined && (await keepKey(keyTo, key));
    reportProgress('Copying the database …');
    await backUpEmbedded(config.dataDir, url, draft);
    if (!(await findMaster(opened.store, opened.masters))?.equals(key)) {
      if (isNewFile) await rm(keyTo);
      throw new OperatorError(KEY_CHANGED);
    }
    // Copied after the database, so that every key and document that the copy needs exists.
    await backUpPersonKeys(personKeys, keysFolder, async () => {
      if (!isDeepStrictEqual(await findKeyState(opened, store), keysBefore)) {
        if (isNewFile) await rm(keyTo);
        throw new OperatorError(KEYS_ROTATED);
      }
      if (hasDocuments) await copyTree(documents, join(draft, 'documents'), () => true);
      await writeFile(join(draft, 'backup.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    });
  });
  await recordRun(database, 'backup', { at: new Date(manifest.madeAt) });
  const place = keyTo ?? (await locateKey(key, opened, config));
  reportBackup({ backup: folder, key: place, personKeys: keysFolder, hasDocuments }, json);
}

interface MadeBackup {
  readonly backup: string;
  /** The place of the key. */
  readonly key: string;
  readonly personKeys: string;
  readonly hasDocuments: boolean;
}

function reportBackup({ hasDocuments, ...made }: MadeBackup, json: boolean): void {
  reportProgress(
    `The key is not in the backup. Keep ${made.key} elsewhere: without it the backup cannot be read.`,
  );
  reportKeysBackup(made.personKeys);
  printObject({ ...made, documents: hasDocuments ? 'copied' : 'elsewhere or none' }, { json });
}

interface Places {
  readonly folder: string;
  readonly keysFolder: string;
  readonly keyTo: string | undefined;
}

/** Refuses unusable places before anything is copied, and removes leftovers of interrupted backups. */
async function preparePlaces({ dataDir }: Config, { folder, keysFolder, keyTo }: Places): Promise<void> {
  await requireOutside(folder, [dataDir, join(dataDir, 'documents')]);
  await requireOutside(keysFolder, [dataDir]);
  await requirePlaceOfKeys(keysFolder, folder);
  if (keyTo !== undefined && (await isWithin(folder, keyTo))) {
    throw new OperatorError(`${keyTo} is inside the backup: the key must be kept apart from it.`);
  }
  for (const draft of [
    ...(await removeAbandonedDrafts(folder)),
    ...(await removeAbandonedDrafts(keysFolder)),
  ]) {
    reportProgress(`Removed ${draft}, a leftover of an interrupted backup.`);
  }
}

const KEY_CHANGED = 'The master key was changed meanwhile, so no backup was made. Run the command again.';

const KEYS_ROTATED =
  '"corridor keys rotate" changed the keys meanwhile, so no backup was made. Run the command again.';

/** Returns what a rotation changes: if it is the same after the copies, the copied keys open the copied database. */
async function findKeyState({ store }: OpenedKeyring, personKeys: Database): Promise<object> {
  const dataKeys = (await store.load()).map(({ id }) => id);
  return { dataKeys, rotation: await findRotationState(personKeys) };
}

/** Finds the one key that opens the copy, even if a change of keys was interrupted and there are two. */
async function requireMaster({ store, masters }: OpenedKeyring): Promise<Buffer> {
  const key = await findMaster(store, masters);
  if (!key) throw new OperatorError(KEY_CHANGED);
  return key;
}

async function locateKey(
  key: Buffer,
  { file }: OpenedKeyring,
  { encryptionKeyNext }: Config,
): Promise<string> {
  if (file) return file.pathOf(key);
  return encryptionKeyNext?.equals(key) ? 'ENCRYPTION_KEY_NEXT' : 'ENCRYPTION_KEY';
}

/**
 * Returns whether it created the file. The file may hold the same key since an earlier backup. A different key is not
 * overwritten, because it may be the only copy that opens an older backup.
 */
async function keepKey(path: string, key: Buffer): Promise<boolean> {
  try {
    await writeFile(path, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') {
      throw new OperatorError(`The key cannot be written to ${path}: ${message}.`, { cause: error });
    }
    const present = parseMasterKey(await readFile(path, 'utf8').catch(() => ''));
    if (present?.equals(key)) return false;
    throw new OperatorError(`${path} exists already and holds another key; nothing was copied.`);
  }
}
