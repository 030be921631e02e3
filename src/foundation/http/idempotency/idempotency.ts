import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { PersonVault, Vault } from '#foundation/crypto/vault.ts';
import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import { sqlFailure } from '#foundation/database/failures.ts';
import type { Changes, ReadTx, Tx } from '#foundation/database/tx.ts';
import {
  type ClaimedKey,
  claimKeyRow,
  deleteExpiredKey,
  deleteKey,
  endLease,
  type IdempotencyKeyRow,
  insertKeys,
  type KeyName,
  type NewKey,
  type SealedReply,
  type StoredKey,
  storeReply,
} from '#foundation/http/idempotency/store.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { type Code, invalidFields, Refusal, refuse } from '#foundation/lib/refusals.ts';
import { peopleIn } from '#foundation/person-keys/people.ts';

/** One use of a key: `scope` is its owner, method, concrete path and query (platform.md §2.3). */
export interface KeyUse extends KeyName {
  readonly bodyHash: Buffer;
  readonly conflict: Code;
  readonly secretReply: boolean;
  /** The customers in the path of the call. */
  readonly people?: readonly PersonId[];
}

/** The reply to an earlier call with this key. */
export interface StoredReply {
  readonly status: number;
  /** JSON text, byte for byte as it was sent. */
  readonly body: string;
  /** The people whom the reply describes without naming their ids. */
  readonly describes?: readonly PersonId[];
  /** It contains no secret, although the usual reply of its operation does. */
  readonly hasNoSecret?: boolean;
}

/** Thrown to leave the transaction: the effect has already happened, with this reply. */
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

/** A keyed hash: an attacker could guess a code or an identification number from a plain hash. */
export function bodyHash(vault: Vault, body: unknown): Buffer {
  return vault.fingerprint(canonicalJson(body ?? null), 'idempotency_keys.body_hash');
}

/** Short for every query, so that each scope fits into the index; keyed like the body's hash. */
export function queryHash(vault: Vault, canonical: string): string {
  return vault.fingerprint(canonical, 'idempotency_keys.scope').toString('base64url');
}

/** Claims the key in the effect's own transaction, or ends the call with the reply to the first call. */
export async function claimKey(tx: Tx, use: KeyUse): Promise<void> {
  const taken = await tryClaim(tx, use, null);
  if (taken) replayOrConflict(tx.vault, tx.platformId, use, taken);
}

/**
 * Claims the key for a call that will end in another transaction. Returns false if the lease of an earlier call has
 * expired without an outcome; its claim is released. If that call left an interim reply (`keepInterimReply`), it is
 * replayed instead.
 */
export async function leaseKey(tx: Tx, use: KeyUse, until: Date): Promise<boolean> {
  const taken = await tryClaim(tx, use, until);
  if (!taken) return true;
  const { leased_until: lease } = taken;
  if (lease === null || !taken.body_hash?.equals(use.bodyHash)) {
    return replayOrConflict(tx.vault, tx.platformId, use, taken);
  }
  if (tx.runtime.clock.now() < lease.getTime()) throw new StillRunning(use.conflict);
  if (taken.reply !== null) return replayOrConflict(tx.vault, tx.platformId, use, taken);
  await settleKey(tx, use, undefined, lease);
  return false;
}

/** Undefined: the key has been claimed. */
async function tryClaim(tx: Tx, use: KeyUse, lease: Date | null): Promise<ClaimedKey | undefined> {
  const row = await claimKeyRow(tx, use, lease).catch((error: unknown) => {
    throw sqlFailure(error)?.code === LOCK_NOT_AVAILABLE ? new StillRunning(use.conflict) : error;
  });
  return row?.claimed ? undefined : row;
}

/** Ends the call with the stored reply, or a conflict, if the key was used before. */
export async function replayIfUsed(
  tx: ReadTx,
  use: KeyUse,
  found: IdempotencyKeyRow | undefined,
): Promise<void> {
  if (found?.is_alive) replayOrConflict(tx.vault, tx.platformId, use, found);
  if (found) await deleteExpiredKey(tx, use);
}

export function keepReply(changes: Changes, use: KeyUse, reply: StoredReply): void {
  const { platformId, now: createdAt, runtime } = changes;
  const { scope, key, bodyHash } = use;
  const stored = replyToStore(runtime.vault, platformId, use, reply);
  changes.collect(KEYS, { platformId, createdAt, scope, key, bodyHash, ...stored });
}

