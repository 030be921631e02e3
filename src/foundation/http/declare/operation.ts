import type { Static, TObject, TSchema } from 'typebox';
import type { AuditFact } from '#foundation/audit/audit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Caller, CallerKind, RequestFacts } from '#foundation/http/caller.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import type { Examples } from '#foundation/http/declare/example.ts';
import type { ChallengePlan, Plan } from '#foundation/http/declare/plan.ts';
import type { KeyUse } from '#foundation/http/idempotency/idempotency.ts';
import type { Answer } from '#foundation/http/idempotency/reply.ts';
import {
  SIGNATURE_CODES,
  SIGNED_RETRY_CODES,
  type SignedRule,
} from '#foundation/http/signed/signed-retry.ts';
import type { PendingRequest } from '#foundation/http/signed/store.ts';
import type { ResourceType } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import type { Code, FieldError, Refusal } from '#foundation/lib/refusals.ts';
import type { Ports } from '#foundation/ports/ports.ts';
import type { Upload } from '#foundation/uploads/uploads.ts';

/** The permission that a token needs; `agent`: the token of an agent instead; `public`: no authentication. */
export type Access = 'view' | 'transact' | 'manage' | 'agent' | 'public';

/** A path parameter that is a resource's id: a malformed one is simply not found. */
export interface IdParam {
  readonly id: ResourceType;
  readonly missing: Code;
  readonly description?: string;
}

/** A path parameter of another kind: checked by the handler. */
export interface TextParam {
  readonly text: string;
  /** Where several spellings mean the same thing: the one that counts, also for idempotency keys. */
  normalise?(value: string): string;
  /** Audit rows show its last four characters only. */
  readonly isSecret?: boolean;
  /** Names a person, as an address does. Audit rows leave it out: they could not be changed when the person is erased. */
  readonly isPersonal?: boolean;
}

export type Params = Record<string, IdParam | TextParam>;

/** What an operation is called with, over HTTP or not. */
export interface Input<P, Q, B> {
  readonly caller: Caller;
  readonly params: { readonly [Name in keyof P]: string };
  readonly query: Q;
  readonly body: B;
  /** Where the body breaks its schema; always empty unless the operation declares `checksBody`. */
  readonly problems: readonly FieldError[];
  /** The file of a multipart form, stored already; discarded at the end of the request unless the handler keeps it. */
  readonly file: Upload | undefined;
  /** Its idempotency key, for a `prepare` that looks it up itself. */
  readonly key: KeyUse | undefined;
  /** Undefined: the call did not come over HTTP. */
  readonly request: RequestFacts | undefined;
  /** Of a signed operation: what was asked to be signed in the leg before, and has been. Undefined: the first leg. */
  readonly signed: PendingRequest | undefined;
}

export type KeyRule = 'optional' | 'required' | 'ignored';

/** How an operation treats `Idempotency-Key` (platform.md §2). */
export interface IdempotencyRule {
  /**
   * `ignored`: each call must be a new one (`/auth/*`, `/sca/*`, `/internal-accounts/*`, showing a card's number,
   * redeeming a device code). Default on POST: `optional`.
   */
  readonly key: KeyRule;
  /** The 409 of the same key with another body. */
  readonly conflict?: Code;
  /** The reply holds a secret and is never stored; repeating the key is the 409. */
  readonly secretReply?: boolean;
  /** `prepare` finds what is stored under the key by a statement that it makes anyway (`replayIfUsed`). */
  readonly prepareFindsKey?: boolean;
}

/** Everything a reader must know of one operation, in one place (decision 0001). */
export interface Operation<
  P extends Params = Params,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
