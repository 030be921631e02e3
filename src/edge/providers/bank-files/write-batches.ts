import { createHash } from 'node:crypto';
import {
  endResending,
  listBatchNames,
  listDue,
  listToResend,
  listUnwritten,
} from '#capabilities/bank-files/batch-store.ts';
import { type FilesConnectorRow, wishAdopted } from '#capabilities/bank-files/file-store.ts';
import type { BatchRow, FilesParts } from '#capabilities/bank-files/row.ts';
import { openBatches, sealDue } from '#capabilities/bank-files/seal-batches.ts';
import {
  type Archived,
  adoptBatch,
  commitStaged,
  commitWritten,
  describeBatch,
  openBytes,
} from '#capabilities/bank-files/write-batch.ts';
import { pause, resume } from '#capabilities/connectors/registry-store.ts';
import type { FilePlace } from '#edge/providers/bank-files/file-place.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import type { Run } from '#foundation/database/database.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';

/** Writes the files of sealed batches, so that a bank never sees one half, twice, or before its commit (bank-files.md §2). */

export interface Writing {
  readonly parts: FilesParts;
  readonly connector: FilesConnectorRow;
  readonly place: FilePlace;
  /** For the log; names of files hold no personal data. */
  onStop(reason: string, name: string): void;
}

const SEALED = '.sealed';

/** Seals what is due and writes what was sealed. Returns the number of files. */
export async function sealAndWrite(writing: Writing): Promise<number> {
  const { parts, connector } = writing;
  await openBatches(parts, connector);
  if (!(await mayWrite(writing))) return 0;
  await sealDue(parts, connector);
  const { query } = parts.database;
  let written = 0;
  for (const batch of await listUnwritten(query, connector.connector_id))
    if (await writeOne(writing, batch)) written++;
  for (const batch of await listToResend(query, connector.connector_id)) await resendOne(writing, batch);
  return written;
}

/** Nothing is sealed or written while the archive has a file that this database does not know. */
async function mayWrite(writing: Writing): Promise<boolean> {
  const { parts, connector } = writing;
  const { query } = parts.database;
  const isAdopting = connector.adopt_wanted_at !== null;
  if (isAdopting) await adoptArchive(writing);
  else if (connector.paused_because === 'FILES') return false;
  const unwritten = await listUnwritten(query, connector.connector_id);
  const due = await listDue(query, connector.connector_id, new Date(parts.clock.now()));
  return unwritten.length + due.length === 0 || isArchiveKnown(writing);
}

async function writeOne(writing: Writing, batch: BatchRow): Promise<boolean> {
  const { parts, connector, place } = writing;
  const name = nameOf(batch);
  const bytes = await openBytes(parts, batch);
  requireHash(batch, bytes);
  if (await isTaken(writing, name, bytes)) return false;
  if (batch.status === 'SEALED') {
    await place.put('staging', name, bytes);
    await commitStaged(parts, connector, batch);
  } else {
    const state = await place.interrupted(name);
    if (state === 'UNCLEAR') return false;
    if (state === 'WRITTEN') {
      await commitWritten(parts, connector, batch);
      return true;
    }
  }
  await archive(writing, batch, bytes);
  await place.publish(name, bytes);
  await commitWritten(parts, connector, batch);
  return true;
}

/** An operator asked for it: the same bytes under the same name. */
async function resendOne(writing: Writing, batch: BatchRow): Promise<void> {
  const { parts, connector, place } = writing;
  const name = nameOf(batch);
  const bytes = await openBytes(parts, batch);
  // Somebody in the file was erased after the file was asked for.
  if (!bytes) return endResending(parts.database.query, batch);
  requireHash(batch, bytes);
  if (await isTaken(writing, name, bytes)) return;
  await archive(writing, batch, bytes);
  await place.put('staging', name, bytes);
  await place.publish(name, bytes);
  await commitWritten(parts, connector, batch);
  await endResending(parts.database.query, batch);
}

/** Other content under the name stops the connector. */
async function isTaken(writing: Writing, name: string, bytes: Buffer): Promise<boolean> {
  const found = await writing.place.read('outbox', name, bytes.length);
  if (!found || found.equals(bytes)) return false;
  await stop(writing, 'the outbox has a file of this name with another content', name);
  return true;
}

