import type { Static, TObject, TSchema } from 'typebox';
import type { AuditFact } from '#foundation/audit/audit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Caller, CallerKind, RequestFacts } from '#foundation/http/caller.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import type { Examples } from '#foundation/http/declare/example.ts';
import type { ChallengePlan, Plan } from '#foundation/http/declare/plan.ts';
import type { KeyUse } from '#foundation/http/idempotency/idempotency.ts';
import type { Answer } from '#foundation/http/idempotency/reply.ts';
import type { OperatorRule } from '#foundation/http/operator-rule.ts';
import type { BareQuery } from '#foundation/http/schema.ts';
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

/**
 * The permission that a token needs; `any`: whichever it has; `agent`: the token of an agent instead; `operator`: a person
 * who runs the service; `public`: no authentication.
 */
export type Access = 'view' | 'transact' | 'manage' | 'any' | 'agent' | 'operator' | 'public';

/** A path parameter that is a resource's id: a malformed id is answered as not found. */
export interface IdParam<T extends ResourceType = ResourceType> {
  readonly id: T;
  readonly missing: Code;
  readonly description?: string;
}

/** A path parameter of another kind: checked by the handler. */
export interface TextParam {
  readonly text: string;
  /** If several spellings mean the same value: returns the canonical one, also for idempotency keys. */
  normalise?(value: string): string;
  /** Audit rows show its last four characters only. */
  readonly isSecret?: boolean;
  /**
   * Identifies a person, as an address does. Audit rows omit it, because they cannot be changed when the person is
   * erased.
   */
  readonly isPersonal?: boolean;
}

export type Params = Record<string, IdParam | TextParam>;

/** The input of a call, over HTTP or not. */
export interface Input<P, Q, B> {
  readonly caller: Caller;
  readonly params: { readonly [Name in keyof P]: P[Name] extends IdParam<infer T> ? Id<T> : string };
  readonly query: BareQuery<Q>;
  readonly body: B;
  /** Schema violations of the body; always empty unless the operation declares `checksBody`. */
  readonly problems: readonly FieldError[];
  /** The file of a multipart form, already stored; discarded at the end of the request unless the handler keeps it. */
  readonly file: Upload | undefined;
  /** Its idempotency key, for a `prepare` that looks it up itself. */
  readonly key: KeyUse | undefined;
  /** Undefined: the call did not come over HTTP. */
  readonly request: RequestFacts | undefined;
  /** For a signed operation: the request of the previous leg, whose payload is now signed. Undefined: the first leg. */
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
  /** The code of the 409 for the same key with another body. */
  readonly conflict?: Code;
  /** The reply contains a secret and is never stored; a call that repeats the key gets the 409. */
  readonly secretReply?: boolean;
  /** `prepare` reads the key in a statement that it runs anyway (`replayIfUsed`). */
  readonly prepareFindsKey?: boolean;
}

/** Everything a reader must know about one operation, in one place (decision 0001). */
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
  /** For an operation of operators: which of them may call it, and how (operator.md §6). */
  readonly operator?: OperatorRule;
  /** The accepted callers. Default: API tokens, or the callers that `access` names; `public`: visitors of a page. */
  readonly callers?: readonly CallerKind[];
  /** Production tokens get 403: the operation simulates the outside world. */
  readonly sandboxOnly?: boolean;
  /** Refuses a platform that lacks the feature of the operation, before the request is read. */
  checkAvailable?(platform: Platform, ports: Ports): Refusal | undefined;
  /** Refuses a caller that may not make this call at present, before the request is read. */
  checkCaller?(caller: Caller): Refusal | undefined;
  readonly deprecated?: boolean;
  /** May still change in ways that break clients; the document says so. */
  readonly isExperimental?: boolean;
  /** Not part of the contract that clients of similar services know; the document says so. */
  readonly isBeyondContract?: boolean;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The body may be left out altogether. */
  readonly bodyOptional?: boolean;
  /**
   * The handler has rules of its own for the fields of the body and names all bad fields in one reply: it gets
   * schema violations as `input.problems`, and they do not end the call.
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
  /** Details for the audit row of a successful call, beside its caller and path; never a secret. */
  auditDetails?(input: Input<P, Static<Q>, Static<B>>, reply: Static<R>): AuditFact['details'];
  /**
   * At least one, keyed by title; CI sends each. Resources that several examples name are in the folder's `examples.ts`.
   */
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
   * Reads, checks and refuses, without any effect, and returns the plan to commit. Gates may require a signature or an
   * approval before the commit (gates.ts). If a row that it read has changed by then, it is prepared again.
   */
  prepare?(
    tx: ReadTx,
    input: Input<P, Static<Q>, Static<B>>,
  ): Promise<Plan<Static<R>> | ChallengePlan | Refusal>;
  /** Takes more than one step, or uses something outside the database first. The result of its write is the reply. */
  handle?(work: CallWork, input: Input<P, Static<Q>, Static<B>>): Promise<Answer<Static<R>>>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface NamedOperation extends Operation {
  readonly id: string;
  readonly method: Method;
  /** `/quotes/:quoteId/execute` */
  readonly path: string;
}

/** An operation that keeps the types of its declaration: `types` is never set, it only carries them. */
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
  return callers ?? CALLERS[access];
}

const TOKENS: readonly CallerKind[] = ['token'];
const CALLERS: Readonly<Record<Access, readonly CallerKind[]>> = {
  ...{ view: TOKENS, transact: TOKENS, manage: TOKENS, any: TOKENS },
  ...{ agent: ['agent'], operator: ['operator'], public: ['page'] },
};

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

/** The error codes that follow from the operation's declaration. */
export function codesOf({ codes, signed }: Pick<NamedOperation, 'codes' | 'signed'>): readonly Code[] {
  if (!signed) return codes;
  return [...codes, ...(signed.withoutRequestId ? SIGNATURE_CODES : SIGNED_RETRY_CODES)];
}
