import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The number of bytes that ENCRYPTION_KEY encodes. */
const MASTER_KEY_BYTES = 32;

/** The end of the error message for a key that cannot be parsed. */
export const MASTER_KEY_FORM =
  'must be 32 random bytes, in base64 or as 64 hexadecimal digits (make one with "openssl rand -base64 32")';

/** ENCRYPTION_KEY as bytes; undefined if it has neither of the two forms. */
export function parseMasterKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined;
  const bytes = Buffer.from(trimmed, 'base64');
  return bytes.length === MASTER_KEY_BYTES ? bytes : undefined;
}

/** The key file of an embedded database, beside it in the data folder, readable by its owner alone. */
export interface MasterKeyFile {
  readonly path: string;
  /** The key in use and, after an interrupted change, the one that may have replaced it. */
  read(): Promise<Buffer[]>;
  /** The file of a key that `read` returned: after an interrupted change it may be the one beside `path`. */
  pathOf(key: Buffer): Promise<string>;
  /** Stores the given key, or a new one, and returns it; if there is a key already, keeps and returns that. */
  create(key?: Buffer): Promise<Buffer>;
  /**
   * Writes a new key beside the current one, where `read` finds it. A key that is already there is kept: after an
   * interrupted change it may be the only key that works.
   */
  stage(): Promise<Buffer>;
  /** Replaces the current key with the staged one. */
  adopt(key: Buffer): Promise<void>;
}

export function masterKeyFile(dataDir: string): MasterKeyFile {
  const path = join(dataDir, 'encryption.key');
  const staged = `${path}.next`;
  return {
    path,
    async read() {
      const keys = await Promise.all([readKey(path), readKey(staged)]);
      return keys.filter((key) => key !== undefined);
    },
    async pathOf(key) {
      return (await readKey(staged))?.equals(key) ? staged : path;
    },
    create: (key) => provideKey(path, key),
    stage: () => provideKey(staged),
    async adopt(key) {
      // Absent or different: another process has completed this change already.
      if (!(await readKey(staged))?.equals(key)) return;
      await rename(staged, path);
      await syncFolder(dirname(path));
    },
  };
}

export class MasterKeyError extends Error {
  override name = 'MasterKeyError';
}

async function readKey(path: string): Promise<Buffer | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isFailure(error, 'ENOENT')) return undefined;
    throw new MasterKeyError(`The encryption key ${path} cannot be read: ${(error as Error).message}.`);
  }
  const key = parseMasterKey(text);
  if (!key) throw new MasterKeyError(`The encryption key ${path} is damaged; restore it from a backup.`);
  return key;
}

/** Stores the wanted key unless there is one. A crash leaves the whole file or none: half a key would be useless. */
async function provideKey(path: string, wanted: Buffer = randomBytes(MASTER_KEY_BYTES)): Promise<Buffer> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeSynced(draft, `${wanted.toString('base64')}\n`);
    await link(draft, path).catch((error: unknown) => {
      if (!isFailure(error, 'EEXIST')) throw error;
    });
    await syncFolder(dirname(path));
  } catch (error) {
    throw new MasterKeyError(`The encryption key ${path} cannot be created: ${(error as Error).message}.`);
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readKey(path);
  if (!key) throw new MasterKeyError(`The encryption key ${path} has vanished.`);
  return key;
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function isFailure(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
