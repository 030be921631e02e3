import type { Vault } from '#crypto/vault.ts';
import { inLockOrder, type Writer } from '#database/changes.ts';
import { sqlFailure } from '#database/failures.ts';
import { sql } from '#database/sql.ts';
import type { Changes, ReadTx, Tx } from '#database/tx.ts';
import { canonicalJson } from '#lib/canonical-json.ts';
import { type Code, invalidFields, Refusal } from '#lib/refusals.ts';

/** One use of a key: `scope` is its owner, method, concrete path and query (platform.md §2.3). */
export interface KeyUse {
  readonly scope: string;
  readonly key: string;
  readonly bodyHash: Buffer;
  readonly conflict: Code;
  readonly secretReply: boolean;
}

/** The reply to an earlier call with this key. */
export interface StoredReply {
  readonly status: number;
  /** JSON text, byte for byte as it was sent. */
  readonly body: string;
}

/** Thrown to leave the transaction: the effect has happened already, and this was its reply. */
export class Replay extends Error {
  readonly reply: StoredReply;

  constructor(reply: StoredReply) {
    super('replayed');
    this.reply = reply;
  }
}

/** How long a call waits for the first one with its key (platform.md §2.4). */
export const WAIT_MS = 5_000;
const LOCK_NOT_AVAILABLE = '55P03';

export function readKey(header: string | string[] | undefined, required: boolean): string | undefined {
  const key = Array.isArray(header) ? header[0] : header;
  const field = 'Idempotency-Key';
  if (key === undefined) {
    if (required) throw invalidFields([{ field, message: 'is required' }]);
    return undefined;
  }
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    const constraint = { minLength: 1, maxLength: 255 };
    throw invalidFields([{ field, constraint, message: 'must be 1 to 255 printable ASCII characters' }]);
  }
  return key;
}

/** A keyed hash: a code or an identification number could be guessed from a plain one. */
export function bodyHash(vault: Vault, body: unknown): Buffer {
  return vault.fingerprint(canonicalJson(body ?? null), 'idempotency_keys.body_hash');
}

/** Short, whatever the query, so that every scope fits into the index; keyed like the body's hash. */
export function queryHash(vault: Vault, canonical: string): string {
  return vault.fingerprint(canonical, 'idempotency_keys.scope').toString('base64url');
}

/** Claims the key in the effect's own transaction, or ends the call with the reply of the first one. */
export async function claimKey(tx: Tx, use: KeyUse): Promise<void> {
  const taken = await tryClaim(tx, use, null);
  if (taken) replayOrConflict(tx.vault, tx.platformId, use, taken);
}

/**
 * Claims the key for a call that will end in another transaction. False: an earlier call should have ended by now and did
 * not report; its claim is released.
 */
export async function leaseKey(tx: Tx, use: KeyUse, until: Date): Promise<boolean> {
  const taken = await tryClaim(tx, use, until);
  if (!taken) return true;
  const { leased_until: lease } = taken;
  if (lease === null || !taken.body_hash?.equals(use.bodyHash)) {
    return replayOrConflict(tx.vault, tx.platformId, use, taken);
  }
  if (tx.runtime.clock.now() < lease.getTime()) throw new StillRunning(use.conflict);
  await settleKey(tx, use, undefined, lease);
  return false;
}

/** Undefined: the key has been claimed. */
async function tryClaim(tx: Tx, use: KeyUse, lease: Date | null): Promise<ClaimRow | undefined> {
  const { scope, key, bodyHash } = use;
  const [row] = await tx.sql<ClaimRow>`
    select * from idempotency_claim(${tx.platformId}, ${scope}, ${key}, ${bodyHash}, ${tx.now}, ${lease})`.catch(
    (error: unknown) => {
      throw sqlFailure(error)?.code === LOCK_NOT_AVAILABLE ? new StillRunning(use.conflict) : error;
    },
  );
  return row?.claimed ? undefined : row;
}

/** What is stored under the key. */
export async function findKey(tx: ReadTx, use: Pick<KeyUse, 'scope' | 'key'>): Promise<FoundKey | undefined> {
  const [row] = await tx.sql<FoundKey>`
    select body_hash, status, reply, idempotency_key_is_alive(created_at, ${tx.now}) as is_alive
      from idempotency_keys
     where platform_id = ${tx.platformId} and scope = ${use.scope} and key = ${use.key}`;
  return row;
}

/** Ends the call with the stored reply, or a conflict, if the key was used before. */
export async function replayIfUsed(tx: ReadTx, use: KeyUse, found: FoundKey | undefined): Promise<void> {
  if (found?.is_alive) replayOrConflict(tx.vault, tx.platformId, use, found);
  if (found) await deleteExpiredKey(tx, use);
}

/** An expired key has no meaning any more, and is deleted before its next use. */
async function deleteExpiredKey(tx: ReadTx, use: KeyUse): Promise<void> {
  await tx.sql`
    delete from idempotency_keys
     where platform_id = ${tx.platformId} and scope = ${use.scope} and key = ${use.key}
       and not idempotency_key_is_alive(created_at, ${tx.now})`;
}

interface KeyWithReply {
  readonly platformId: string;
  readonly createdAt: Date;
  readonly use: KeyUse;
  readonly reply: StoredReply;
  readonly sealed: Buffer;
}

/** Stores a key with its reply in the commit of this change. */
export function keepReply(changes: Changes, use: KeyUse, reply: StoredReply): void {
  const { platformId, now: createdAt, runtime } = changes;
  const sealed = sealReply(runtime.vault, platformId, use, reply.body);
  changes.collect(KEYS, { platformId, createdAt, use, reply, sealed });
}