> {
  /** `POST /quotes/:quoteId/execute` */
  readonly route: `${Method} /${string}`;
  readonly area: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Who may call. Unless it says otherwise: API tokens, with `agent` agents, with `public` whoever visits a page. */
  readonly callers?: readonly CallerKind[];
  /** Production tokens get 403: the operation plays the outside world. */
  readonly sandboxOnly?: boolean;
  /** Refuses a platform that does not have what the operation is about, before anything of the request is read. */
  checkAvailable?(platform: Platform, ports: Ports): Refusal | undefined;
  /** Refuses a caller who may not make this call at present, before anything of the request is read. */
  checkCaller?(caller: Caller): Refusal | undefined;
  readonly deprecated?: boolean;
  /** May still change in ways that break clients; the document says so. */
  readonly isExperimental?: boolean;
  /** Not part of the contract that clients of other services know; the document says so. */
  readonly isBeyondContract?: boolean;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The body may be left out altogether. */
  readonly bodyOptional?: boolean;
  /**
   * The handler has rules of its own for the fields of the body and names all bad ones in one reply: what
   * breaks the schema comes to it as `input.problems` instead of ending the call.
   */
  readonly checksBody?: boolean;
  /** A multipart form: fields as `body`, with the file's name under `fileField`; the file as `file`. */
  readonly multipart?: { readonly fileMaxBytes: number; readonly fileField: string };
  readonly idempotency?: IdempotencyRule;
  /** The owner of a wallet has to sign the call (wallets.md §3). */
  readonly signed?: SignedRule<Input<P, Static<Q>, Static<B>>>;
  readonly status?: number;
  /** Absent: an empty reply. */
  readonly reply?: R;
  /** Replies of other successful statuses. */
  readonly otherReplies?: Readonly<Record<number, TSchema>>;
  readonly codes: readonly Code[];
  /** What the audit row of a successful call says beside who called which path; never a secret. */
  auditDetails?(input: Input<P, Static<Q>, Static<B>>, reply: Static<R>): AuditFact['details'];
  /** At least one, by what it shows; CI sends each. Resources that several name are in the capability's `examples.ts`. */
  readonly examples?: Examples<
    { readonly [Name in keyof NoInfer<P>]: string },
    Static<NoInfer<Q>>,
    Static<NoInfer<B>>,
    Static<NoInfer<R>>
  >;
  /** Reads only; no transaction. */
  read?(tx: ReadTx, input: Input<P, Static<Q>, Static<B>>): Promise<Answer<Static<R>>>;
  /** One transaction that commits with the reply. */
  write?(tx: Tx, input: Input<P, Static<Q>, Static<B>>): Promise<Answer<Static<R>>>;
  /**
   * Reads, checks and refuses, without any effect, and returns what is to be committed. Gates may require a signature or
   * somebody's approval before the commit (gates.ts). If something it read has changed by then, it is prepared again.
   */
  prepare?(
    tx: ReadTx,
    input: Input<P, Static<Q>, Static<B>>,
  ): Promise<Plan<Static<R>> | ChallengePlan | Refusal>;
  /** More than one step, or something outside the database first. What its write returns is the reply. */
  handle?(work: CallWork, input: Input<P, Static<Q>, Static<B>>): Promise<Answer<Static<R>>>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface NamedOperation extends Operation {
  readonly id: string;
  readonly method: Method;
  /** `/quotes/:quoteId/execute` */
  readonly path: string;
}

/** An operation that still knows what it was declared with: `types` is never there, it only carries them. */
export interface DeclaredOperation<Id extends string, P, Q, B, R> extends NamedOperation {
  readonly id: Id;
  readonly types?: { readonly params: P; readonly query: Q; readonly body: B; readonly reply: R };
}

export function operation<
  const Id extends string,
  P extends Params,
  Q extends TObject,
  B extends TSchema,
  R extends TSchema,
>(
  id: Id,
  declaration: Operation<P, Q, B, R>,
): DeclaredOperation<Id, { [Name in keyof P]: string }, Static<Q>, Static<B>, Static<R>> {
  const [method, path] = declaration.route.split(' ') as [Method, string];
  return { ...(declaration as unknown as Operation), id, method, path };
}

/** Which kinds of callers may call the operation. */
export function callersOf({
  access,
  callers,
}: Pick<NamedOperation, 'access' | 'callers'>): readonly CallerKind[] {
  return callers ?? (access === 'public' ? VISITORS : access === 'agent' ? AGENTS : TOKENS);
}

const TOKENS: readonly CallerKind[] = ['token'];
const AGENTS: readonly CallerKind[] = ['agent'];
const VISITORS: readonly CallerKind[] = ['page'];

/** The status of its usual reply. */
export function statusOf({ status, reply }: Pick<NamedOperation, 'status' | 'reply'>): number {
  return status ?? (reply ? 200 : 204);
}

/** Whether the operation takes an `Idempotency-Key`: every POST does unless it says otherwise (platform.md §2.1). */
export function keyRuleOf({ method, idempotency }: Pick<NamedOperation, 'method' | 'idempotency'>): KeyRule {
  return method === 'POST' ? (idempotency?.key ?? 'optional') : 'ignored';
}

/** The 409 of a key that was used before, with another body or for a secret (platform.md §2.4). */
export function keyConflictOf({ idempotency }: Pick<NamedOperation, 'idempotency'>): Code {
  return idempotency?.conflict ?? 'CONFLICT';
}

/** The codes that the operation answers with by what it declares. */
export function codesOf({ codes, signed }: Pick<NamedOperation, 'codes' | 'signed'>): readonly Code[] {
  if (!signed) return codes;
  return [...codes, ...(signed.withoutRequestId ? SIGNATURE_CODES : SIGNED_RETRY_CODES)];
}
