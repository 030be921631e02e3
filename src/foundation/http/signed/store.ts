import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { Writer } from '#foundation/database/changes.ts';
import { purgeRows } from '#foundation/database/rows.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Changes, ReadTx, Tx } from '#foundation/database/tx.ts';
import { peopleIn } from '#foundation/person-keys/people.ts';

/** A request that waits for its signature. */
export interface PendingRequest {
  readonly id: Id<'Request'>;
  /** The exact bytes to sign (wallets.md §3.7). */
  readonly payload: string;
  /** Data that the operation stored for the next leg. */
  readonly context: unknown;
  readonly bodyDigest: Buffer;
  /** The one key that may sign; null: a session's. */
  readonly signerKey: string | null;
}

export interface NewRequest extends PendingRequest {
  readonly operation: string;
  readonly target: string;
  readonly expiresAt: Date;
  /** The customer who is asked to sign, if the payload and the context do not name one. */
  readonly customerId?: PersonId | undefined;
}

type Item = ({ readonly opens: NewRequest } | { readonly uses: string }) & {
  readonly platformId: PlatformId;
  readonly now: Date;
  readonly sealed?: Buffer;
};

/** Stores a request in the commit of this transaction or change. */
export function openRequest(changes: Changes, request: NewRequest): void {
  const { platformId, now, runtime } = changes;
  const { id, payload, context = null, customerId } = request;
  const text = JSON.stringify({ payload, context });
  const people = [...peopleIn(text), ...(customerId === undefined ? [] : [customerId])];
  const sealed = runtime.vault.sealNaming(people, text, contextOf(id));
  changes.collect(REQUESTS, { platformId, now, opens: request, sealed });
}

/**
 * Uses a request up in the commit of the signed effect; refused with `stale` if another retry was faster
 * (wallets.md §3.6). Its content is deleted: it may be a token, a contact or a key.
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

/** Finds the request that waits for the signature of this call; undefined if there is none or it has expired. */
export async function findPendingRequest(
  tx: ReadTx,
  id: Id<'Request'>,
  { operation, target }: Pick<NewRequest, 'operation' | 'target'>,
): Promise<PendingRequest | undefined> {
  // Looked up by its key alone: with more conditions, the planner could read all requests of the target, or all unexpired
  // ones.
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

/** Deletes the pending requests of a target that is gone, except the one whose use removed it. */
export async function voidRequests(
  tx: Tx,
  target: string,
  { id: used }: Pick<PendingRequest, 'id'>,
): Promise<void> {
  await tx.sql`
    delete from signed_requests
     where platform_id = ${tx.platformId} and target = ${target} and consumed_at is null and id <> ${used}`;
}

/** Deletes requests a day after they expired, used or not (wallets.md §6.7.42). */
export function purgeRequests(tx: Tx, rowsMax: number): Promise<number> {
  const isOld = sql`expires_at < ${tx.now}::timestamptz - interval '1 day'`;
  return purgeRows(tx, 'signed_requests', isOld, rowsMax);
}

/** Deletes all requests of these targets, used or not, because their content is to be erased. */
export async function deleteRequests(tx: Tx, targets: readonly string[]): Promise<void> {
  await tx.sql`
    delete from signed_requests where platform_id = ${tx.platformId} and target = any(${targets}::text[])`;
}

function contextOf(id: Id<'Request'>): string {
  return `signed_requests.challenge:${id}`;
}
