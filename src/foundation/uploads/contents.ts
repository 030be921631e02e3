import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Job, JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { strangersOf } from '#foundation/person-keys/people.ts';
import {
  deleteDiscarded,
  findContentKey,
  hasIncoming,
  insertContent,
  markAbandoned,
  markDiscarded,
  markIncomingDiscarded,
  markStored,
} from '#foundation/uploads/store.ts';

/**
 * The rows that track stored content. The row is written before the first byte, and the object is removed after the commit
 * that discards the row. So a crash or a rollback leaves at most an object that the sweep removes, and never a row whose
 * content is missing.
 */
export interface NewContent {
  readonly id: Id<'Content'>;
  readonly key: Buffer;
}

const KEY_BYTES = 32;
const HOUR_MS = 3_600_000;
/** No request takes this long: older content was left by a crash. */
const INCOMING_MAX_MS = HOUR_MS;
const SWEEP_AFTER_MS = 24 * HOUR_MS;

/** Records an object that is about to be stored. */
export async function beginContent(tx: Tx): Promise<NewContent> {
  const id = tx.newId<'Content'>();
  await insertContent(tx, id, realNow(tx));
  schedule(tx, { kind: 'contents.sweep', key: 'contents', afterMs: SWEEP_AFTER_MS });
  return { id, key: randomBytes(KEY_BYTES) };
}

/**
 * Stores the key of a content, in the commit of the row that refers to it. The key is sealed for the people whom the
 * content describes, so that it cannot be read once they are erased. A file about people whom the platform does not
 * know yet, such as an import, is sealed for the month's strangers.
 */
export async function keepContent(
  tx: Tx,
  { id, key }: NewContent,
  bytes: number,
  people: readonly PersonId[] = [],
): Promise<void> {
  const owners = people.length > 0 ? people : [strangersOf(tx.vault, tx.platformId, realNow(tx))];
  const isKept = await markStored(tx, id, bytes, tx.vault.sealFor(owners, key, keyContext(id)));
  assert(isKept, 'the sweep discarded the content while its request was running');
}

/** Called in the commit that no longer refers to the content; the object itself is removed afterwards. */
export async function discardContents(tx: Tx, ids: readonly Id<'Content'>[]): Promise<void> {
  scheduleRemoval(tx, await markDiscarded(tx, ids));
}

/** Discards content that was never kept; content that a row refers to stays. */
export async function discardIncoming(tx: Tx, id: Id<'Content'>): Promise<void> {
  scheduleRemoval(tx, await markIncomingDiscarded(tx, id));
}

export async function readContent(tx: ReadTx, id: Id<'Content'>): Promise<Readable> {
  const sealedKey = await findContentKey(tx, id);
  assert.ok(sealedKey, 'the content no longer exists');
  return tx.ports.storage.read(id, tx.vault.open(sealedKey, keyContext(id)));
}

/** For src/foundation/manifest.ts. */
export const contentJobs: JobDeclarations = {
  'contents.sweep': { due: 'upkeep', run: sweep },
  'contents.remove': {
    due: 'upkeep',
    async call(work, job) {
      const { id } = (job as Job<{ id: Id<'Content'> }>).payload;
      await work.read((tx) => tx.ports.storage.remove(id));
      return (tx) => deleteDiscarded(tx, id);
    },
  },
};

/** Discards content that a crash or a rollback left. Ages are in real time: a platform's clock may be ahead. */
async function sweep(tx: Tx): Promise<void> {
  const oldest = new Date(realNow(tx).getTime() - INCOMING_MAX_MS);
  scheduleRemoval(tx, await markAbandoned(tx, oldest));
  if (await hasIncoming(tx))
    schedule(tx, { kind: 'contents.sweep', key: 'contents', afterMs: SWEEP_AFTER_MS });
}

function scheduleRemoval(tx: Tx, ids: readonly Id<'Content'>[]): void {
  for (const id of ids) schedule(tx, { kind: 'contents.remove', afterMs: 0, payload: { id } });
}

function keyContext(id: Id<'Content'>): string {
  return `contents.key:${id}`;
}

function realNow(tx: ReadTx): Date {
  return new Date(tx.runtime.clock.now());
}
