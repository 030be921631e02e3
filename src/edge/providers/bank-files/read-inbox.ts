import { createHash } from 'node:crypto';
import { type FilesConnectorRow, findFileId } from '#capabilities/bank-files/file-store.ts';
import type { FilesParts } from '#capabilities/bank-files/row.ts';
import { type Taken, takeFile } from '#capabilities/bank-files/take-file.ts';
import type { FilePlace } from '#edge/providers/bank-files/file-place.ts';
import { FILE_MAX_BYTES } from '#foundation/bank-formats/bank-file.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';

/** Reads what the bank sent (bank-files.md §4.1). What a file changes is committed before the file is moved. */

export interface Reading {
  readonly parts: FilesParts;
  readonly connector: FilesConnectorRow;
  readonly place: FilePlace;
  onTaken(taken: Taken, name: string): void;
}

/** At most this many files at a time: a lease is renewed between two rounds. */
const FILES_MAX = 20;

/** A file that is still being written has such a name. */
const UNFINISHED = /^\.|\.(part|tmp)$/i;

export async function readInbox(reading: Reading): Promise<number> {
  const { place } = reading;
  const names = (await place.list('inbox')).filter((name) => !UNFINISHED.test(name)).slice(0, FILES_MAX);
  for (const name of names) await readOne(reading, name);
  return names.length;
}

async function readOne({ parts, connector, place, onTaken }: Reading, name: string): Promise<void> {
  const bytes = await place.read('inbox', name, FILE_MAX_BYTES);
  if (!bytes) return;
  const taken = await takeFile(parts, connector, { name, bytes });
  const isTaken = taken.outcome !== 'quarantined';
  const kept = keptName(name, bytes);
  const sealed = await sealCopy(parts, connector, kept, bytes);
  if (sealed) await place.put(isTaken ? 'archive/read' : 'quarantine', `${kept}.sealed`, sealed);
  await place.remove('inbox', name);
  onTaken(taken, name);
}

/** Sealed with the key of the file; undefined if that was destroyed, and the bank sends the same bytes again. */
async function sealCopy(
  { database, vault, personKeys }: FilesParts,
  { connector_id: connectorId }: FilesConnectorRow,
  kept: string,
  bytes: Buffer,
): Promise<Buffer | undefined> {
  const hash = createHash('sha256').update(bytes).digest();
  const id = await findFileId(database.query, connectorId, hash);
  if (id === undefined) throw new Error('a file was taken, and has no row');
  await personKeys.ensure(NIL_ID, [id]);
  if (personKeys.isErased(id)) return undefined;
  return vault.sealFor([id], bytes, `bank_files.kept:${connectorId}:${kept}`);
}

const NAME_MAX = 100;

/** If two files have one name, both are kept. */
function keptName(name: string, bytes: Buffer): string {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return `${hash}-${name.replace(/[^A-Za-z0-9._-]/g, '_').slice(-NAME_MAX)}`;
}
