import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Job, JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
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
  const key = randomBytes(KEY_BYTES);
  await insertContent(tx, id, tx.vault.seal(key, keyContext(id)), realNow(tx));
  schedule(tx, { kind: 'contents.sweep', key: 'contents', afterMs: SWEEP_AFTER_MS });
  return { id, key };
}

/** Called in the commit of the row that refers to the content. */
export async function keepContent(tx: Tx, id: Id<'Content'>, bytes: number): Promise<void> {
  const isKept = await markStored(tx, id, bytes);
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
