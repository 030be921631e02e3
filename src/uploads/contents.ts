import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { ReadTx, Tx } from '#database/tx.ts';
import type { Job, JobHandlers } from '#jobs/handlers.ts';
import { schedule } from '#jobs/schedule.ts';

/**
 * The rows that keep track of stored content. The row is written before the first byte, and the object is removed after
 * the commit that discards the row; so a crash or a rollback leaves at most an object that the sweep removes, and never
 * a row whose content is missing.
 */
export interface NewContent {
  readonly id: string;
  readonly key: Buffer;
}

const KEY_BYTES = 32;
const HOUR_MS = 3_600_000;
/** No request takes that long: what is older was left behind by a crash. */
const INCOMING_MAX_MS = HOUR_MS;
const SWEEP_AFTER_MS = 24 * HOUR_MS;

/** Records an object that is about to be stored. */
export async function beginContent(tx: Tx): Promise<NewContent> {
  const id = tx.newId();
  const key = randomBytes(KEY_BYTES);
  await tx.sql`
    insert into contents (platform_id, id, state, key, begun_at)
    values (${tx.platformId}, ${id}, 'INCOMING', ${tx.vault.seal(key, keyContext(id))}, ${realNow(tx)})`;
  schedule(tx, { kind: 'contents.sweep', key: 'contents', afterMs: SWEEP_AFTER_MS });
  return { id, key };
}

/** Called in the commit of the row that refers to the content. */
export async function keepContent(tx: Tx, id: string, bytes: number): Promise<void> {
  const kept = await tx.sql`
    update contents set state = 'STORED', bytes = ${bytes}
     where platform_id = ${tx.platformId} and id = ${id} and state = 'INCOMING'
    returning id`;
  assert.equal(kept.length, 1, 'the content was swept away while its request was running');
}

/** Called in the commit that no longer refers to the content; the object itself is removed afterwards. */
export async function discardContents(tx: Tx, ids: readonly string[]): Promise<void> {
  const gone = await tx.sql<{ id: string }>`
    update contents set state = 'DISCARDED', key = null
     where platform_id = ${tx.platformId} and id = any(${ids}::uuid[]) and state <> 'DISCARDED'
    returning id`;
  scheduleRemoval(tx, gone);
}

/** Discards content that was never kept; content that a row refers to stays. */
export async function discardIncoming(tx: Tx, id: string): Promise<void> {
  const gone = await tx.sql<{ id: string }>`
    update contents set state = 'DISCARDED', key = null
     where platform_id = ${tx.platformId} and id = ${id} and state = 'INCOMING'
    returning id`;
  scheduleRemoval(tx, gone);
}

export async function readContent(tx: ReadTx, id: string): Promise<Readable> {
  const [row] = await tx.sql<{ key: Buffer | null }>`
    select key from contents where platform_id = ${tx.platformId} and id = ${id}`;
  assert.ok(row?.key, 'the content is not there any more');
  return tx.ports.storage.read(id, tx.vault.open(row.key, keyContext(id)));
}

/** For parts.ts. */
export const contentJobs: JobHandlers = {
  'contents.sweep': { run: sweep },
  'contents.remove': {
    async call(work, job) {
      const { id } = (job as Job<{ id: string }>).payload;
      await work.read((tx) => tx.ports.storage.remove(id));
      return async (tx) => {
        await tx.sql`
          delete from contents where platform_id = ${tx.platformId} and id = ${id} and state = 'DISCARDED'`;
      };
    },
  },
};

/** Discards what a crash or a rollback left behind. Ages are in real time: a platform's clock may be ahead. */
async function sweep(tx: Tx): Promise<void> {
  const oldest = new Date(realNow(tx).getTime() - INCOMING_MAX_MS);
  const gone = await tx.sql<{ id: string }>`
    update contents set state = 'DISCARDED', key = null
     where platform_id = ${tx.platformId} and state = 'INCOMING' and begun_at <= ${oldest}
    returning id`;
  scheduleRemoval(tx, gone);
  const young = await tx.sql`
    select from contents where platform_id = ${tx.platformId} and state = 'INCOMING' limit 1`;
  if (young.length > 0) schedule(tx, { kind: 'contents.sweep', key: 'contents', afterMs: SWEEP_AFTER_MS });
}

function scheduleRemoval(tx: Tx, contents: readonly { id: string }[]): void {
  for (const { id } of contents) schedule(tx, { kind: 'contents.remove', afterMs: 0, payload: { id } });
}

function keyContext(id: string): string {
  return `contents.key:${id}`;
}

function realNow(tx: ReadTx): Date {
  return new Date(tx.runtime.clock.now());
}