function nameOf({ name, id }: BatchRow): string {
  if (name === null) throw new Error(`the batch ${id} has no name`);
  return name;
}

function requireHash({ content_hash, id }: BatchRow, bytes: Buffer | undefined): asserts bytes is Buffer {
  if (!bytes) throw new Error(`the bytes of the batch ${id} were destroyed`);
  const hash = createHash('sha256').update(bytes).digest();
  if (content_hash?.equals(hash) !== true)
    throw new Error(`the bytes of the batch ${id} are not those that were sealed`);
}

function archiveContext(connectorId: string, name: string): string {
  return `bank_files.archive:${connectorId}:${name}`;
}

/**
 * A sealed copy, from which a database that was restored learns what the bank may have. What it says about the batch and its
 * orders names nobody, and opens for good. Its bytes open only with the key of the file.
 */
async function archive({ parts, connector, place }: Writing, batch: BatchRow, bytes: Buffer): Promise<void> {
  const name = nameOf(batch);
  const context = archiveContext(connector.connector_id, name);
  await parts.personKeys.ensure(NIL_ID, [batch.id]);
  const sealedBytes = parts.vault.sealFor([batch.id], bytes, `${context}:bytes`);
  const copy = JSON.stringify({
    ...(await describeBatch(parts, batch)),
    bytes: sealedBytes.toString('base64'),
  });
  await place.put('archive', name + SEALED, parts.vault.seal(copy, context));
}

/**
 * Whether this database knows all files that were written. If not, it was restored from a backup: the connector stops, so
 * that no order goes to the bank again. A batch that is only sealed here has no copy yet, unless it was written later.
 */
async function isArchiveKnown(writing: Writing): Promise<boolean> {
  const { parts, connector, place } = writing;
  const [unknown] = await listUnknownCopies({ query: parts.database.query, connector, place });
  if (unknown === undefined) return true;
  await stop(writing, 'the archive has a file that this database has not written', unknown);
  return false;
}

interface Archive {
  readonly query: Run;
  readonly connector: Pick<FilesConnectorRow, 'connector_id'>;
  readonly place: FilePlace;
}

/**
 * Lists files in the archive that this database does not know, or has only sealed. It lists the archive first, because a file
 * that another process writes meanwhile is in the database before it is in the archive.
 */
export async function listUnknownCopies({ query, connector, place }: Archive): Promise<string[]> {
  const names = (await place.list('archive')).filter((name) => name.endsWith(SEALED));
  const batches = await listUnwritten(query, connector.connector_id);
  const known = await listBatchNames(query, connector.connector_id);
  for (const { name, status } of batches) if (status === 'SEALED') known.delete(name ?? '');
  return names.map((name) => name.slice(0, -SEALED.length)).filter((name) => !known.has(name));
}

/** Opens the newest copy and returns its name, or throws if it does not open. Undefined: there is none. */
export async function openNewestCopy(
  { connector, place }: Omit<Archive, 'query'>,
  vault: Pick<PersonVault, 'openText'>,
): Promise<string | undefined> {
  const file = (await place.list('archive')).filter((name) => name.endsWith(SEALED)).at(-1);
  const sealed = file === undefined ? undefined : await place.read('archive', file, COPY_MAX_BYTES);
  if (file === undefined || !sealed) return undefined;
  const name = file.slice(0, -SEALED.length);
  vault.openText(sealed, archiveContext(connector.connector_id, name));
  return name;
}

const COPY_MAX_BYTES = 256 * 1024 * 1024;

async function adoptArchive(writing: Writing): Promise<void> {
  const { parts, connector, place } = writing;
  const { query } = parts.database;
  for (const name of await listUnknownCopies({ query, connector, place })) {
    const sealed = await place.read('archive', name + SEALED, COPY_MAX_BYTES);
    if (!sealed) continue;
    const copy = parts.vault.openText(sealed, archiveContext(connector.connector_id, name));
    await adoptBatch(parts, connector, JSON.parse(copy) as Archived);
  }
  await wishAdopted(query, connector.connector_id, null);
  if (connector.paused_because === 'FILES') await resume(query, connector.connector_id);
}

async function stop({ parts, connector, onStop }: Writing, reason: string, name: string): Promise<void> {
  const { database, clock } = parts;
  const isNew = await pause(database.query, connector.connector_id, 'FILES', new Date(clock.now()));
  if (isNew) onStop(reason, name);
}