/** Writes keys whose effects are in the same commit; refused with `key` if one of them is taken. */
const KEYS: Writer<KeyWithReply> = {
  name: 'idempotency keys',
  stage: 'keys',
  constraints: { idempotency_keys_pkey: 'key' },
  exclusive: (kept) => [keyName(kept)],
  write(items) {
    const kept = inLockOrder(items, keyName);
    // All replies in one value, which needs no escaping.
    const replies = kept.map(({ use, sealed }) => (use.secretReply ? Buffer.alloc(0) : sealed));
    let end = 0;
    const starts = replies.map((reply) => {
      const start = end + 1;
      end += reply.length;
      return start;
    });
    return [
      sql`
        insert into idempotency_keys (platform_id, scope, key, body_hash, status, reply, created_at)
        select k.platform_id, k.scope, k.key, k.body_hash, k.status,
               case when k.status is not null then substr(${Buffer.concat(replies)}::bytea, k.start, k.size) end, k.created_at
          from unnest(
            ${kept.map(({ platformId }) => platformId)}::uuid[], ${kept.map(({ use }) => use.scope)}::text[],
            ${kept.map(({ use }) => use.key)}::text[], ${kept.map(({ use }) => use.bodyHash)}::bytea[],
            ${kept.map(({ use, reply }) => (use.secretReply ? null : reply.status))}::smallint[],
            ${starts}::integer[], ${replies.map((reply) => reply.length)}::integer[],
            ${kept.map(({ createdAt }) => createdAt)}::timestamptz[])
            as k (platform_id, scope, key, body_hash, status, start, size, created_at)`,
    ];
  },
};

function keyName({ platformId, use }: KeyWithReply): string {
  return `${platformId} ${use.scope} ${use.key}`;
}

/** Ends the call: with the reply of the first one, or a conflict. */
function replayOrConflict(vault: Vault, platformId: string, use: KeyUse, row: StoredKey): never {
  if (!row.body_hash?.equals(use.bodyHash)) throw otherBody(use.conflict);
  if (row.reply === null || row.status === null) {
    throw new Refusal(
      use.conflict,
      'This Idempotency-Key has already been used. Its reply held a secret, so it was not stored and cannot be sent again.',
    );
  }
  throw new Replay({ status: row.status, body: vault.openText(row.reply, sealContext(platformId, use)) });
}

interface ClaimRow extends StoredKey {
  claimed: boolean;
  /** Of a call that has not ended yet. */
  leased_until: Date | null;
}

/** What is stored under a key. */
interface StoredKey {
  body_hash: Buffer | null;
  status: number | null;
  reply: Buffer | null;
}

export interface FoundKey extends StoredKey {
  /** It has not expired. */
  is_alive: boolean;
}

/**
 * Stores the reply in the commit of the effect; a refusal releases the key (platform.md §2.5). A call that leased the key
 * settles its own lease only, never a later one.
 */
export async function settleKey(
  tx: Tx,
  use: KeyUse,
  reply: StoredReply | undefined,
  lease: Date | null = null,
): Promise<void> {
  const mine = sql`platform_id = ${tx.platformId} and scope = ${use.scope} and key = ${use.key}
     and leased_until is not distinct from ${lease}::timestamptz`;
  if (!reply) {
    await tx.sql`delete from idempotency_keys where ${mine}`;
    return;
  }
  const [status, sealed] = use.secretReply
    ? [null, null]
    : [reply.status, sealReply(tx.vault, tx.platformId, use, reply.body)];
  await tx.sql`
    update idempotency_keys set status = ${status}, reply = ${sealed}, leased_until = null where ${mine}`;
}

/** For an effect that moves the platform's own clock: the key's life begins at the time that the clock arrives at. */
export async function restartKeyLife(
  tx: Tx,
  { scope, key }: Pick<KeyUse, 'scope' | 'key'>,
  at: Date,
): Promise<void> {
  await tx.sql`update idempotency_keys set created_at = ${at}
    where platform_id = ${tx.platformId} and scope = ${scope} and key = ${key}`;
}

export function sealReply(vault: Vault, platformId: string, use: KeyUse, body: string): Buffer {
  return vault.seal(body, sealContext(platformId, use));
}

function sealContext(platformId: string, use: KeyUse): string {
  return `idempotency_keys.reply:${platformId}:${use.scope}:${use.key}`;
}

/**
 * Runs calls of this process with the same key one after the other, without holding a connection while they wait. Calls
 * in other processes wait at the database's unique index.
 */
export class KeyQueue {
  readonly #running = new Map<string, Promise<unknown>>();

  async run<T>(platformId: string, use: KeyUse, call: () => Promise<T>): Promise<T> {
    const name = `${platformId} ${use.scope} ${use.key}`;
    const deadline = Date.now() + WAIT_MS;
    for (let earlier = this.#running.get(name); earlier; earlier = this.#running.get(name)) {
      if (!(await endsBy(earlier, deadline))) throw new StillRunning(use.conflict);
    }
    const running = call();
    this.#running.set(name, running);
    try {
      return await running;
    } finally {
      this.#running.delete(name);
    }
  }
}

async function endsBy(call: Promise<unknown>, deadline: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), Math.max(0, deadline - Date.now()));
  const ended = call.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}

function otherBody(code: Code): Refusal {
  return new Refusal(code, 'This Idempotency-Key has already been used with a different request.');
}

/** The 409 that may be retried (platform.md §2.4). */
export class StillRunning extends Refusal {
  constructor(code: Code) {
    const reason = 'The first call with this Idempotency-Key is still running. Retry in a second.';
    super(code, reason, undefined, { 'retry-after': '1', 'x-should-retry': 'true' });
  }
}
