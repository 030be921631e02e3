import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#app/config.ts';
import { OperatorError } from '#cli/failure.ts';
import { isWithin } from '#foundation/database/embedded/embedded.ts';

/** The description that a backup carries, in a file of its own. */
export interface Manifest {
  readonly version: string;
  readonly madeAt: string;
  /**
   * The fingerprint of the key that opens it; the key is kept elsewhere. Older backups may name two, one of which
   * opens it.
   */
  readonly keys: readonly string[];
  readonly hasDocuments: boolean;
  /** Whether values in it need the keys of people, which are kept elsewhere. Older backups have no such values. */
  readonly needsPersonKeys: boolean;
}

export function requireEmbedded({ databaseUrl }: Config): void {
  if (databaseUrl === undefined) return;
  throw new OperatorError(
    'This command is for the embedded database. Back up the database of DATABASE_URL with PostgreSQL’s own tools (docs/operating.md).',
  );
}

/** Copying a folder into itself would never end. */
export async function requireOutside(target: string, sources: readonly string[]): Promise<void> {
  for (const source of sources) {
    if (!(await isWithin(source, target))) continue;
    throw new OperatorError(
      `${target} is inside ${source}, which is to be copied; name a folder outside it.`,
    );
  }
}

export async function readManifest(folder: string): Promise<Manifest> {
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
    const { version, madeAt, keys, hasDocuments, needsPersonKeys = false } = JSON.parse(text);
    const areTexts = [version, madeAt, ...keys].every((value) => typeof value === 'string');
    const isWhole = areTexts && Array.isArray(keys) && typeof hasDocuments === 'boolean';
    return isWhole ? { version, madeAt, keys, hasDocuments, needsPersonKeys } : undefined;
  } catch {
    return undefined;
  }
}

/** A fingerprint that tells keys apart and reveals nothing: a key is 32 random bytes. */
export function fingerprintKey(key: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from('corridor backup '), key])).slice(0, 32);
}

export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
