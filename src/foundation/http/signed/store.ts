import type { Writer } from '#foundation/database/changes.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Changes, ReadTx, Tx } from '#foundation/database/tx.ts';

/** A request whose signature is awaited. */
export interface PendingRequest {
  readonly id: string;
  /** Byte for byte what is to be signed (W7). */
  readonly payload: string;
  /** What the operation wanted to find again. */
  readonly context: unknown;
  readonly bodyDigest: Buffer;
  /** The one key that may sign; null: a session's. */
  readonly signerKey: string | null;
}

export interface NewRequest extends PendingRequest {
  readonly operation: string;
  readonly target: string;
  readonly expiresAt: Date;
}

type Item = ({ readonly opens: NewRequest } | { readonly uses: string }) & {
  readonly platformId: string;
  readonly now: Date;
  readonly sealed?: Buffer;
};

/** Stores a request in the commit of this transaction or change. */
export function openRequest(changes: Changes, request: NewRequest): void {
  const { platformId, now, runtime } = changes;
  const { id, payload, context = null } = request;
  const sealed = runtime.vault.seal(JSON.stringify({ payload, context }), contextOf(id));
  changes.collect(REQUESTS, { platformId, now, opens: request, sealed });
}

/**
 * Uses a request up in the commit of what was signed; refused with `stale` if another retry was faster (W6). What it held is
 * forgotten: it may be a token, a contact or a key.
 */
export function useRequest(changes: Changes, { id }: Pick<PendingRequest, 'id'>): void {
  const { platformId, now } = changes;
  changes.collect(REQUESTS, { platformId, now, uses: id });
}

const REQUESTS: Writer<Item> = {
  name: 'signed requests',
  stage: 'keys',
  exclusive: (item) => ('uses' in item ? [`${item.platformId} request ${item.uses}`] : []),
  write: (items) =>
    items.map((item) =>
      'opens' in item
        ? sql`
          insert into signed_requests
            (platform_id, id, operation, target, body_digest, challenge, signer_key, created_at, expires_at)
          values (${item.platformId}, ${item.opens.id}, ${item.opens.operation}, ${item.opens.target},
                  ${item.opens.bodyDigest}, ${item.sealed}, ${item.opens.signerKey}, ${item.now}, ${item.opens.expiresAt})`
        : sql`
          with used as (
            update signed_requests set consumed_at = ${item.now}, challenge = null
             where platform_id = ${item.platformId} and id = ${item.uses} and consumed_at is null
            returning 1)
          select refuse_commit('stale') where not exists (select from used)`,
    ),
};

/** The request that waits for a signature of this call; undefined where there is none, or its time is over. */
export async function findPendingRequest(
  tx: ReadTx,
  id: string,
  { operation, target }: Pick<NewRequest, 'operation' | 'target'>,
): Promise<PendingRequest | undefined> {
  // By its key alone: as conditions, the others could lead to all requests of the target, or to all that have not expired.
  const [row] = await tx.sql<RequestRow>`
    select operation, target, challenge, body_digest, signer_key, expires_at, consumed_at from signed_requests
     where platform_id = ${tx.platformId} and id = ${id}`;
  if (row?.operation !== operation || row.target !== target) return undefined;
  if (row.challenge === null || row.consumed_at !== null || row.expires_at <= tx.now) return undefined;
  const { payload, context } = JSON.parse(tx.vault.openText(row.challenge, contextOf(id))) as Pick<
    PendingRequest,
    'payload' | 'context'
  >;
  return { id, payload, context, bodyDigest: row.body_digest, signerKey: row.signer_key };
}

interface RequestRow {
  operation: string;
  target: string;
  /** Sealed; null once it is used. */
  challenge: Buffer | null;
  body_digest: Buffer;
  signer_key: string | null;
  expires_at: Date;
  consumed_at: Date | null;
}

/** What requests were about is gone, and so are they; all but the one that is used up for that. */
export async function voidRequests(
  tx: Tx,
  target: string,
  { id: used }: Pick<PendingRequest, 'id'>,
): Promise<void> {
  await tx.sql`
    delete from signed_requests
     where platform_id = ${tx.platformId} and target = ${target} and consumed_at is null and id <> ${used}`;
}

/** A day after they expired, used or not (wallets.md W42). */
export async function purgeRequests(tx: Tx, rowsMax: number): Promise<number> {
  const deleted = await tx.sql`
    with old as materialized (
      select platform_id, id from signed_requests
       where platform_id = ${tx.platformId} and expires_at < ${tx.now}::timestamptz - interval '1 day'
       limit ${rowsMax} for update skip locked)
    delete from signed_requests r using old where r.platform_id = old.platform_id and r.id = old.id
    returning 1`;
  return deleted.length;
}

/** All requests of these targets, used or not: what they say is to be forgotten. */
export async function deleteRequests(tx: Tx, targets: readonly string[]): Promise<void> {
  await tx.sql`
    delete from signed_requests where platform_id = ${tx.platformId} and target = any(${targets}::text[])`;
}

function contextOf(id: string): string {
  return `signed_requests.challenge:${id}`;
}