/** Writes keys whose effects are in the same commit; refused with `key` if one of them is taken. */
const KEYS: Writer<NewKey> = {
  name: 'idempotency keys',
  stage: 'keys',
  constraints: { idempotency_keys_pkey: 'key' },
  exclusive: (kept) => [keyName(kept)],
  write: (items) => [insertKeys(inLockOrder(items, keyName))],
};

function keyName({ platformId, scope, key }: NewKey): string {
  return `${platformId} ${scope} ${key}`;
}

/** Ends the call with the reply to the first call, or with a conflict. */
function replayOrConflict(vault: PersonVault, platformId: PlatformId, use: KeyUse, row: StoredKey): never {
  if (!row.body_hash?.equals(use.bodyHash)) throw otherBody(use.conflict);
  if (row.reply === null && row.status !== null) throw erasedReply();
  if (row.reply === null || row.status === null) {
    throw new KeyConflict(
      use.conflict,
      'This Idempotency-Key has already been used. Its reply contained a secret, so it was not stored and cannot be sent again.',
    );
  }
  const body = vault.openKept(row.reply, replyContext(platformId, use));
  if (body === undefined) throw erasedReply();
  throw new Replay({ status: row.status, body });
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
  if (reply) await storeReply(tx, use, lease, replyToStore(tx.vault, tx.platformId, use, reply));
  else await deleteKey(tx, use, lease);
}

/**
 * Stores the reply that counts if the call that leased the key never ends. Refused if the lease has expired and another
 * call has released the key: the key may have been used again since.
 */
export async function keepInterimReply(tx: Tx, use: KeyUse, reply: StoredReply, lease: Date): Promise<void> {
  const stored = replyToStore(tx.vault, tx.platformId, use, reply);
  if (await storeReply(tx, use, lease, { ...stored, staysLeased: true })) return;
  refuse('SERVICE_UNAVAILABLE', 'The call took too long, and nothing was stored. Repeat it.');
}

/** Frees the key after a call that failed because of us, unless it has an interim reply (`keepInterimReply`). */
export async function releaseLease(tx: Tx, use: KeyUse, lease: Date): Promise<void> {
  await endLease(tx, use, lease);
  await deleteKey(tx, use, lease);
}

/**
 * Returns the reply to store, sealed for the people whom it describes. A reply that contains a secret is not stored.
 */
function replyToStore(
  vault: PersonVault,
  platformId: PlatformId,
  use: KeyUse,
  { status, body, describes = [], hasNoSecret = false }: StoredReply,
): SealedReply {
  if (use.secretReply && !hasNoSecret) return { status: null, reply: null };
  const people = [...(use.people ?? []), ...peopleIn(body), ...describes];
  return { status, reply: vault.sealNaming(people, body, replyContext(platformId, use)) };
}

export function replyContext(platformId: PlatformId, { scope, key }: KeyName): string {
  return `idempotency_keys.reply:${platformId}:${scope}:${key}`;
}

/** Returns those of these ids, as bare UUIDs, that are customers whose data was erased. */
export type FindErased = (tx: ReadTx, ids: readonly string[]) => Promise<readonly string[]>;

/** The 410 for a stored reply that named a customer who has been erased since (platform.md §2.5a). */
export function erasedReply(): Refusal {
  const reason =
    'This call has already taken effect. Its reply named a customer whose data has been erased, so it cannot be sent again.';
  return new Refusal('CUSTOMER_DELETED', reason);
}

/**
 * Runs calls of this process with the same key one after the other, without holding a connection while they wait. Calls
 * in other processes wait at the database's unique index.
 */
export class KeyQueue {
  readonly #running = new Map<string, Promise<unknown>>();

  async run<T>(platformId: PlatformId, use: KeyUse, call: () => Promise<T>): Promise<T> {
    const name = `${platformId} ${use.scope} ${use.key}`;
    const deadline = performance.now() + WAIT_MS;
    for (let earlier = this.#running.get(name); earlier; earlier = this.#running.get(name)) {
      if (!(await hasEndedBy(earlier, deadline))) throw new StillRunning(use.conflict);
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

async function hasEndedBy(call: Promise<unknown>, deadline: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), Math.max(0, deadline - performance.now()));
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
  return new KeyConflict(code, 'This Idempotency-Key has already been used with a different request.');
}

/** The 409 for a key that another call has used (platform.md §2.4). */
export class KeyConflict extends Refusal {}

/** The 409 that may be retried (platform.md §2.4). */
export class StillRunning extends KeyConflict {
  constructor(code: Code) {
    const reason = 'The first call with this Idempotency-Key is still running. Retry in a second.';
    super(code, reason, undefined, { 'retry-after': '1', 'x-should-retry': 'true' });
  }
}
