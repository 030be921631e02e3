import { hash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { RefusedProof } from '#foundation/audit/audit.ts';
import { type MalformedStamp, parseStamp, type Stamp, verifyStamp } from '#foundation/crypto/stamp.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { Changes, ReadTx } from '#foundation/database/tx.ts';
import type { RequestFacts } from '#foundation/http/caller.ts';
import { Reply } from '#foundation/http/idempotency/reply.ts';
import { component, dateTime, idSchema } from '#foundation/http/schema.ts';
import { findPendingRequest, openRequest, type PendingRequest } from '#foundation/http/signed/store.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { bareId, type PublicId, parseId, publicId } from '#foundation/lib/ids.ts';
import { type Code, Refusal, refuseIf } from '#foundation/lib/refusals.ts';

/**
 * The signed-retry protocol (wallets.md §3, decision 0022). The first leg of a call answers 202 with a payload. The owner
 * of the wallet signs it, and the caller repeats the call with the signature (the "stamp") and the request's id; each
 * request counts once. An operation may ask for several signatures, one leg after the other.
 */
export interface SignedRule<Input> {
  /**
   * Finds the target of the call, or refuses (wallets.md §3.4 row 2). Undefined: this call needs no signature, and the
   * headers are ignored. Absent: the operation, or a gate, uses the functions below itself.
   */
  target?(tx: ReadTx, input: Input): Promise<SignedTarget | undefined>;
  /** The payload is stored in a resource; no request is opened for it. */
  readonly withoutRequestId?: boolean;
}

export interface SignedTarget {
  /** The public id of the resource that a request is bound to, beside its operation. */
  readonly name: string;
  /** The wallets whose sessions may sign, as bare UUIDs. `request`: no session may, only the key that the request names. */
  readonly signingWallets: readonly AccountId[] | 'request';
  /** Further requirements of the operation on the signing session (wallets.md §6.6.39, §6.7.41). */
  allowsSession?(session: SigningSession): boolean;
  /** For the audit row of a signature that fails. */
  readonly customerId?: PublicId<'Customer'> | undefined;
}

/** A session whose key made a signature. */
export interface SigningSession {
  readonly id: Id<'Session'>;
  readonly accountId: AccountId;
  readonly credentialId: CredentialId;
}

/** The `ACTIVE` sessions of these wallets that this public key signs for (wallets.md §6.7.42). */
export type FindSigners = (
  tx: ReadTx,
  wallets: readonly string[],
  publicKey: string,
) => Promise<readonly SigningSession[]>;

/** The parts of a call that its signature is checked against. */
export interface SignedCall {
  readonly operation: string;
  readonly target: SignedTarget;
  readonly body: unknown;
  readonly request: RequestFacts | undefined;
}

/** A payload that an operation asks the owner to sign. */
export interface Challenge {
  readonly payload: string;
  readonly expiresAt: Date;
  /** Fields of the reply beside those of every `SignedRequestChallenge`. */
  readonly extraFields?: Readonly<Record<string, unknown>>;
  /** Data stored for the next leg. */
  readonly context?: unknown;
  /** The only key that may sign, if it is not a session's. */
  readonly signerKey?: string;
}

/** When a request that is opened now expires (wallets.md §1). */
export function requestExpiry({ now, platform }: Pick<ReadTx, 'now' | 'platform'>): Date {
  return new Date(now.getTime() + platform.settings.wallets.requestSeconds * 1000);
}

export const SignedRequestChallenge = component(
  'SignedRequestChallenge',
  'A payload that the owner of the wallet must sign before the call takes effect.',
  {
    payloadToSign: Type.String({
      description:
        'Sign exactly these UTF-8 bytes: ECDSA with P-256 and SHA-256, by a key of an active session.',
    }),
    requestId: idSchema('Request', {
      description:
        'Send this as `Request-Id` when you repeat the call with the signature. It can be used once.',
    }),
    expiresAt: dateTime({ description: 'The signature is accepted until this time.' }),
  },
);
export type SignedRequestChallenge = Static<typeof SignedRequestChallenge>;

/** Error codes that every signed operation may answer with. */
export const SIGNATURE_CODES: readonly Code[] = [
  'WALLET_SIGNATURE_MISSING',
  'WALLET_SIGNATURE_MALFORMED',
  'WALLET_SIGNATURE_INVALID',
];
export const SIGNED_RETRY_CODES: readonly Code[] = [
  ...SIGNATURE_CODES,
  'REQUEST_ID_MISSING',
  'WALLET_SIGNATURE_BODY_MISMATCH',
];

/** The 202 reply of a leg; its request is stored in the commit of these changes. */
export function challengeReply(
  changes: Changes,
  { operation, target, body }: Omit<SignedCall, 'request'>,
  { payload, expiresAt, extraFields, context, signerKey }: Challenge,
): Reply<SignedRequestChallenge> {
  const id = changes.newId<'Request'>();
  const bodyDigest = hashBody(changes.runtime.vault, body);
  openRequest(changes, {
    ...{ id, operation, target: target.name, payload, context, bodyDigest, expiresAt },
    customerId: target.customerId && bareId(target.customerId),
    signerKey: signerKey ?? null,
  });
  return new Reply(202, {
    payloadToSign: payload,
    requestId: publicId('Request', id),
    expiresAt: expiresAt.toISOString(),
    ...extraFields,
  });
}

/**
 * wallets.md §3.3, and rows 3 to 8 of wallets.md §3.4, in that order: finds the request that this call is the signed
 * retry of, or refuses. Undefined: neither header is there, so it is a first leg.
 */
export async function verifyRetry(
  tx: ReadTx,
  call: SignedCall,
  findSigners: FindSigners,
): Promise<PendingRequest | undefined> {
  const { target, request } = call;
  const stamp = readStamp(tx, request, target.signingWallets);
  const requestId = readRequestHeader(request, 'Request-Id');
  if (stamp === 'MISSING' && requestId === undefined) return undefined;
  if (requestId === undefined)
    throw refusedProof(target, 'REQUEST_ID_MISSING', 'The Request-Id header is missing.');
  refuseIf(checkReadable(tx, target, stamp));
  const pending = await findRequest(tx, call, requestId);
  if (!pending) throw refusedProof(target, 'UNAUTHORIZED', 'Request-Id does not match a pending challenge');
  if (!isSameBody(tx, pending, call)) {
    const reason = 'The body differs from the one for which the signature was requested.';
    throw refusedProof(target, 'WALLET_SIGNATURE_BODY_MISMATCH', reason);
  }
  const keyed = keyedStamp(stamp);
  const isSigner = keyed !== undefined && (await maySign(tx, target, keyed, pending, findSigners));
  refuseIf(await checkStamp(tx, target, stamp, { isSigner, payload: pending.payload }));
  return pending;
}

/**
 * Finds the request of which this call would be the signed retry, when a signature may no longer be needed: one that waits
 * for this operation, target and body. Nothing is verified.
 */
export async function findRetried(tx: ReadTx, call: SignedCall): Promise<PendingRequest | undefined> {
  const requestId = readRequestHeader(call.request, 'Request-Id');
  const pending = requestId === undefined ? undefined : await findRequest(tx, call, requestId);
  return pending && isSameBody(tx, pending, call) ? pending : undefined;
}

/** The signature as it was sent. `ALWAYS_VALID`: the sandbox's literal, which is not made with a key. */
export type SentStamp = Stamp | MalformedStamp | 'ALWAYS_VALID' | 'MISSING';

/** The literal cannot replace the key of a request, because that key becomes the session's. */
export function readStamp(
  tx: ReadTx,
  request: RequestFacts | undefined,
  signingWallets?: SignedTarget['signingWallets'],
): SentStamp {
  const text = readRequestHeader(request, tx.runtime.names.walletSignatureHeader);
  if (text === undefined) return 'MISSING';
  if (signingWallets !== 'request' && tx.ports.walletSignatures.isAlwaysValid(text)) return 'ALWAYS_VALID';
  return parseStamp(text);
}

function isMalformed(stamp: SentStamp): stamp is MalformedStamp {
  return typeof stamp === 'object' && 'fault' in stamp;
}

/** The stamp whose key must be allowed to sign; undefined: there is none. */
export function keyedStamp(stamp: SentStamp): Stamp | undefined {
  return typeof stamp === 'string' || isMalformed(stamp) ? undefined : stamp;
}

/** The expected signer, for the audit row of a signature that fails. */
type Signer = Pick<SignedTarget, 'name' | 'customerId'>;

/** Rows 3 and 4. */
function checkReadable(tx: ReadTx, signer: Signer, stamp: SentStamp): Refusal | undefined {
  const header = tx.runtime.names.walletSignatureHeader;
  if (stamp === 'MISSING')
    return refusedProof(signer, 'WALLET_SIGNATURE_MISSING', `The ${header} header is missing.`);
  if (isMalformed(stamp)) {
    const reason = `The ${header} header is not a stamp: ${stamp.fault}.`;
    return refusedProof(signer, 'WALLET_SIGNATURE_MALFORMED', reason);
  }
  return undefined;
}

/** Rows 3, 4, 7 and 8: checks that there is a stamp, and that a key that may sign has signed exactly this payload. */
export async function checkStamp(
  tx: ReadTx,
  signer: Signer,
  stamp: SentStamp,
  { isSigner, payload }: { readonly isSigner: boolean; readonly payload: string },
): Promise<Refusal | undefined> {
  if (stamp === 'ALWAYS_VALID') return undefined;
  if (typeof stamp === 'string' || isMalformed(stamp)) return checkReadable(tx, signer, stamp);
  if (!isSigner) {
    const reason = 'The key of the signature may not sign this call now.';
    return refusedProof(signer, 'WALLET_SIGNATURE_INVALID', reason);
  }
  if (await verifyStamp(stamp, payload)) return undefined;
  const reason = 'The signature does not match the payload to sign.';
  return refusedProof(signer, 'WALLET_SIGNATURE_INVALID', reason);
}

async function maySign(
  tx: ReadTx,
  { signingWallets, allowsSession = () => true }: SignedTarget,
  { publicKey }: Stamp,
  { signerKey }: PendingRequest,
  findSigners: FindSigners,
): Promise<boolean> {
  if (signingWallets === 'request') return publicKey === signerKey;
  return (await findSigners(tx, signingWallets, publicKey)).some(allowsSession);
}

/** wallets.md §3.4 row 5: the id must equal the issued one exactly. */
function findRequest(
  tx: ReadTx,
  { operation, target }: SignedCall,
  requestId: string,
): Promise<PendingRequest | undefined> | undefined {
  const id = parseId('Request', requestId);
  if (id === undefined || publicId('Request', id) !== requestId) return undefined;
  return findPendingRequest(tx, id, { operation, target: target.name });
}

/** The value of a header. Values of a repeated header are joined, so they equal no issued id. */
export function readRequestHeader(request: RequestFacts | undefined, name: string): string | undefined {
  const value = request?.headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}

/**
 * wallets.md §3.5: returns the digest of the canonical body, so that key order and white space do not matter. The
 * digest is keyed, because names and addresses could be guessed from a plain one.
 */
function hashBody(vault: Vault, body: unknown): Buffer {
  return vault.fingerprint(canonicalJson(body ?? null), 'signed_requests.body_digest');
}

/** A request that an earlier version opened has a plain digest. */
function isSameBody(
  { vault }: ReadTx,
  { bodyDigest }: PendingRequest,
  { body }: Pick<SignedCall, 'body'>,
): boolean {
  return (
    bodyDigest.equals(hashBody(vault, body)) ||
    bodyDigest.equals(hash('sha256', canonicalJson(body ?? null), 'buffer'))
  );
}

/** A signature that fails leaves an audit row (platform.md §1.3.9). */
function refusedProof({ name: resource, customerId }: Signer, code: Code, reason: string): RefusedProof {
  return new RefusedProof(new Refusal(code, reason), {
    proof: 'WALLET_SIGNATURE',
    resource,
    customerId,
    reason,
  });
}
