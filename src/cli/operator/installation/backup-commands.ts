import { hash } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { type Config, readConfig } from '#app/config.ts';
import { timeArgument } from '#cli/arguments.ts';
import { OperatorError, UsageError } from '#cli/failure.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { printObject, reportProgress } from '#cli/print.ts';
import { recordRun } from '#foundation/audit/run-store.ts';
import { findMaster } from '#foundation/crypto/keyring.ts';
import { masterKeyFile, parseMasterKey } from '#foundation/crypto/master-key.ts';
import {
  backUpEmbedded,
  copyTree,
  isWithin,
  makeWholeFolder,
  removeAbandonedDrafts,
  restoreEmbedded,
} from '#foundation/database/embedded/embedded.ts';
import type { OpenedKeyring } from '#foundation/database/open-keyring.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { VERSION } from '#foundation/lib/version.ts';

/** The description that a backup carries, in a file of its own. */
interface Manifest {
  readonly version: string;
  readonly madeAt: string;
  /** The fingerprint of the key that opens it; the key is kept elsewhere. Older backups may name two, one of which opens it. */
  readonly keys: readonly string[];
  readonly hasDocuments: boolean;
}

export function backupCommand(): Command {
  return new Command('backup')
    .argument('[folder]', 'the folder to create; it must not exist yet')
    .option('--key-to <file>', 'copy the encryption key too, into a file to be kept elsewhere')
    .option(
      '--made-elsewhere [time]',
      'copy nothing; record that PostgreSQL’s own tools made a backup, now or at this time',
      timeArgument,
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\n"corridor attention" warns when the last backup is more than a day old.\n\n' +
        'Examples:\n  $ corridor backup /mnt/backups/2026-03-02 --key-to /mnt/safe/corridor.key\n' +
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

export function restoreCommand(): Command {
  return new Command('restore')
    .argument('<folder>', 'a folder that "corridor backup" made')
    .option('--key <file>', 'the file with its encryption key; default: ENCRYPTION_KEY')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ DATA_DIR=./restored corridor restore /mnt/backups/2026-03-02 --key /mnt/safe/corridor.key',
    )
    .action((folder: string, options: { key?: string; json?: boolean }) => restore(resolve(folder), options));
}

interface BackupOptions {
  keyTo?: string;
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
  { config, database, url, keys, audit }: Operator,
  folder: string,
  { keyTo, json = false }: BackupOptions,
): Promise<void> {
  requireEmbedded(config);
  const opened = await keys();
  const key = await requireMaster(opened);
  const documents = join(config.dataDir, 'documents');
  const hasDocuments = config.documentStore === undefined && (await isFolder(documents));
  await requireOutside(folder, [config.dataDir, documents]);
  if (keyTo !== undefined && (await isWithin(folder, keyTo))) {
    throw new OperatorError(`${keyTo} is inside the backup: the key must be kept apart from it.`);
  }
  for (const draft of await removeAbandonedDrafts(folder)) {
    reportProgress(`Removed ${draft}, a leftover of an interrupted backup.`);
  }
  await audit({ action: 'backup', details: { folder } });
  const manifest: Manifest = {
    version: VERSION,
    madeAt: new Date(systemClock.now()).toISOString(),
    keys: [fingerprintKey(key)],
    hasDocuments,
  };
  await makeWholeFolder(folder, async (draft) => {
    const isNewFile = keyTo !== undefined && (await keepKey(keyTo, key));
    reportProgress('Copying the database …');
    await backUpEmbedded(config.dataDir, url, draft);
    if (!(await findMaster(opened.store, opened.masters))?.equals(key)) {
      if (isNewFile) await rm(keyTo);
      throw new OperatorError(KEY_CHANGED);
    }
    // After the database: every document that it names exists by now.
    if (hasDocuments) await copyTree(documents, join(draft, 'documents'), () => true);
    await writeFile(join(draft, 'backup.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  });
  await recordRun(database, 'backup', { at: new Date(manifest.madeAt) });
  const place = keyTo ?? (await locateKey(key, opened, config));
  reportProgress(
    `The key is not in the backup. Keep ${place} elsewhere: without it the backup cannot be read.`,
  );
  printObject(
    { backup: folder, key: place, documents: hasDocuments ? 'copied' : 'elsewhere or none' },
    { json },
  );
}

const KEY_CHANGED = 'The master key was changed meanwhile, so no backup was made. Run the command again.';

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

async function restore(
  folder: string,
  { key: keyPath, json = false }: { key?: string; json?: boolean },
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
  await requireOutside(config.dataDir, [folder]);
  await restoreEmbedded(folder, config.dataDir, async () => {
    if (manifest.hasDocuments) {
      await copyTree(join(folder, 'documents'), join(config.dataDir, 'documents'), () => true);
    }
    if (keyPath !== undefined && !present) await own.create(key);
  });
  reportProgress('Check it with "corridor ledger verify", then start it with "corridor serve".');
  printObject({ dataFolder: config.dataDir, madeAt: manifest.madeAt, madeBy: manifest.version }, { json });
}

function requireEmbedded({ databaseUrl }: Config): void {
  if (databaseUrl === undefined) return;
  throw new OperatorError(
    'This command is for the embedded database. Back up the database of DATABASE_URL with PostgreSQL’s own tools (docs/operating.md).',
  );
}

/** Copying a folder into itself would never end. */
async function requireOutside(target: string, sources: readonly string[]): Promise<void> {
  for (const source of sources) {
    if (!(await isWithin(source, target))) continue;
    throw new OperatorError(
      `${target} is inside ${source}, which is to be copied; name a folder outside it.`,
    );
  }
}

async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, 'backup.json');
  const text = await readFile(path, 'utf8').catch((error) => {
    throw new OperatorError(`There is no backup in ${folder}: ${error.message}.`, { cause: error });
  });
  const manifest = parseManifest(text);
  if (!manifest) throw new OperatorError(`${path} is damaged: it does not say what the backup holds.`);
  if (manifest.hasDocuments && !(await isFolder(join(folder, 'documents')))) {
    throw new OperatorError(`The backup in ${folder} is not whole: its documents are missing.`);
  }
  return manifest;
}

function parseManifest(text: string): Manifest | undefined {
  try {
    const { version, madeAt, keys, hasDocuments } = JSON.parse(text);
    const areTexts = [version, madeAt, ...keys].every((value) => typeof value === 'string');
    const isWhole = areTexts && Array.isArray(keys) && typeof hasDocuments === 'boolean';
    return isWhole ? { version, madeAt, keys, hasDocuments } : undefined;
  } catch {
    return undefined;
  }
}

async function readKey(path: string): Promise<Buffer> {
  const key = parseMasterKey(await readFile(path, 'utf8').catch(() => ''));
  if (!key) throw new OperatorError(`There is no encryption key in ${path}.`);
  return key;
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

/** A fingerprint that tells keys apart and reveals nothing: a key is 32 random bytes. */
function fingerprintKey(key: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from('corridor backup '), key])).slice(0, 32);
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
